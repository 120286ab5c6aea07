package switchboard.backend.weaviate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.text.SurrogatePairs;
import switchboard.upstream.UpstreamResponse;

/**
 * Interprets Weaviate's errors. They have four formats ({@code {error:[{message}]}}, {@code {code,message}}, {@code
 * {error:"…"}}, text), and their status does not always say whose mistake it was, so the message decides.
 */
final class WeaviateErrors {
    /** Advice for an unknown collection. */
    static final String COLLECTIONS = "weaviate-collections-get-config shows the collections.";

    private static final String DEFECT =
            "Weaviate reported an internal error. Change the request, or ask the operator to check Weaviate's log.";
    private static final String SCHEMA = "weaviate-collections-get-config shows what the collections take.";
    private static final int LONGEST = 1_000;
    private static final String OVER_MAXIMUM = "query maximum results exceeded";

    /** Shards have random names that tell a caller nothing. */
    private static final Pattern SHARDS = Pattern.compile(
            "(?: ?(?:in |local )?shard(?: object search)? \"?[A-Za-z0-9_]+\"?|\\b[a-z0-9_]+_[A-Za-z0-9]{12}\\b)");

    /** Suggestions name whatever resembles the word, other teams' collections included. */
    private static final Pattern SUGGESTIONS = Pattern.compile(" ?Did you mean .*?\\?(?=\\s|$)", Pattern.DOTALL);

    /** How some errors are wrapped: {@code msg:… code:422 err:the error}, and by which steps they came. */
    private static final Pattern WRAPPING = Pattern.compile(
            "^(?:msg:.*? code:\\d+ err:)?(?:(?:batch delete objects|cannot find objects|find matching doc ids|docIds"
                    + "|validate|explorer|get class|list class|search|vector search|knn search|repo|object by id"
                    + "|determine shard|build inverted filter allow list|nested query|nested clause at pos \\d+"
                    + "|object (?:vector )?search at index [a-z0-9_]+|search index [a-z0-9_]+):+ *)*",
            Pattern.DOTALL);

    private static final Pattern COLLECTION_NAME =
            Pattern.compile("((?:[Cc]lass|[Cc]ollection:?|type|field) [\"']?)([A-Z][_0-9A-Za-z]*)");

    private static final Pattern MISSING_RIGHT = Pattern.compile("insufficient permissions to ([A-Za-z_]+)");

    private record ErrorMeaning(Pattern sign, FailureKind kind, String advice) {
        static ErrorMeaning of(String sign, FailureKind kind, String advice) {
            return new ErrorMeaning(Pattern.compile(sign), kind, advice);
        }
    }

    private static final List<ErrorMeaning> MEANINGS = List.of(
            ErrorMeaning.of(
                    "insufficient permissions|forbidden action",
                    FailureKind.DENIED_UPSTREAM,
                    "The operator has to give the gateway's key this right."),
            ErrorMeaning.of(
                    "tenant not found",
                    FailureKind.NOT_FOUND,
                    "weaviate-tenants-list shows the tenants of the collection."),
            ErrorMeaning.of(
                    "tenant not active",
                    FailureKind.CONFLICT,
                    "The tenant exists but is not loaded (COLD or FROZEN); it has to be activated first."),
            ErrorMeaning.of("but request was without tenant", FailureKind.INVALID_ARGUMENT, "Give tenant_name."),
            ErrorMeaning.of("but request was with tenant", FailureKind.INVALID_ARGUMENT, "Leave tenant_name out."),
            ErrorMeaning.of("already exists", FailureKind.CONFLICT, "Use another name, or the one that exists."),
            ErrorMeaning.of(
                    "class not found|failed to get class|could not find class", FailureKind.NOT_FOUND, COLLECTIONS),
            ErrorMeaning.of(
                    "as RFC3339|cannot parse .* as \"T\"",
                    FailureKind.INVALID_ARGUMENT,
                    "valueDate needs a full date and time, such as \"2021-01-01T00:00:00Z\"."),
            ErrorMeaning.of(
                    "only stopwords provided",
                    FailureKind.INVALID_ARGUMENT,
                    "Weaviate leaves such words out of its index: filter by another word."),
            ErrorMeaning.of(
                    "parse uuid filter value",
                    FailureKind.INVALID_ARGUMENT,
                    "The property holds UUIDs, such as \"550e8400-e29b-41d4-a716-446655440000\"."),
            ErrorMeaning.of(
                    "vector lengths don't match",
                    FailureKind.INVALID_ARGUMENT,
                    "The query's vector needs as many numbers as the collection's have: give such a query_vector, or"
                            + " ask the operator to check the embedder."),
            ErrorMeaning.of(
                    "no indexed properties found in class",
                    FailureKind.INVALID_ARGUMENT,
                    "The collection has no text that keywords can be searched in."),
            ErrorMeaning.of(
                    "context (?:deadline exceeded|canceled)", FailureKind.UNAVAILABLE, EngineMessageSanitizer.LATER),
            ErrorMeaning.of(
                    "Nullstate must be indexed",
                    FailureKind.INVALID_ARGUMENT,
                    "IsNull works only in collections created with invertedIndexConfig.indexNullState."),
            ErrorMeaning.of(
                    "too (?:many|few) children for operator", FailureKind.INVALID_ARGUMENT, "Not takes one operand."),
            ErrorMeaning.of(
                    OVER_MAXIMUM,
                    FailureKind.INVALID_ARGUMENT,
                    "Ask for less at a time; weaviate-objects-get pages further with after."),
            ErrorMeaning.of(
                    "graphql api is disabled",
                    FailureKind.UNAVAILABLE,
                    "Searches, and reads of a team that is bound to a filter, need GraphQL: the operator of this"
                            + " Weaviate has to unset DISABLE_GRAPHQL."),
            ErrorMeaning.of("interface conversion|runtime error|panic", FailureKind.UNAVAILABLE, DEFECT));

