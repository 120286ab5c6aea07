package switchboard.protocol;

import java.io.ByteArrayOutputStream;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Encoded JSON in UTF-8 that many answers share, with its compressed form, which is made when it is first asked for. The arrays
 * must not be changed. Thread-safe.
 */
public final class SharedJson {
    /** The least size that is compressed: 8 KiB. Less is sent in a few packets anyway. */
    static final int LEAST_COMPRESSED = 8 * 1024;

    private final byte[] bytes;
    private volatile @Nullable Compressed compressed;

    /**
     * The JSON compressed, as a part of a gzip file.
     *
     * @param blocks blocks of DEFLATE (RFC 1951), of which none is the last and after which a byte begins, so that other blocks may
     *     precede and follow
     * @param check the checksum of the JSON
     */
    record Compressed(byte[] blocks, JoinableCrc32 check) {}

    /** JSON that is not compressed yet. */
    public SharedJson(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The JSON as it is, not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    /** Whether it is large enough to be compressed. */
    boolean compressible() {
        return bytes.length >= LEAST_COMPRESSED;
    }

    /** The compressed form. Making it takes a few milliseconds for 100 KB, once; later it is only read. */
    Compressed compressed() {
        Compressed known = compressed;
        if (known == null) {
            known = new Compressed(
                    blocks(), JoinableCrc32.of(bytes)); // twice, if two threads ask at once: the same bytes
            compressed = known;
        }
        return known;
    }

    private byte[] blocks() {
        try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
            deflater.setInput(bytes);
            ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4);
            byte[] part = new byte[LEAST_COMPRESSED];
            int made;
            do {
                made = deflater.deflate(part, 0, part.length, Deflater.SYNC_FLUSH);
                out.write(part, 0, made);
            } while (made == part.length);
            return out.toByteArray();
        }
    }
}
