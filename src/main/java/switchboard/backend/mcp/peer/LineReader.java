package switchboard.backend.mcp.peer;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads lines of bounded length, as bytes. Blocks. */
final class LineReader {
    private static final int BUFFER = 64 * 1024;

    private final InputStream in;
    private final int maxBytes;

    LineReader(InputStream in, int maxBytes) {
        this.in = new BufferedInputStream(in, BUFFER);
        this.maxBytes = maxBytes;
    }

    /** The next line without its end, or null after the last; fails when it is too long. */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                return line.toByteArray();
            }
            if (line.size() == maxBytes) {
                throw new IOException("a line is longer than " + maxBytes + " bytes");
            }
            line.write(b);
        }
        return line.size() == 0 ? null : line.toByteArray();
    }
}
