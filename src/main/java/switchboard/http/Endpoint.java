package switchboard.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import switchboard.protocol.InboundMessage;

/**
 * An address of a view, and what happens to the messages that come there.
 *
 * @param methods what it takes
 * @param handler gets every request that was let in
 */
record Endpoint(List<HttpMethod> methods, Handler handler) {
    /** Hands a request to the protocol. */
    @FunctionalInterface
    interface Handler {
        void hand(HttpServerRequest request, InboundMessage inboundMessage, ReplyChannel reply);
    }
}
