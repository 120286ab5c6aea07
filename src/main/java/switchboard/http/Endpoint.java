package switchboard.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import switchboard.protocol.InboundMessage;

/**
 * An HTTP endpoint of a view.
 *
 * @param methods the accepted HTTP methods
 * @param handler handles authenticated requests
 */
record Endpoint(List<HttpMethod> methods, Handler handler) {
    /** Passes a request to the protocol. */
    @FunctionalInterface
    interface Handler {
        void hand(HttpServerRequest request, InboundMessage inboundMessage, ReplyChannel reply);
    }
}
