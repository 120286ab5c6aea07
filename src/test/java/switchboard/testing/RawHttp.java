package switchboard.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A socket that says to an HTTP server whatever a test wants to say. Reads give up after a while instead of hanging. */
public final class RawHttp implements AutoCloseable {
    private static final int PATIENCE_MS = 120_000;

    private final Socket socket = new Socket();
    private final Received seen = new Received();

    /** Connects to {@code port} on loopback. */
    public RawHttp(int port) {
        this(port, 0);
    }

    /** The same with a small buffer for what comes in, so that a reader who does not read is soon noticed. */
    public RawHttp(int port, int receiveBuffer) {
        try {
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.setSoTimeout(PATIENCE_MS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends {@code text}; a line break in it is CR LF on the wire. */
    public RawHttp send(String text) {
        return sendRaw(text.replace("\n", "\r\n"));
    }

    /** Sends {@code text} as it is. */
    public RawHttp sendRaw(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
        } catch (IOException e) {
            // The server may have hung up already; what it said is still to be read.
            return this;
        }
        return this;
    }

    /** Sends a GET of {@code path} with further header lines, each ended by a line break. */
    public RawHttp get(String path, String headers) {
        return send("GET " + path + " HTTP/1.1\nHost: 127.0.0.1:" + socket.getPort() + "\n" + headers + "\n");
    }

    /** Sends a POST of JSON. */
    public RawHttp post(String path, String headers, String body) {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return send("POST " + path + " HTTP/1.1\nHost: 127.0.0.1:" + socket.getPort()
                + "\nContent-Type: application/json\nContent-Length: " + length + "\n" + headers + "\n" + body);
    }

    /** Everything that came so far, once it contains {@code text}. What keeps a connection alive does not keep this waiting. */
    public String readUntil(String text) {
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        long start = System.nanoTime();
        int from = 0;
        while (!seen.since(from).contains(text)) {
            from = Math.max(0, seen.size() - length);
            if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS)) {
                throw new AssertionError("\"" + text + "\" did not come: " + seen());
            }
            if (readSome() < 0) {
                throw new AssertionError("closed before \"" + text + "\" came: " + seen());
            }
        }
        return seen();
    }

    /** Everything that comes until the server closes the connection. */
    public String readAll() {
        while (readSome() >= 0) {
            // goes on
        }
        return seen();
    }

    /** The status of the first response. */
    public int status() {
        return Integer.parseInt(readUntil("\r\n").substring(9, 12));
    }

    /** Hangs up without a goodbye. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        close();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String seen() {
        return seen.toString(StandardCharsets.UTF_8);
    }

    private int readSome() {
        try {
            InputStream in = socket.getInputStream();
            byte[] chunk = new byte[1 << 16];
            int count = in.read(chunk);
            if (count > 0) {
                seen.write(chunk, 0, count);
            }
            return count;
        } catch (SocketTimeoutException e) {
            throw new AssertionError("nothing more came; so far: " + seen(), e);
        } catch (IOException e) {
            return -1;
        }
    }

    /** All bytes so far. */
    private static final class Received extends ByteArrayOutputStream {
        /** Those from {@code start} on; the first of them may be the middle of a character. */
        String since(int start) {
            return new String(buf, start, count - start, StandardCharsets.UTF_8);
        }
    }
}
