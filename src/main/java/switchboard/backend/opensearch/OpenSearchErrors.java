package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.function.UnaryOperator;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.upstream.UpstreamResponse;

/**
 * Interprets the engine's errors, {@code {error: {type, reason, root_cause}, status}}. Reasons are passed on, except those
 * of a refused credential, which name its user and roles.
 */
final class OpenSearchErrors {
    static final String INDEX_NOT_FOUND = "index_not_found_exception";

    /** Too many clauses: a query with fewer words or fields works. */
    private static final String TOO_MANY = "too_many_";

    private static final Set<String> CLOSED = Set.of("index_closed_exception", "cluster_block_exception");

    private final String backend;
    private final UnaryOperator<String> scrub;

    OpenSearchErrors(String backend, UnaryOperator<String> scrub) {
        this.backend = backend;
        this.scrub = scrub;
    }

    /** The failure for {@code response}, which is not a 2xx. */
    ToolReply.Failed failure(UpstreamResponse response) {
        if (response.body().length() == 0 || !response.claimsJson()) {
            return response.unexplained();
        }
        ToolReply.Failed failed = failure(response.json().path("error"), response.status(), response.unexplained());
        return response.retryAfterMs() == null ? failed : failed.withRetryAfterMs(response.retryAfterMs());
    }

    private ToolReply.Failed failure(JsonNode error, int status, ToolReply.Failed unexplained) {
        // The cause says which field or query is wrong; the error itself only that shards failed.
        JsonNode cause = error.path("root_cause").path(0).path("reason").isTextual()
                ? error.path("root_cause").path(0)
                : error;
        if (!error.path("type").isTextual() || !cause.path("reason").isTextual()) {
            return unexplained;
        }
        String type = error.path("type").asText();
        String causeType = cause.path("type").asText(type);
        if (CLOSED.contains(causeType)) {
            return new ToolReply.Failed(
                            FailureKind.UNAVAILABLE,
                            backend + ": the index, or one behind this name, is closed or blocked. Use another one, or"
                                    + " ask the operator.")
                    .withCode(causeType);
        }
        FailureKind kind = causeType.startsWith(TOO_MANY) ? FailureKind.INVALID_ARGUMENT : kind(type, status);
        return kind == FailureKind.DENIED_UPSTREAM
                ? unexplained
                : new ToolReply.Failed(kind, words(kind, cause.path("reason").asText())).withCode(type);
    }

    private String words(FailureKind kind, String reason) {
        String words = backend + ": " + EngineMessageSanitizer.plain(scrub.apply(reason));
        return switch (kind) {
            case NOT_FOUND -> EngineMessageSanitizer.then(words, "opensearch_list_indices shows what there is.");
            case INVALID_ARGUMENT ->
                EngineMessageSanitizer.then(words, "opensearch_get_mapping shows the fields of an index.");
            case CONFLICT, DENIED, DENIED_UPSTREAM, UNAVAILABLE, TIMEOUT, OVERLOADED, CANCELLED, INTERNAL ->
                EngineMessageSanitizer.then(words, EngineMessageSanitizer.LATER);
        };
    }

    private static FailureKind kind(String type, int status) {
        if (type.equals(INDEX_NOT_FOUND)) {
            return FailureKind.NOT_FOUND;
        }
        return switch (status) {
            case 400, 413 -> FailureKind.INVALID_ARGUMENT;
            case 401, 403 -> FailureKind.DENIED_UPSTREAM;
            case 408, 504 -> FailureKind.TIMEOUT;
            case 429 -> FailureKind.OVERLOADED;
            default -> FailureKind.UNAVAILABLE;
        };
    }
}
