package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.upstream.UpstreamResponse;

/**
 * Interprets Meilisearch's error bodies {@code {message, code, type, link}}. They are passed on, except if they would
 * reveal indexes or keys: the answer to a refused credential is never repeated.
 */
final class MeilisearchErrors {
    static final String INDEX_NOT_FOUND = "index_not_found";
    static final String EMBEDDING_FAILED = "vector_embedding_error";
    static final String INVALID_FILTER = "invalid_search_filter";
    static final String INVALID_KEY = "invalid_api_key";

    private final String backend;
    private final UnaryOperator<String> scrub;

    MeilisearchErrors(String backend, UnaryOperator<String> scrub) {
        this.backend = backend;
        this.scrub = scrub;
    }

    /** The failure for {@code response}, which is not a 2xx. */
    ToolReply.Failed failure(ApiAction apiAction, UpstreamResponse response) {
        if (response.body().length() == 0 || !response.claimsJson()) {
            return response.unexplained();
        }
        JsonNode body = response.json();
        // A proxy in between may answer JSON of its own, in which the code is a number.
        if (!body.path("code").isTextual() || !body.path("type").isTextual()) {
            return response.unexplained();
        }
        String code = body.path("code").asText();
        ObjectNode details = Json.object();
        for (String field : new String[] {"type", "link"}) {
            if (body.path(field).isTextual()) {
                details.set(field, body.path(field));
            }
        }
        String type = body.path("type").asText();
        ToolReply.Failed failed = type.equals("auth") ? refused(apiAction) : said(kind(code, type, body), body);
        failed = failed.withCode(code).withDetails(details);
        return response.retryAfterMs() == null ? failed : failed.withRetryAfterMs(response.retryAfterMs());
    }

    private ToolReply.Failed said(FailureKind kind, JsonNode body) {
        String words = backend + ": " + words(body);
        return new ToolReply.Failed(
                kind,
                switch (kind) {
                    // The caller of this method knows the names, and says which index was meant.
                    case NOT_FOUND -> words;
                    case INVALID_ARGUMENT ->
                        EngineMessageSanitizer.then(words, "meilisearch_get_index_info shows what the index takes.");
                    case CONFLICT, DENIED, DENIED_UPSTREAM, UNAVAILABLE, TIMEOUT, OVERLOADED, CANCELLED, INTERNAL ->
                        EngineMessageSanitizer.then(words, EngineMessageSanitizer.LATER);
                });
    }

    private ToolReply.Failed refused(ApiAction apiAction) {
        return new ToolReply.Failed(
                FailureKind.DENIED_UPSTREAM,
                backend + " refuses the gateway's key: it must be valid, have the action " + apiAction.action()
                        + apiAction
                                .index()
                                .map(uid -> " and cover the index \"" + uid + "\"")
                                .orElse("")
                        + ". Use another index, or ask the operator to check the key");
    }

    /** The message. An embedding server's own reply may quote a key, so it is left out. */
    private String words(JsonNode body) {
        return EngineMessageSanitizer.plain(scrub.apply(body.path("message")
                .asText()
                .lines()
                .filter(line -> !line.contains("server replied with"))
                .collect(Collectors.joining("\n"))));
    }

    private static FailureKind kind(String code, String type, JsonNode body) {
        return switch (code) {
            case INDEX_NOT_FOUND -> FailureKind.NOT_FOUND;
            case "too_many_search_requests" -> FailureKind.OVERLOADED;
            case EMBEDDING_FAILED ->
                body.path("message").asText().contains("must be user provided")
                        ? FailureKind.INVALID_ARGUMENT
                        : FailureKind.UNAVAILABLE;
            case "payload_too_large" -> FailureKind.INVALID_ARGUMENT;
            default -> type.equals("invalid_request") ? FailureKind.INVALID_ARGUMENT : FailureKind.UNAVAILABLE;
        };
    }
}
