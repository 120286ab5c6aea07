package switchboard.upstream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * A complete answer of an engine, of any status.
 *
 * @param backend the backend's id, for messages
 * @param status the HTTP status
 * @param contentType the media type without parameters, in lower case, or null
 * @param retryAfterMs the time of {@code Retry-After}, or null
 * @param date the header {@code Date}, or null
 * @param body the bytes; must not be changed
 */
public record UpstreamResponse(
        String backend,
        int status,
        @Nullable String contentType,
        @Nullable Long retryAfterMs,
        @Nullable String date,
        Buffer body) {

    /** Whether the status is a 2xx. */
    public boolean success() {
        return status / 100 == 2;
    }

    /** Whether its content type is JSON. */
    public boolean claimsJson() {
        return contentType != null && (contentType.equals("application/json") || contentType.endsWith("+json"));
    }

    /**
     * The body as JSON.
     *
     * @throws ToolException {@code UNAVAILABLE} if it is not: something else than the engine answered, or the answer
     *     is incomplete
     */
    public JsonNode json() {
        if (!claimsJson()) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    backend + " answered " + status + " with " + described()
                            + " instead of JSON; the operator has to check the configured URL and any proxy in front of it");
        }
        try {
            return Json.parse(body.getBytes());
        } catch (JsonProcessingException _) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    backend + " answered " + status + " with JSON that can't be read; try again, or ask the"
                            + " operator to check any proxy in front of it");
        }
    }

    /** The body as text, whatever it is. */
    public String text() {
        return body.toString(StandardCharsets.UTF_8);
    }

    /** The failure for an unsuccessful status without a message. Backends interpret their engine's messages first. */
    public ToolReply.Failed unexplained() {
        ToolReply.Failed failed =
                switch (status) {
                    case 401, 403, 407 ->
                        new ToolReply.Failed(
                                FailureKind.DENIED_UPSTREAM,
                                backend + " refuses the gateway's credential (" + status
                                        + "); the operator has to check the configured key and its rights");
                    case 404, 405, 410 ->
                        new ToolReply.Failed(
                                FailureKind.UNAVAILABLE,
                                backend + " does not know this operation (" + status
                                        + "); the operator has to check the configured URL and the engine's version");
                    case 413, 414, 431 ->
                        new ToolReply.Failed(
                                FailureKind.INVALID_ARGUMENT,
                                backend + " finds the request too large (" + status + "); send less at a time");
                    case 429 ->
                        new ToolReply.Failed(
                                FailureKind.OVERLOADED, backend + " requires fewer calls (429); wait, then try again");
                    case 503 ->
                        new ToolReply.Failed(
                                FailureKind.UNAVAILABLE, backend + " is not ready (503); wait, then try again");
                    case 504 ->
                        new ToolReply.Failed(
                                FailureKind.TIMEOUT,
                                backend
                                        + " did not answer the proxy in front of it in time (504); try a smaller request");
                    default ->
                        new ToolReply.Failed(
                                FailureKind.UNAVAILABLE,
                                backend + " answered with status " + status + " and no explanation; try again, or ask"
                                        + " the operator to look into the engine's log");
                };
        return retryAfterMs == null ? failed : failed.withRetryAfterMs(retryAfterMs);
    }

    /** Contains sizes and types only, because a body may hold anything. */
    @Override
    public String toString() {
        return "UpstreamResponse[" + backend + " " + status + " " + described() + ", " + body.length() + " bytes]";
    }

    private String described() {
        if (body.length() == 0) {
            return "an empty body";
        }
        String type = contentType == null ? "no content type" : contentType.toLowerCase(Locale.ROOT);
        return type.length() > 80 ? "an unusual content type" : type;
    }
}
