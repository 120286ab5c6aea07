package switchboard.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Writes control characters and those that change the direction of text as JSON does, so that what is quoted can't
 * steer the terminal. Line ends and tabs stay. JSON stays the same JSON.
 */
final class PrintableWriter extends Writer {
    private final Writer target;

    private PrintableWriter(Writer target) {
        this.target = target;
    }

    /** Prints on {@code target}; each line is flushed. */
    static PrintWriter on(Writer target) {
        return new PrintWriter(new PrintableWriter(target), true);
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        int end = from + length;
        for (int at = from; at < end; at++) {
            char c = text[at];
            boolean lineEnd = c == '\r' && at + 1 < end && text[at + 1] == '\n';
            if (lineEnd || !steers(c)) {
                target.write(c);
            } else {
                target.write(String.format("\\u%04x", (int) c));
            }
        }
    }

    private static boolean steers(char c) {
        return (Character.isISOControl(c) && c != '\n' && c != '\t')
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }

    @Override
    public void flush() throws IOException {
        target.flush();
    }

    @Override
    public void close() throws IOException {
        target.close();
    }
}
