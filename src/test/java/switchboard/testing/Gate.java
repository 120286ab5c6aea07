package switchboard.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A way to a server on this machine that can be made to hang, to refuse, to lie, to be slow, or to go. */
public final class Gate implements AutoCloseable {
    private static final Duration SLOW = Duration.ofMillis(30);

    /** What is no answer to anything in any protocol that passes here, and what is only well formed. */
    private static final byte[][] LIES = {
        "SSH-2.0-OpenSSH_9.6\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 16\r\n\r\n{\"answer\": \"42\"}"
                .getBytes(StandardCharsets.US_ASCII),
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{\"results\":["
                .getBytes(StandardCharsets.US_ASCII)
    };

    private final int port;
    private final int target;
    private final long slowNanos;
    private final AtomicInteger lies = new AtomicInteger();
    private volatile Listener listener;
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
        SLOW,
        /** Answers itself, and wrongly. */
        LYING,
        /** Nobody listens, as after a kill. */
        GONE
    }

    /** A gate to {@code port} of the loopback address. */
    public Gate(int port) {
        this(port, SLOW);
    }

    /** The same that lets each piece of a request wait for {@code slow} when it is slow. */
    public Gate(int port, Duration slow) {
        this.target = port;
        this.slowNanos = slow.toNanos();
        this.listener = new Listener(0, this::take);
        this.port = listener.port();
    }

    /** Where it is entered. */
    public int port() {
        return port;
    }

    /** Does otherwise, also on open connections; when this returns, it does. */
    public synchronized void become(State next) {
        synchronized (changed) {
            state = next;
            changed.notifyAll();
            if (next == State.REFUSING || next == State.GONE) {
                open.forEach(Gate::end);
            }
        }
        switch (next) {
            case GONE -> listener.close();
            case OPEN, HANGING, REFUSING, SLOW, LYING -> {
                if (listener.isClosed()) {
                    listener = new Listener(port, this::take);
                }
            }
        }
    }

    private State state() {
        synchronized (changed) {
            return state;
        }
    }

    private void take(Socket client) {
        if (state() == State.REFUSING || state() == State.GONE) {
            end(client);
        } else {
            Thread.ofVirtual().start(() -> connect(client));
        }
    }

    private void connect(Socket client) {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            if (!opened(client, server)) {
                return;
            }
            Thread.ofVirtual().start(() -> pass(server, client, false));
            pass(client, server, true);
        } catch (IOException e) {
            end(client);
        }
    }

    /** Whoever was on the way in when it closed is not let in. */
    private boolean opened(Socket client, Socket server) {
        synchronized (changed) {
            if (state == State.REFUSING || state == State.GONE) {
                end(client);
                end(server);
                return false;
            }
            open.add(client);
            open.add(server);
            return true;
        }
    }

    private void pass(Socket from, Socket to, boolean request) {
        byte[] piece = new byte[8192];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                await(request);
                if (state() == State.LYING && !request) {
                    out.write(LIES[Math.floorMod(lies.getAndIncrement(), LIES.length)]);
                    return;
                }
                out.write(piece, 0, length);
                out.flush();
            }
        } catch (IOException e) {
            // Either side has gone; so does the other.
        } finally {
            end(from);
            end(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private void await(boolean request) throws IOException {
        if (request && state() == State.SLOW) {
            LockSupport.parkNanos(slowNanos);
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

    private static void end(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    @Override
    public void close() {
        become(State.GONE);
    }
}
