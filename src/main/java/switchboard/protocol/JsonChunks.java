package switchboard.protocol;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * JSON on its way out, in UTF-8, as parts that follow each other: a large one that many answers have in common is not
 * copied into each. Its arrays must not be changed.
 */
public final class JsonChunks {
    /** No JSON at all. */
    public static final JsonChunks NOTHING = new JsonChunks(List.of());

    private final List<byte[]> parts;
    private final int length;

    private JsonChunks(List<byte[]> parts) {
        this.parts = parts;
        this.length = parts.stream().mapToInt(part -> part.length).sum();
    }

    /** The text that {@code parts} are, one after the other. */
    public static JsonChunks of(byte[]... parts) {
        return new JsonChunks(List.of(parts));
    }

    /** The parts, in order. */
    public List<byte[]> parts() {
        return parts;
    }

    /** How many bytes they have together. */
    public int length() {
        return length;
    }

    /** All of it in one array; copied only where there are several parts. */
    public byte[] bytes() {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        parts.forEach(all::put);
        return all.array();
    }
}
