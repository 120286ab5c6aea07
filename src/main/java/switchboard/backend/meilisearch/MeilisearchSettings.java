package switchboard.backend.meilisearch;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import switchboard.config.AllowedRange;
import switchboard.config.Default;
import switchboard.config.Doc;
import switchboard.config.Secret;
import switchboard.upstream.UpstreamSettings;

/** The section of a backend of type {@code meilisearch}. */
public record MeilisearchSettings(
        @Doc("Meilisearch's address, such as `http://meilisearch:7700`.")
        URI url,

        @Doc(
                "The API key; not needed for a server without a master key. It needs the actions `indexes.get`, `settings.get`,"
                        + " `search` and, for document counts, `stats.get`. Not the master key.")
        @Nullable
        Secret apiKey,

        @Doc(
                "The `uid` of that key. Needed only for teams bound by `searchRules`, because the gateway signs tenant tokens for them.")
        @Nullable
        String apiKeyUid,

        @Default("5m") @AllowedRange(min = "30s", max = "1h") @Doc("How long a tenant token is valid.")
        Duration tokenTtl,

        @Doc("Name of an entry of `embedders:` that turns the query into a vector where an index has an embedder with"
                + " source `userProvided`. It must be the model that the documents' vectors come from.")
        @Nullable
        String embedder,

        @Doc("Timeouts, pool, retries, TLS, proxy.") UpstreamSettings connection) {}
