package switchboard.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** A way to a server on this machine that can be made to hang, to refuse, or to be slow. */
public final class Gate implements AutoCloseable {
    private static final long SLOW_NANOS = 30_000_000;

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Object changed = new Object();
    private State state = State.OPEN;

    /** What it does with bytes. */
    public enum State {
        /** Lets them pass. */
        OPEN,
        /** Takes connections and holds what comes. */
        HANGING,
        /** Ends connections. */
        REFUSING,
        /** Lets each piece of a request wait a little. */
        SLOW
    }

    /** A gate to {@code port} of the loopback address. */
    public Gate(int port) {
        this.target = port;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Where it is entered. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Does otherwise from now on, also on open connections. */
    public void become(State next) {
        synchronized (changed) {
            state = next;
            changed.notifyAll();
        }
        if (next == State.REFUSING) {
            open.forEach(Gate::end);
        }
    }

    private State state() {
        synchronized (changed) {
            return state;
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (state() == State.REFUSING) {
                    end(client);
                } else {
                    Thread.ofVirtual().start(() -> connect(client));
                }
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void connect(Socket client) {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(client);
            open.add(server);
            Thread.ofVirtual().start(() -> pass(server, client, false));
            pass(client, server, true);
        } catch (IOException e) {
            end(client);
        }
    }

    private void pass(Socket from, Socket to, boolean request) {
        byte[] piece = new byte[8192];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                await(request);
                out.write(piece, 0, length);
                out.flush();
            }
        } catch (IOException e) {
            // Either side has gone; so does the other.
        } finally {
            end(from);
            end(to);
        }
    }

    private void await(boolean request) throws IOException {
        if (request && state() == State.SLOW) {
            LockSupport.parkNanos(SLOW_NANOS);
        }
        synchronized (changed) {
            while (state == State.HANGING) {
                try {
                    changed.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException(e);
                }
            }
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    @Override
    public void close() {
        become(State.REFUSING);
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
