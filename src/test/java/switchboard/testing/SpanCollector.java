package switchboard.testing;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** An OpenTelemetry collector that keeps what it gets: OTLP over HTTP, of which it understands spans. */
public final class SpanCollector implements AutoCloseable {
    private static final int VARINT = 0;
    private static final int EIGHT_BYTES = 1;
    private static final int BYTES = 2;
    private static final int FOUR_BYTES = 5;

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();

    /**
     * A span.
     *
     * @param trace in hexadecimal digits
     * @param id the same
     * @param parent the same; empty for none
     * @param attributes strings and numbers as text
     */
    public record Span(String trace, String id, String parent, String name, Map<String, String> attributes) {}

    /** Listens on a free port of the loopback address. */
    public SpanCollector() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        server.createContext("/v1/traces", exchange -> {
            keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("x-key")));
            ByteBuffer request = ByteBuffer.wrap(exchange.getRequestBody().readAllBytes());
            fields(request, (field, resource) -> {
                if (field == 1) {
                    fields(resource, (inResource, scope) -> {
                        if (inResource == 2) {
                            fields(scope, (inScope, span) -> {
                                if (inScope == 2) {
                                    spans.add(span(span));
                                }
                            });
                        }
                    });
                }
            });
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    /** Where spans are taken. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces");
    }

    /** Those that came so far. */
    public List<Span> spans() {
        return List.copyOf(spans);
    }

    /** The header {@code x-key} of each request so far. */
    public List<String> keys() {
        return List.copyOf(keys);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static Span span(ByteBuffer bytes) {
        Map<Integer, ByteBuffer> found = new HashMap<>();
        Map<String, String> attributes = new HashMap<>();
        fields(bytes, (field, value) -> {
            if (field == 9) {
                attribute(value, attributes);
            } else {
                found.put(field, value);
            }
        });
        return new Span(hex(found.get(1)), hex(found.get(2)), hex(found.get(4)), text(found.get(5)), attributes);
    }

    private static void attribute(ByteBuffer bytes, Map<String, String> into) {
        Map<Integer, ByteBuffer> pair = new HashMap<>();
        fields(bytes, pair::put);
        fields(
                pair.get(2),
                (kind, value) -> into.put(
                        text(pair.get(1)),
                        switch (kind) {
                            case 1 -> text(value);
                            case 3 -> Long.toString(varint(value));
                            default -> "?";
                        }));
    }

    /** The fields of a protocol buffer message, each with the bytes of its value. */
    private static void fields(ByteBuffer message, BiConsumer<Integer, ByteBuffer> taker) {
        while (message.hasRemaining()) {
            int tag = (int) varint(message);
            int start = message.position();
            int length =
                    switch (tag & 7) {
                        case VARINT -> {
                            varint(message);
                            int size = message.position() - start;
                            message.position(start);
                            yield size;
                        }
                        case EIGHT_BYTES -> Long.BYTES;
                        case BYTES -> (int) varint(message);
                        case FOUR_BYTES -> Integer.BYTES;
                        default -> throw new AssertionError("wire type of tag " + tag);
                    };
            taker.accept(tag >> 3, message.slice(message.position(), length));
            message.position(message.position() + length);
        }
    }

    private static long varint(ByteBuffer bytes) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = bytes.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static String hex(ByteBuffer bytes) {
        return bytes == null ? "" : HexFormat.of().formatHex(content(bytes));
    }

    private static String text(ByteBuffer bytes) {
        return new String(content(bytes), StandardCharsets.UTF_8);
    }

    private static byte[] content(ByteBuffer bytes) {
        byte[] content = new byte[bytes.remaining()];
        bytes.duplicate().get(content);
        return content;
    }
}
