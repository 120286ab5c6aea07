package switchboard.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.vertx.core.http.HttpConnection;

/**
 * Tells each stream of an HTTP/2 connection whether it may write, whenever the connection's socket becomes writable or stops being
 * so.
 *
 * <p>Without this, an answer can stay in the gateway until its client gives up. Vert.x asks Netty once, when a stream begins,
 * whether it is writable, and changes that with each notification. Netty notifies all streams only if what it noted of the
 * connection changes. With TLS the event of the socket comes later than the change itself. So of a stream that begins while the
 * socket is full, and whose event comes when there is room again, nobody is notified: for Vert.x it is never writable. An increment of
 * 0 makes Netty compare what it noted of the stream with what is true, and notify (seen with Vert.x 5.0.10 and Netty 4.2.18).
 *
 * <p>Called on the connection's event loop.
 */
final class Http2Writability extends ChannelInboundHandlerAdapter {
    private final Http2ConnectionHandler http2;

    private Http2Writability(Http2ConnectionHandler http2) {
        this.http2 = http2;
    }

    /** Watches {@code connection} if it is one of HTTP/2. */
    static void watch(HttpConnection connection) {
        Http2Streams.with(connection, (http2, context) -> context.pipeline().addLast(new Http2Writability(http2)));
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Http2Exception {
        Http2RemoteFlowController windows = http2.encoder().flowController();
        http2.connection().forEachActiveStream(stream -> {
            windows.incrementWindowSize(stream, 0);
            return true;
        });
        context.fireChannelWritabilityChanged();
    }
}
