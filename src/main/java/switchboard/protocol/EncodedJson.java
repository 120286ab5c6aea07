package switchboard.protocol;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Encoded JSON in UTF-8, as a list of consecutive parts, so that a large part that many answers share is not copied into each.
 * The arrays must not be changed.
 */
public final class EncodedJson {
    /** Empty. */
    public static final EncodedJson NOTHING = new EncodedJson(List.of());

    private final List<byte[]> parts;
    private final int length;

    private EncodedJson(List<byte[]> parts) {
        this.parts = parts;
        this.length = parts.stream().mapToInt(part -> part.length).sum();
    }

    /** The concatenation of {@code parts}. */
    public static EncodedJson of(byte[]... parts) {
        return new EncodedJson(List.of(parts));
    }

    /** The parts, in order. */
    public List<byte[]> parts() {
        return parts;
    }

    /** Total number of bytes. */
    public int length() {
        return length;
    }

    /** All parts in one array; copied only if there are several. */
    public byte[] bytes() {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        parts.forEach(all::put);
        return all.array();
    }
}
