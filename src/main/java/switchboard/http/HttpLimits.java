package switchboard.http;

import java.time.Duration;

/**
 * Bounds of HTTP exchanges. All are positive.
 *
 * @param maxBodyBytes the largest request body; beyond it 413
 * @param maxHeaderBytes all request headers together; beyond it 431
 * @param maxConnections open connections per event loop; further ones are closed at once
 * @param maxPendingBytes what may wait for a slow reader of a stream; beyond it the stream is cut
 * @param idleTimeout how long a connection may be open without a request under way
 * @param bodyTimeout how long a request body may take; beyond it 408
 * @param writeTimeout how long a reader may take nothing (of a stream) or not all (of a JSON answer) before it is cut
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
    /** The limits of the shipped configuration. */
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
