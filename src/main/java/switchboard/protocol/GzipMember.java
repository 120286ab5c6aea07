package switchboard.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A gzip file (RFC 1952) around JSON that is compressed already. What precedes and follows it is stored as it is (RFC 1951, 3.2.4):
 * it is different in each answer, and what a caller sent is never compressed together with what it may read.
 */
final class GzipMember {
    private static final ByteBuffer HEADER =
            ByteBuffer.wrap(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff});
    private static final int STORED_HEADER = 5;
    private static final int MOST_STORED = 0xffff;
    private static final int TRAILER = 8;

    private GzipMember() {}

    /** The file of {@code head}, {@code value} and {@code tail}, as consecutive parts. */
    static List<ByteBuffer> of(ByteBuffer head, SharedJson value, ByteBuffer tail) {
        SharedJson.Compressed compressed = value.compressed();
        List<ByteBuffer> parts = new ArrayList<>();
        parts.add(HEADER);
        store(parts, head, false);
        parts.add(compressed.blocks());
        store(parts, tail, true);
        JoinableCrc32 check = JoinableCrc32.of(head).then(compressed.check()).then(JoinableCrc32.of(tail));
        parts.add(littleEndian(TRAILER)
                .putInt(check.value())
                .putInt(head.remaining() + value.length() + tail.remaining())
                .flip());
        return parts;
    }

    /** Adds {@code bytes} in blocks that are not compressed; at least one, which may be the last of the file. */
    private static void store(List<ByteBuffer> parts, ByteBuffer bytes, boolean last) {
        int from = 0;
        do {
            int length = Math.min(MOST_STORED, bytes.remaining() - from);
            boolean end = from + length == bytes.remaining();
            parts.add(littleEndian(STORED_HEADER + length)
                    .put((byte) (last && end ? 1 : 0))
                    .putShort((short) length)
                    .putShort((short) ~length)
                    .put(bytes.slice(from, length))
                    .flip());
            from += length;
        } while (from < bytes.remaining());
    }

    private static ByteBuffer littleEndian(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
