package switchboard.call;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;

/**
 * The form of messages between processes: a version, the length, JSON. Both sides must have the same version.
 *
 * @param <T> the messages
 */
public final class WireFormat<T> {
    /** Bytes before the JSON. */
    public static final int HEADER = 1 + Integer.BYTES;

    /** Version of the JSON form; a reader refuses any other. */
    static final byte VERSION = 6;

    private final Class<T> type;
    private final ObjectMapper mapper;

    WireFormat(Class<T> type, ObjectMapper mapper) {
        this.type = type;
        this.mapper = mapper;
    }

    /** The form of {@link BackendCall}, {@link BackendReply} or {@link BackendEvent}. */
    public static <T> WireFormat<T> of(Class<T> type) {
        return new WireFormat<>(type, BusCodecs.wireMapper());
    }

    /** The length of the JSON after the header at {@code position}. */
    public static int length(int position, Buffer buffer) {
        return buffer.getInt(position + 1);
    }

    /** Appends {@code message} to {@code buffer}. */
    public void write(T message, Buffer buffer) {
        try {
            byte[] json = mapper.writerFor(type).writeValueAsBytes(message);
            buffer.appendByte(VERSION).appendInt(json.length).appendBytes(json);
        } catch (IOException e) {
            throw new IllegalStateException("unwritable message " + type.getName(), e);
        }
    }

    /**
     * Reads the message at {@code position}.
     *
     * @throws IllegalStateException if it has another version, or is not a message
     */
    public T read(int position, Buffer buffer) {
        byte version = buffer.getByte(position);
        if (version != VERSION) {
            throw new IllegalStateException("message version " + version + ", expected " + VERSION);
        }
        int start = position + HEADER;
        try {
            return mapper.readValue(buffer.getBytes(start, start + length(position, buffer)), type);
        } catch (IOException e) {
            throw new IllegalStateException("unreadable message " + type.getName(), e);
        }
    }
}
