package switchboard.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A TCP connection on loopback that stops, or breaks at a certain word, when the test says so. */
public final class WireProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean held;
    private volatile @Nullable Break breaks;

    /** Where a connection is closed: when the client says {@code word}, if it has said {@code before} on it. */
    private record Break(String before, String word, boolean arrives) {}

    /** A proxy on a free port before the server at {@code target}. */
    public WireProxy(int target) {
        this.target = target;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Its port. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Nothing arrives any more, in either direction, and nothing is closed. */
    public void hold() {
        set(true);
    }

    /** What was held arrives. */
    public void release() {
        set(false);
    }

    private void set(boolean now) {
        lock.lock();
        try {
            held = now;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next connection on which the client says {@code word}, after {@code before}, is closed for the client.
     *
     * @param arrives whether the server still gets it
     */
    public void breakAt(String before, String word, boolean arrives) {
        breaks = new Break(before, word, arrives);
    }

    /** Whether what {@link #breakAt} waits for was said. */
    public boolean broke() {
        return breaks == null;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server;
                try {
                    server = new Socket(InetAddress.getLoopbackAddress(), target);
                } catch (IOException away) {
                    client.close(); // the client tries again
                    continue;
                }
                open.add(client);
                open.add(server);
                Thread.ofVirtual().start(() -> pass(client, server, true));
                Thread.ofVirtual().start(() -> pass(server, client, false));
            } catch (IOException e) {
                // closed
            }
        }
    }

    private void pass(Socket from, Socket to, boolean said) {
        byte[] buffer = new byte[1 << 16];
        Break heard = null;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                waitWhileHeld();
                String words = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
                Break wanted = said ? breaks : null;
                heard = wanted != null && words.contains(wanted.before()) ? wanted : heard;
                boolean now = wanted != null && heard == wanted && words.contains(wanted.word());
                if (now) {
                    breaks = null;
                }
                if (!now || wanted.arrives()) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
                if (now) {
                    from.close();
                    to.shutdownOutput();
                    return;
                }
            }
        } catch (IOException | InterruptedException e) {
            // closed
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private void waitWhileHeld() throws InterruptedException {
        lock.lock();
        try {
            while (held) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        release();
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
