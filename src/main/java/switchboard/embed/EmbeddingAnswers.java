package switchboard.embed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Secrets;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.config.Secret;
import switchboard.text.SurrogatePairs;
import switchboard.upstream.UpstreamResponse;

/**
 * Reads a provider's answers. Failures are {@link ToolException} and never contain the key.
 *
 * @param provider the provider's name, for messages
 * @param key the secret to remove from messages
 */
record EmbeddingAnswers(String provider, @Nullable Secret key) {
    private static final int MAX_REASON = 300;
    private static final int SHOWN_OF_KEYS = 6;

    /**
     * The JSON of {@code answer}.
     *
     * @param tooMuch advice if the provider refused the request
     */
    JsonNode read(UpstreamResponse answer, String tooMuch) {
        if (answer.status() != 200) {
            ToolReply.Failed failed = failure(answer, tooMuch);
            throw new ToolException(
                    answer.retryAfterMs() == null ? failed : failed.withRetryAfterMs(answer.retryAfterMs()));
        }
        try {
            return Json.parse(answer.body().getBytes());
        } catch (JsonProcessingException _) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    provider + " answered something that is not JSON. " + EmbeddingProvider.LATER);
        }
    }

    private ToolReply.Failed failure(UpstreamResponse answer, String tooMuch) {
        String status = provider + " answered " + answer.status();
        return switch (answer.status()) {
            // Providers repeat parts of the key here.
            case 401, 403 ->
                ToolReply.failed(
                        FailureKind.DENIED_UPSTREAM,
                        status + ": it refuses the gateway's key. The operator has to check apiKey of the embedder.");
            case 429 -> ToolReply.failed(FailureKind.OVERLOADED, status + ": too many requests. Try again later.");
            case 400, 413, 422 ->
                ToolReply.failed(
                        FailureKind.INVALID_ARGUMENT,
                        status + ": " + EngineMessageSanitizer.then(reason(answer), tooMuch));
            default ->
                ToolReply.failed(
                        FailureKind.UNAVAILABLE,
                        status + ": " + EngineMessageSanitizer.then(reason(answer), EmbeddingProvider.LATER));
        };
    }

    /** The provider's error message, shortened and without the key. */
    private String reason(UpstreamResponse answer) {
        JsonNode told = tree(answer);
        JsonNode error = told.path("error");
        String text = error.isTextual() ? error.asText() : error.path("message").asText("");
        if (text.isEmpty()) {
            text = told.path("detail").asText("no reason given");
        }
        for (String secret : key == null ? List.<String>of() : key.known()) {
            text = Secrets.of(List.of(secret)).scrub(text);
            String start = secret.substring(0, Math.min(SHOWN_OF_KEYS, secret.length()));
            text = text.replaceAll(Pattern.quote(start) + "\\S*", "******");
        }
        text = EngineMessageSanitizer.plain(text);
        return text.length() > MAX_REASON ? SurrogatePairs.start(text, MAX_REASON) + "..." : text;
    }

    private static JsonNode tree(UpstreamResponse answer) {
        try {
            return Json.parse(answer.body().getBytes());
        } catch (JsonProcessingException _) {
            return Json.object();
        }
    }
}
