package switchboard.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PublicUrl;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.McpEndpoint;

/**
 * The HTTP endpoints of a view: one for Streamable HTTP, and two for the HTTP+SSE transport of 2024-11-05 (a stream,
 * and an address to post to).
 */
final class McpEndpoints {
    private static final String SESSION = "sessionId";
    private static final String ENDPOINT = "/mcp";

    private final McpEndpoint endpoint;
    private final String prefix;

    /** The endpoints in front of {@code endpoint}, with {@code publicUrl} as callers see it. */
    McpEndpoints(McpEndpoint endpoint, @Nullable URI publicUrl) {
        this.endpoint = endpoint;
        this.prefix = publicUrl == null ? "" : PublicUrl.of(publicUrl).prefix();
    }

    /** Streamable HTTP. */
    Endpoint streamable() {
        return new Endpoint(List.of(HttpMethod.POST, HttpMethod.GET, HttpMethod.DELETE), this::streamable);
    }

    /** The stream of HTTP+SSE. */
    Endpoint stream() {
        return new Endpoint(
                List.of(HttpMethod.GET),
                (request, inboundMessage, reply) -> endpoint.openPair(
                        inboundMessage, id -> reply.announce(messages(inboundMessage.view(), id)), reply));
    }

    /** The address that messages of HTTP+SSE are posted to. */
    Endpoint messages() {
        return new Endpoint(
                List.of(HttpMethod.POST),
                (request, inboundMessage, reply) -> endpoint.postPair(inboundMessage, session(request), reply));
    }

    private void streamable(HttpServerRequest request, InboundMessage inboundMessage, ReplyChannel reply) {
        switch (request.method().name()) {
            case "POST" -> endpoint.post(inboundMessage, reply);
            case "GET" -> endpoint.get(inboundMessage, reply);
            default -> endpoint.delete(inboundMessage, reply);
        }
    }

    /**
     * An absolute path, because some clients resolve it against the host and others against the address of the stream.
     */
    private String messages(String view, String id) {
        return prefix + (view.isEmpty() ? "" : ENDPOINT + "/" + view) + "/messages?" + SESSION + "=" + id;
    }

    private static String session(HttpServerRequest request) {
        String id = request.getParam(SESSION);
        return id == null ? "" : id;
    }
}