    private final UnaryOperator<String> scrub;

    /** Makes failures whose messages {@code scrub} removes credentials and URLs from. */
    WeaviateErrors(UnaryOperator<String> scrub) {
        this.scrub = scrub;
    }

    /** The failure for an unsuccessful {@code response}, for a caller with this scope. */
    ToolReply.Failed of(UpstreamResponse response, TenantScope tenantScope) {
        String text = text(response);
        int status = response.status();
        if (status == 401 || status == 403) {
            return denied(status, text);
        }
        if (text.isEmpty() || status == 429 || (status == 404 && text.startsWith("path "))) {
            return response.unexplained();
        }
        FailureKind otherwise = status < 500 ? FailureKind.INVALID_ARGUMENT : FailureKind.UNAVAILABLE;
        ToolReply.Failed failed = meaning(text, otherwise, tenantScope).withCode(Integer.toString(status));
        Long retryAfter = response.retryAfterMs();
        return retryAfter == null ? failed : failed.withRetryAfterMs(retryAfter);
    }

    /** The failure for the {@code errors} of a GraphQL answer, whose HTTP status is 200. */
    ToolReply.Failed ofGraphQl(JsonNode errors, TenantScope tenantScope) {
        if (errors.isEmpty()) {
            return new ToolReply.Failed(
                    FailureKind.UNAVAILABLE,
                    "Weaviate answered a GraphQL query with neither data nor errors. " + EngineMessageSanitizer.LATER);
        }
        String text = errors.path(0).path("message").asText();
        if (MISSING_RIGHT.matcher(text).find()) {
            return denied(403, text);
        }
        if (text.contains(OVER_MAXIMUM)) {
            return new ToolReply.Failed(
                            FailureKind.UNAVAILABLE,
                            "This Weaviate can't search: each half of a hybrid search looks at 100 objects, and the"
                                    + " server's QUERY_MAXIMUM_RESULTS is less; its operator has to raise it.")
                    .withCode("graphql");
        }
        return meaning(text, FailureKind.INVALID_ARGUMENT, tenantScope).withCode("graphql");
    }

    /** {@code message} of the engine without parts that the caller must not see. */
    String shown(String message, TenantScope tenantScope) {
        String text = EngineMessageSanitizer.plain(scrub.apply(message));
        text = SHARDS.matcher(text).replaceAll("");
        text = WRAPPING.matcher(text).replaceFirst("");
        text = SUGGESTIONS.matcher(text).replaceAll("");
        text = COLLECTION_NAME
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        tenantScope.scope().allows(found.group(2)) ? found.group() : found.group(1) + "…"));
        text = text.strip();
        return text.length() <= LONGEST ? text : SurrogatePairs.start(text, LONGEST) + "…";
    }

    /** The message in an unsuccessful answer of any format; {@code ""} if there is none. */
    static String text(UpstreamResponse response) {
        String body = response.text().strip();
        if (!body.startsWith("{")) {
            return response.claimsJson() || body.startsWith("<") ? "" : body;
        }
        try {
            JsonNode json = Json.parse(body);
            JsonNode error = json.path("error");
            if (error.isTextual()) {
                return error.asText();
            }
            String first = error.path(0).path("message").asText();
            return first.isEmpty() ? json.path("message").asText() : first;
        } catch (JsonProcessingException _) {
            return "";
        }
    }

    private ToolReply.Failed meaning(String text, FailureKind otherwise, TenantScope tenantScope) {
        FailureKind kind = otherwise;
        String advice = otherwise == FailureKind.UNAVAILABLE ? EngineMessageSanitizer.LATER : SCHEMA;
        for (ErrorMeaning meaning : MEANINGS) {
            if (meaning.sign().matcher(text).find()) {
                kind = meaning.kind();
                advice = meaning.advice();
                break;
            }
        }
        return new ToolReply.Failed(kind, EngineMessageSanitizer.then(shown(text, tenantScope), advice));
    }

    private static ToolReply.Failed denied(int status, String text) {
        Matcher right = MISSING_RIGHT.matcher(text);
        String reason;
        if (status == 401) {
            reason = "Weaviate does not accept the gateway's credential (401); the operator has to check apiKey.";
        } else if (text.contains("GraphQL introspection")) {
            reason = "Weaviate refuses the gateway's key (403): searches over GraphQL need the right read_collections"
                    + " on all collections; the operator has to grant it.";
        } else if (right.find()) {
            reason = "Weaviate refuses the gateway's key (403): it lacks the right " + rightName(right.group(1))
                    + " for this; the operator has to grant it.";
        } else {
            reason = "Weaviate refuses the gateway's key (403); the operator has to check its rights.";
        }
        return new ToolReply.Failed(FailureKind.DENIED_UPSTREAM, reason).withCode(Integer.toString(status));
    }

    /** Admin lists name permissions by one letter. */
    private static String rightName(String word) {
        return switch (word) {
            case "C" -> "to create";
            case "R" -> "to read";
            case "U" -> "to update";
            case "D" -> "to delete";
            default -> word;
        };
    }
}
