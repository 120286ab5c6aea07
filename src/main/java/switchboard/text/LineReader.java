package switchboard.text;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads lines of bounded length, as bytes. Skips blank lines and a byte order mark, which some shells write first. Blocks. */
public final class LineReader {
    private static final int BUFFER = 64 * 1024;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /** The result of reading. */
    public sealed interface ReadResult {
        /** A line that is not blank, without its line break. */
        record TextLine(byte[] bytes) implements ReadResult {}

        /** A line that was longer than allowed. Its content is discarded. */
        record TooLong() implements ReadResult {}

        /** The end of the input. */
        record EndOfInput() implements ReadResult {}
    }

    private final InputStream in;
    private final int limit;

    /** Reads lines of at most {@code limit} bytes from {@code in}. */
    public LineReader(InputStream in, int limit) {
        this.in = new BufferedInputStream(in, BUFFER);
        this.limit = limit;
    }

    /** The next line. */
    public ReadResult next() throws IOException {
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
                && Arrays.equals(line, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
        return marked ? Arrays.copyOfRange(line, BYTE_ORDER_MARK.length, line.length) : line;
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
