package switchboard.stdio;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Lines of bounded length. Blank ones are left out, and so is a byte order mark, with which some shells begin. */
final class LineReader {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /** What was read. */
    sealed interface ReadResult {
        /** A line that is not blank, without its end. */
        record TextLine(byte[] bytes) implements ReadResult {}

        /** A line that was longer than allowed, and is lost. */
        record TooLong() implements ReadResult {}

        /** There are no more lines. */
        record EndOfInput() implements ReadResult {}
    }

    private final InputStream in;
    private final int limit;

    /** Reads lines of at most {@code limit} bytes from {@code in}. */
    LineReader(InputStream in, int limit) {
        this.in = new BufferedInputStream(in);
        this.limit = limit;
    }

    /** The next line; blocks until there is one. */
    ReadResult next() throws IOException {
        while (true) {
            ReadResult line = read();
            if (!(line instanceof ReadResult.TextLine(byte[] bytes)) || !blank(bytes)) {
                return line;
            }
        }
    }

    private ReadResult read() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        boolean tooLong = false;
        int next = in.read();
        if (next < 0) {
            return new ReadResult.EndOfInput();
        }
        for (; next >= 0 && next != '\n'; next = in.read()) {
            if (line.size() < limit) {
                line.write(next);
            } else {
                tooLong = true;
            }
        }
        return tooLong ? new ReadResult.TooLong() : new ReadResult.TextLine(withoutMark(line.toByteArray()));
    }

    private static byte[] withoutMark(byte[] line) {
        boolean marked = line.length >= BYTE_ORDER_MARK.length
                && java.util.Arrays.equals(line, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
        return marked ? java.util.Arrays.copyOfRange(line, BYTE_ORDER_MARK.length, line.length) : line;
    }

    private static boolean blank(byte[] line) {
        for (byte character : line) {
            if (character != ' ' && character != '\t' && character != '\r') {
                return false;
            }
        }
        return true;
    }
}
