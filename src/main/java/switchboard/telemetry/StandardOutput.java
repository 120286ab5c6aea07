package switchboard.telemetry;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Standard output, to which several write: the log, the audit log, the process itself. What one writes at once stands
 * together there, however long it is. It is never closed: it is the process's.
 */
public final class StandardOutput extends OutputStream {
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

    /** Has {@link System#out} write in this way. */
    public static void install() {
        System.setOut(new PrintStream(new StandardOutput(), false, StandardCharsets.UTF_8));
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        synchronized (FileDescriptor.out) { // all streams on it share this
            out.write(bytes, from, length);
        }
    }
}
