package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Accepts connections on a port of the loopback address. When {@link #close} returns, the system refuses them:
 * {@link ServerSocket#close} alone returns earlier if a virtual thread is accepting.
 */
final class Listener implements AutoCloseable {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final ServerSocket socket;
    private final Thread accepting;

    /**
     * Starts.
     *
     * @param port 0 for a free one
     * @param taker takes the connections, one after the other; must not block
     */
    Listener(int port, Consumer<Socket> taker) {
        try {
            socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        accepting = Thread.ofVirtual().start(() -> accept(taker));
    }

    private void accept(Consumer<Socket> taker) {
        while (true) {
            try {
                taker.accept(socket.accept());
            } catch (IOException _) {
                return; // closed
            }
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    boolean isClosed() {
        return socket.isClosed();
    }

    /** Waits until no connection is being taken, so hold no lock that this needs. */
    @Override
    public void close() {
        try {
            socket.close();
            if (!accepting.join(LONG)) {
                throw new AssertionError("a connection is still being taken");
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
