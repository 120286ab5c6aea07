package switchboard.http;

import java.time.Duration;

/**
 * Limits of HTTP exchanges. All are positive.
 *
 * @param maxBodyBytes maximum size of a request body; beyond it 413
 * @param maxHeaderBytes maximum size of all request headers; beyond it 431
 * @param maxConnections maximum number of connections per event loop; further ones are closed at once
 * @param maxPendingBytes maximum number of bytes that wait for a slow reader of a stream; beyond it the stream is cut
 * @param idleTimeout how long a connection may be open without a request under way
 * @param bodyTimeout how long receiving a request body may take; beyond it 408
 * @param writeTimeout how long a reader of a stream may take nothing, and a reader of a JSON answer not all of it,
 *     before it is cut
 * @param heartbeat the pause between comments on a stream
 */
public record HttpLimits(
        int maxBodyBytes,
        int maxHeaderBytes,
        int maxConnections,
        int maxPendingBytes,
        Duration idleTimeout,
        Duration bodyTimeout,
        Duration writeTimeout,
        Duration heartbeat) {
    /** The default limits, as in the shipped configuration. */
    public static final HttpLimits DEFAULT = new HttpLimits(
            4 << 20,
            16 << 10,
            4096,
            1 << 20,
            Duration.ofSeconds(75),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofSeconds(15));

    /** The same with another largest body. */
    public HttpLimits withMaxBodyBytes(int bytes) {
        return new HttpLimits(
                bytes,
                maxHeaderBytes,
                maxConnections,
                maxPendingBytes,
                idleTimeout,
                bodyTimeout,
                writeTimeout,
                heartbeat);
    }
}
