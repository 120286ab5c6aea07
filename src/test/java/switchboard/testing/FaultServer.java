package switchboard.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine that misbehaves: each request, in order of arrival, meets the next of the given behaviours; the last one
 * stays. Speaks just enough HTTP/1.1 over plain sockets to be wrong at any byte.
 */
public final class FaultServer implements AutoCloseable {
    /** What happens once a request has been read. */
    @FunctionalInterface
    public interface Behaviour {
        /** Answers, or not, on {@code socket}. The connection is kept when this returns normally. */
        void answer(Socket socket) throws IOException;
    }

    private final Listener listener;
    private final List<Behaviour> script;
    private final AtomicInteger next = new AtomicInteger();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Phaser connections = new Phaser(1);

    /** Starts on a free port of the loopback address. */
    public FaultServer(Behaviour... script) {
        this.script = List.of(script);
        this.listener = new Listener(0, this::take);
    }

    /** A complete answer. */
    public static Behaviour reply(int status, String contentType, String body, String... headers) {
        return socket -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Status\r\n");
            head.append("content-type: ").append(contentType).append("\r\n");
            for (String header : headers) {
                head.append(header).append("\r\n");
            }
            head.append("content-length: ").append(bytes.length).append("\r\n\r\n");
            write(socket, head.toString());
            socket.getOutputStream().write(bytes);
        };
    }

    /** A complete 200 with JSON. */
    public static Behaviour json(String body) {
        return reply(200, "application/json", body);
    }

    /** Text as it is, then the connection is closed. */
    public static Behaviour closingAfter(String bytes) {
        return socket -> {
            write(socket, bytes);
            throw new IOException("closed as scripted");
        };
    }

    /** Text as it is, then silence until the other side gives up. */
    public static Behaviour silentAfter(String bytes) {
        return socket -> {
            write(socket, bytes);
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            throw new IOException("given up by the client");
        };
    }

    /** A connection reset. */
    public static Behaviour reset() {
        return socket -> {
            socket.setSoLinger(true, 0);
            throw new IOException("reset as scripted");
        };
    }

    /** Pieces without end, chunked. */
    public static Behaviour endless() {
        return socket -> {
            write(socket, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
            String chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
            while (true) {
                write(socket, chunk);
            }
        };
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
    }

    /** Its URL. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + listener.port());
    }

    /** The bodies of the requests so far, in the same order; {@code ""} where there was none. */
    public List<String> bodies() {
        return List.copyOf(bodies);
    }

    /** The heads of the requests so far, in order of arrival. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Waits until all connections so far are closed. */
    public void awaitNoConnections() {
        connections.arriveAndAwaitAdvance();
    }

    private void take(Socket socket) {
        connections.register();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            String head = head(in);
            while (!head.isEmpty()) {
                String body = body(head, in);
                synchronized (requests) {
                    requests.add(head);
                    bodies.add(body);
                }
                int turn = Math.min(next.getAndIncrement(), script.size() - 1);
                script.get(turn).answer(socket);
                head = head(in);
            }
        } catch (IOException _) {
            // The connection ends here, whoever ended it.
        } finally {
            open.remove(socket);
            connections.arriveAndDeregister();
        }
    }

    /** Reads a request's head; empty at the end of the connection. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                return "";
            }
            head.append((char) c);
        }
        return head.toString();
    }

    private static String body(String head, InputStream in) throws IOException {
        for (String line : head.split("\r\n")) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                return new String(
                        in.readNBytes(Integer.parseInt(line.substring(15).strip())), StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    /** Ends it; when this returns, nobody is answered any more. */
    @Override
    public void close() {
        listener.close();
        try {
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
