package switchboard.backend.weaviate;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import switchboard.config.AllowedRange;
import switchboard.config.Default;
import switchboard.config.Doc;
import switchboard.config.Secret;
import switchboard.upstream.UpstreamSettings;

/** The section of a backend of type {@code weaviate}. */
public record WeaviateSettings(
        @Doc("Weaviate's REST address, such as `http://weaviate:8080`.")
        URI url,

        @Doc("API key or OIDC token, sent as `Authorization: Bearer`. By default anonymous. A server without"
                + " authentication refuses any key.")
        @Nullable
        Secret apiKey,

        @Default("false") @Doc("Whether the tools that create collections, upsert and delete objects exist.")
        boolean writes,

        @Doc("The source of `weaviate-logs-fetch`.") Logs logs,

        @Doc("The embedder that supplies query and object vectors for collections without a vectorizer."
                + " Without it such collections are searched by keyword only.")
        @Nullable
        String embedder,

        @Default("30s")
        @AllowedRange(min = "0s", max = "1h")
        @Doc("How long the schema of a collection is cached. An older one is still used while it is read again.")
        Duration schemaCache,

        @Doc("Connections to Weaviate.") UpstreamSettings connection) {

    /** The source of logs. Weaviate has no API for its log. */
    public record Logs(
            @Default("false") @Doc("Whether `weaviate-logs-fetch` exists.")
            boolean enabled,

            @Doc(
                    "`file`: the end of `file`. `loki`: lines that a Loki server has collected. `gateway`: the gateway's own record of"
                            + " its exchanges with this Weaviate, labelled as such. Left out: the tool answers that no source is"
                            + " configured.")
            @Nullable
            LogSourceType source,

            @Doc("The server's log file, for `source: file`.") @Nullable
            Path file,

            @Doc("The Loki server, for `source: loki`.") @Nullable
            Loki loki) {}

    /** Where a Loki server is, and what to ask it. */
    public record Loki(
            @Doc("Its address, such as `http://loki:3100`.") URI url,

            @Doc("The LogQL query that selects the server's lines, such as `{app=\"weaviate\"}`.")
            String query,

            @Default("1h") @AllowedRange(min = "1m", max = "30d") @Doc("How far back the tool looks.")
            Duration window,

            @Doc("Sent as `Authorization: Bearer`.") @Nullable
            Secret apiKey,

            @Doc("Sent as `X-Scope-OrgID`, for a Loki with tenants.") @Nullable
            String tenant,

            @Doc("Connections to Loki.") UpstreamSettings connection) {}

    /** A kind of log. */
    public enum LogSourceType {
        /** The server's own log file. */
        FILE,
        /** The log as a Loki server has collected it. */
        LOKI,
        /** The gateway's own record of its requests. */
        GATEWAY
    }
}
