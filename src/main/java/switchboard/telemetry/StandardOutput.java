package switchboard.telemetry;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Standard output, shared by the log, the audit log and the process itself. Each write stays together, whatever its
 * length. It is never closed.
 */
public final class StandardOutput extends OutputStream {
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

    /** Makes {@link System#out} write through this class. */
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
