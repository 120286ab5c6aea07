package switchboard.telemetry;

import java.io.IOException;
import java.util.List;

/** The destination of audit lines. Used by one thread at a time; may block. */
public interface AuditSink {
    /**
     * Appends {@code lines}, each with a line feed at its end. All are written when this returns. If it throws, none
     * should have been written, and the same lines are written again later.
     */
    void write(List<byte[]> lines) throws IOException;

    /** Releases its resources. */
    void close() throws IOException;
}
