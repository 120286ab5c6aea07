package switchboard.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Encoded JSON in UTF-8 that many answers share, with its compressed form, which is made when it is first asked for. Both are
 * outside of the heap, from where the system sends them without a copy. Thread-safe.
 */
public final class SharedJson {
    /** The least size that is compressed: 8 KiB. Less is sent in a few packets anyway. */
    static final int LEAST_COMPRESSED = 8 * 1024;

    private final ByteBuffer bytes;
    private volatile @Nullable Compressed compressed;

    /**
     * The JSON compressed, as a part of a gzip file.
     *
     * @param blocks blocks of DEFLATE (RFC 1951), of which none is the last and after which a byte begins, so that other blocks may
     *     precede and follow; read-only
     * @param check the checksum of the JSON
     */
    record Compressed(ByteBuffer blocks, JoinableCrc32 check) {}

    /** JSON that is not compressed yet. */
    public SharedJson(byte[] bytes) {
        this.bytes = direct(bytes);
    }

    /** The JSON as it is, not a copy; read-only. Its position must not be changed. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** The number of bytes of the JSON. */
    public int length() {
        return bytes.remaining();
    }

    /** Whether it is large enough to be compressed. */
    boolean compressible() {
        return length() >= LEAST_COMPRESSED;
    }

    /** The compressed form. Making it takes a few milliseconds for 100 KB, once; later it is only read. */
    Compressed compressed() {
        Compressed known = compressed;
        if (known == null) {
            known = new Compressed(
                    direct(blocks()), JoinableCrc32.of(bytes)); // twice, if two threads ask at once: the same bytes
            compressed = known;
        }
        return known;
    }

    private byte[] blocks() {
        try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
            deflater.setInput(bytes.duplicate());
            ByteArrayOutputStream out = new ByteArrayOutputStream(length() / 4);
            byte[] part = new byte[LEAST_COMPRESSED];
            int made;
            do {
                made = deflater.deflate(part, 0, part.length, Deflater.SYNC_FLUSH);
                out.write(part, 0, made);
            } while (made == part.length);
            return out.toByteArray();
        }
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip().asReadOnlyBuffer();
    }
}
