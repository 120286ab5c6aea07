package switchboard.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.protocol.Inbound;
import switchboard.protocol.McpEndpoint;

/**
 * The addresses of a view: the endpoint of Streamable HTTP, and the two of the HTTP+SSE transport of 2024-11-05, a stream
 * to read and a place to post.
 */
final class Places {
    private static final String SESSION = "sessionId";
    private static final String ENDPOINT = "/mcp";

    private final McpEndpoint endpoint;
    private final String prefix;

    /** The addresses in front of {@code endpoint}, as callers see them at {@code publicUrl}. */
    Places(McpEndpoint endpoint, @Nullable URI publicUrl) {
        this.endpoint = endpoint;
        this.prefix = publicUrl == null ? "" : prefix(publicUrl.getRawPath());
    }

    /** Streamable HTTP. */
    Place streamable() {
        return new Place(List.of(HttpMethod.POST, HttpMethod.GET, HttpMethod.DELETE), this::streamable);
    }

    /** The stream of HTTP+SSE. */
    Place stream() {
        return new Place(
                List.of(HttpMethod.GET),
                (request, inbound, reply) ->
                        endpoint.openPair(inbound, id -> reply.announce(messages(inbound.view(), id)), reply));
    }

    /** Where the messages of HTTP+SSE are posted. */
    Place messages() {
        return new Place(
                List.of(HttpMethod.POST),
                (request, inbound, reply) -> endpoint.postPair(inbound, session(request), reply));
    }

    private void streamable(HttpServerRequest request, Inbound inbound, ReplyChannel reply) {
        switch (request.method().name()) {
            case "POST" -> endpoint.post(inbound, reply);
            case "GET" -> endpoint.get(inbound, reply);
            default -> endpoint.delete(inbound, reply);
        }
    }

    /** An absolute path: some clients resolve it against the host, others against the address of the stream. */
    private String messages(String view, String id) {
        return prefix + (view.isEmpty() ? "" : ENDPOINT + "/" + view) + "/messages?" + SESSION + "=" + id;
    }

    private static String session(HttpServerRequest request) {
        String id = request.getParam(SESSION);
        return id == null ? "" : id;
    }

    /** What a proxy takes away from the path; the public URL may name the endpoint or what is before it. */
    private static String prefix(@Nullable String path) {
        String before = path == null ? "" : path;
        while (before.endsWith("/")) {
            before = before.substring(0, before.length() - 1);
        }
        return before.endsWith(ENDPOINT) ? before.substring(0, before.length() - ENDPOINT.length()) : before;
    }
}
