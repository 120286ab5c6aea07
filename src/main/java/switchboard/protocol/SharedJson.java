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
    private volatile byte @Nullable [] blocks;

    /** JSON that is not compressed yet. */
    public SharedJson(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The JSON. */
    public byte[] bytes() {
        return bytes;
    }

    /** Whether it is large enough to be compressed. */
    boolean compressible() {
        return bytes.length >= LEAST_COMPRESSED;
    }

    /**
     * The JSON as blocks of DEFLATE (RFC 1951), of which none is the last and after which a byte begins, so that other blocks may
     * precede and follow.
     */
    byte[] blocks() {
        byte[] known = blocks;
        if (known == null) {
            known = compressed(); // twice, if two threads ask at once: the same bytes
            blocks = known;
        }
        return known;
    }

    private byte[] compressed() {
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
