package switchboard.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * A request to an engine. Immutable.
 *
 * @param method the HTTP method
 * @param path path and query, percent-encoded, relative to the engine's base URL; starts with {@code /}
 * @param body JSON to send, or null
 * @param headers added to the client's own, which they replace if the name is the same
 * @param repeatable whether it may be sent twice: only then is it retried, and only otherwise does a lost connection
 *     leave the outcome unknown
 */
public record UpstreamRequest(
        HttpMethod method, String path, @Nullable Buffer body, Map<String, String> headers, boolean repeatable) {
    public UpstreamRequest {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path must start with /");
        }
        headers = Map.copyOf(headers);
    }

    /** A {@code GET}; repeatable. */
    public static UpstreamRequest get(String path) {
        return new UpstreamRequest(HttpMethod.GET, path, null, Map.of(), true);
    }

    /** A {@code POST} of JSON that changes something: never repeated. */
    public static UpstreamRequest post(String path, JsonNode json) {
        return withBody(HttpMethod.POST, path, json, false);
    }

    /** A {@code POST} of JSON that only reads (a search): repeatable. */
    public static UpstreamRequest query(String path, JsonNode json) {
        return withBody(HttpMethod.POST, path, json, true);
    }

    /** Any method with a JSON body. */
    public static UpstreamRequest withBody(HttpMethod method, String path, JsonNode json, boolean repeatable) {
        return new UpstreamRequest(method, path, Buffer.buffer(Json.bytes(json)), Map.of(), repeatable);
    }

    /** The same with one more header. */
    public UpstreamRequest header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new UpstreamRequest(method, path, body, more, repeatable);
    }

    /**
     * {@code text} as one segment of a path, or one value of a query: everything but RFC 3986's unreserved characters
     * is percent-encoded, so it can neither end the segment nor start a query.
     *
     * @throws IllegalArgumentException for {@code ""}, {@code .} and {@code ..}, which name no segment
     */
    public static String segment(String text) {
        if (text.isEmpty() || text.equals(".") || text.equals("..")) {
            throw new IllegalArgumentException("not a path segment");
        }
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c < 0x80 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
                encoded.append(Character.toUpperCase(Character.forDigit(c & 0xf, 16)));
            }
        }
        return encoded.toString();
    }

    /** Method and path without the query, which may be logged. */
    @Override
    public String toString() {
        int query = path.indexOf('?');
        return method + " " + (query < 0 ? path : path.substring(0, query));
    }
}
