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
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final int STORED_HEADER = 5;
    private static final int MOST_STORED = 0xffff;
    private static final int TRAILER = 8;

    private GzipMember() {}

    /** The file of {@code head}, {@code value} and {@code tail}, as consecutive parts. */
    static List<byte[]> of(byte[] head, SharedJson value, byte[] tail) {
        SharedJson.Compressed compressed = value.compressed();
        List<byte[]> parts = new ArrayList<>();
        parts.add(HEADER);
        store(parts, head, false);
        parts.add(compressed.blocks());
        store(parts, tail, true);
        JoinableCrc32 check = JoinableCrc32.of(head).then(compressed.check()).then(JoinableCrc32.of(tail));
        parts.add(littleEndian(TRAILER)
                .putInt(check.value())
                .putInt(head.length + value.bytes().length + tail.length)
                .array());
        return parts;
    }

    /** Adds {@code bytes} in blocks that are not compressed; at least one, which may be the last of the file. */
    private static void store(List<byte[]> parts, byte[] bytes, boolean last) {
        int from = 0;
        do {
            int length = Math.min(MOST_STORED, bytes.length - from);
            boolean end = from + length == bytes.length;
            parts.add(littleEndian(STORED_HEADER + length)
                    .put((byte) (last && end ? 1 : 0))
                    .putShort((short) length)
                    .putShort((short) ~length)
                    .put(bytes, from, length)
                    .array());
            from += length;
        } while (from < bytes.length);
    }

    private static ByteBuffer littleEndian(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
