package switchboard.async;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events (WHATWG HTML, section 9.2) from the pieces in which they arrive. A line or an event larger
 * than the bound ends the reading; an event that the stream ends in the middle of is left out. All clients of the gateway
 * read streams with it. Not thread-safe.
 */
public final class SseParser {
    /** An event that is too large. */
    public static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLarge() {
            super("an event is too large", null, false, false);
        }
    }

    /**
     * One event.
     *
     * @param id the last id that was sent so far, or null
     * @param data its lines joined; may be empty
     */
    public record Event(@Nullable String id, String data) {}

    private final int maxBytes;
    private final Consumer<Event> events;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    private final StringBuilder data = new StringBuilder();
    private boolean hasData;
    private boolean afterReturn;
    private boolean first = true;
    private @Nullable String id;
    private @Nullable String lastId;
    private long retryMs = -1;

    /**
     * A parser at the start of a stream.
     *
     * @param maxBytes largest line, and largest event
     * @param events receives each event, in order; {@link #take} throws what it throws
     */
    public SseParser(int maxBytes, Consumer<Event> events) {
        this.maxBytes = maxBytes;
        this.events = events;
    }

    /** The id of the last event that arrived completely, to resume after; null when there is none. */
    @Nullable
    public String lastId() {
        return lastId;
    }

    /** How long the server wants a client to wait before it reconnects, in milliseconds; negative if it did not say. */
    public long retryMs() {
        return retryMs;
    }

    /** The next piece begins another stream, which goes on after {@link #lastId}. */
    public void resumed() {
        line.reset();
        data.setLength(0);
        hasData = false;
        afterReturn = false;
        first = true;
        id = lastId;
    }

    /**
     * Takes the next piece.
     *
     * @throws TooLarge when an event grows too large
     */
    public void take(Buffer piece) {
        for (int i = 0; i < piece.length(); i++) {
            byte b = piece.getByte(i);
            if (b == '\n' && afterReturn) {
                afterReturn = false;
            } else if (b == '\n' || b == '\r') {
                afterReturn = b == '\r';
                endOfLine();
            } else {
                afterReturn = false;
                line.write(b);
                bounded();
            }
        }
    }

    private void endOfLine() {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (first) {
            first = false;
            if (text.startsWith("\uFEFF")) {
                text = text.substring(1);
            }
        }
        if (text.isEmpty()) {
            dispatch();
        } else if (!text.startsWith(":")) {
            int colon = text.indexOf(':');
            String value = colon < 0 ? "" : text.substring(colon + 1);
            field(colon < 0 ? text : text.substring(0, colon), value.startsWith(" ") ? value.substring(1) : value);
        }
    }

    private void field(String name, String value) {
        switch (name) {
            case "data" -> {
                data.append(hasData ? "\n" : "").append(value);
                hasData = true;
                bounded();
            }
            case "id" -> {
                if (value.indexOf('\0') < 0) {
                    id = value;
                }
            }
            case "retry" -> {
                if (value.matches("\\d{1,9}")) {
                    retryMs = Long.parseLong(value);
                }
            }
            default -> {}
        }
    }

    private void dispatch() {
        lastId = id;
        if (hasData) {
            Event event = new Event(lastId, data.toString());
            data.setLength(0);
            hasData = false;
            events.accept(event);
        }
    }

    private void bounded() {
        if (line.size() > maxBytes || data.length() > maxBytes) {
            throw new TooLarge();
        }
    }
}
