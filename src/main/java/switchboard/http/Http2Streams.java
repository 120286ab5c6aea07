package switchboard.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.function.BiConsumer;

/** What Vert.x does not offer for streams of HTTP/2, done with Netty. Called on the connection's event loop. */
final class Http2Streams {
    private Http2Streams() {}

    /** Gives {@code action} Netty's handler of {@code connection} and its context, if the connection is one of HTTP/2. */
    static void with(HttpConnection connection, BiConsumer<Http2ConnectionHandler, ChannelHandlerContext> action) {
        if (connection instanceof HttpServerConnection server
                && server.channelHandlerContext().handler() instanceof Http2ConnectionHandler http2) {
            action.accept(http2, server.channelHandlerContext());
        }
    }

    /** Ends the exchange of {@code request}, whose reader is too slow, but no other one of an HTTP/2 connection. */
    static void endExchange(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            cancel(request);
        } else {
            request.connection().close();
        }
    }

    /**
     * Resets the stream of {@code request}, and no other of its connection (RFC 9113, section 5.4.2), even if its answer
     * has been handed over completely and waits for the reader's window. A reset by the response does nothing then (seen
     * with Vert.x 5.0.10), so the stream and its answer would stay as long as the connection.
     */
    static void cancel(HttpServerRequest request) {
        with(request.connection(), (http2, context) -> {
            http2.resetStream(context, request.response().streamId(), Http2Error.CANCEL.code(), context.newPromise());
            http2.flush(context);
        });
    }
}
