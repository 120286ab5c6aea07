package switchboard.protocol;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Encoded JSON in UTF-8, as a list of consecutive parts, so that a large part that many answers share is not copied into each.
 * The parts and their positions must not be changed.
 */
public final class EncodedJson {
    /** Empty. */
    public static final EncodedJson NOTHING = new EncodedJson(List.of(), null);

    private final List<ByteBuffer> parts;
    private final int length;

    /** The second of three parts, if many answers share it and it is large. */
    private final @Nullable SharedJson shared;

    private EncodedJson(List<ByteBuffer> parts, @Nullable SharedJson shared) {
        this.parts = parts;
        this.length = length(parts);
        this.shared = shared;
    }

    /** The concatenation of {@code parts}. */
    public static EncodedJson of(byte[]... parts) {
        return new EncodedJson(Stream.of(parts).map(ByteBuffer::wrap).toList(), null);
    }

    /** The concatenation of {@code head}, {@code value} and {@code tail}. */
    static EncodedJson around(byte[] head, SharedJson value, byte[] tail) {
        return new EncodedJson(
                List.of(ByteBuffer.wrap(head), value.bytes(), ByteBuffer.wrap(tail)),
                value.compressible() ? value : null);
    }

    /** The parts, in order. */
    public List<ByteBuffer> parts() {
        return parts;
    }

    /** Whether there is a compressed form, because a large part is shared. */
    public boolean compressible() {
        return shared != null;
    }

    /** The parts of the whole as a gzip file, in order; those of the JSON itself if it is not {@link #compressible()}. */
    public List<ByteBuffer> gzip() {
        return shared == null ? parts : GzipMember.of(parts.getFirst(), shared, parts.getLast());
    }

    private static int length(List<ByteBuffer> parts) {
        int length = 0;
        for (ByteBuffer part : parts) {
            length += part.remaining();
        }
        return length;
    }

    /** Total number of bytes. */
    public int length() {
        return length;
    }

    /** All parts in one array; copied only if there are several. */
    public byte[] bytes() {
        if (parts.size() == 1 && parts.getFirst().hasArray()) {
            return parts.getFirst().array();
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        parts.forEach(part -> all.put(part.duplicate()));
        return all.array();
    }
}
