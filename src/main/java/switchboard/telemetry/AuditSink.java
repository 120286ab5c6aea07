package switchboard.telemetry;

import java.io.IOException;
import java.util.List;

/** Where lines of the audit log end up. Used on one thread at a time; may block. */
public interface AuditSink {
    /**
     * Appends {@code lines}, each ending in a line feed. All of them are there when this returns; when it throws, none
     * should be, and the same lines come again later.
     */
    void write(List<byte[]> lines) throws IOException;

    /** Gives up what it holds. */
    void close() throws IOException;
}
