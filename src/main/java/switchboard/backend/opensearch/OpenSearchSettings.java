package switchboard.backend.opensearch;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.config.Doc;
import switchboard.config.Secret;
import switchboard.upstream.UpstreamSettings;

/** The section of a backend of type {@code opensearch}. */
public record OpenSearchSettings(
        @Doc("The address of OpenSearch or Elasticsearch, such as `https://opensearch:9200`.")
        URI url,

        @Doc("The user for basic authentication; not needed for a server without security, or with an `apiKey`. It"
                + " should only be able to read.")
        @Nullable
        String username,

        @Doc("The password of that user.") @Nullable Secret password,

        @Doc("An API key instead of a user, encoded as Elasticsearch gives it (`encoded`).") @Nullable
        Secret apiKey,

        @Doc(
                "The indices, data streams and aliases that the gateway may use, as names or patterns with `*`; by default all."
                        + " Names that begin with a dot are matched only by patterns that begin with one.")
        List<String> indices,

        @Doc("Name of an entry of `embedders:` that turns the query into a vector for vector fields of the same"
                + " length. It must be the model that the documents' vectors come from.")
        @Nullable
        String embedder,

        @Doc("Timeouts, pool, retries, TLS, proxy.") UpstreamSettings connection) {

    public OpenSearchSettings {
        indices = indices.isEmpty() ? List.of("*") : List.copyOf(indices);
        for (String pattern : indices) {
            if (!IndexNames.valid(pattern.replace("*", "x"))) {
                throw new IllegalArgumentException(
                        "indices: \"" + pattern + "\" is no name of an index or pattern with *");
            }
        }
        if ((username == null) != (password == null)) {
            throw new IllegalArgumentException("username and password belong together");
        }
        if (username != null && apiKey != null) {
            throw new IllegalArgumentException("give either username and password, or apiKey");
        }
        if (username != null && username.contains(":")) {
            throw new IllegalArgumentException("username can't contain a colon (RFC 7617)");
        }
    }

    /** The header with the credential; none without one. */
    Map<String, Secret> headers() {
        if (apiKey != null) {
            return Map.of("Authorization", apiKey.after("ApiKey "));
        }
        if (username == null || password == null) {
            return Map.of();
        }
        return Map.of(
                "Authorization",
                password.as(text -> "Basic "
                        + Base64.getEncoder()
                                .encodeToString((username + ":" + text).getBytes(StandardCharsets.UTF_8))));
    }
}
