package switchboard.backend.mcp;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The approvals of one server as its file last said them whole. A file that is lost or can't be read changes nothing: what
 * was approved stays approved, and nothing else is. Blocks, but for {@link #failed}; thread-safe.
 */
final class PinsInForce {
    private static final Logger LOG = LoggerFactory.getLogger(PinsInForce.class);

    private final String backend;
    private final PinFile file;
    private PinFile.Pins pins = PinFile.Pins.NONE;
    private Optional<FileTime> written = Optional.empty();
    private Optional<FileTime> changing = Optional.empty();
    private volatile boolean failed;

    PinsInForce(String backend, PinFile file) {
        this.backend = backend;
        this.file = file;
    }

    /** Whether the file as it is can't be used. */
    boolean failed() {
        return failed;
    }

    /** Reads the file for the first time; one that is not there has nothing. */
    synchronized PinFile.Pins open() throws IOException {
        written = file.written();
        pins = file.read();
        return pins;
    }

    /** Whether the file is not as it was left here, and has been the same for two looks. */
    synchronized boolean changed() {
        Optional<FileTime> now = file.written();
        boolean settled = now.equals(changing);
        changing = now;
        return settled && !now.equals(written);
    }

    /** What is in force, with what somebody else has written. */
    synchronized PinFile.Pins current() {
        Optional<FileTime> now = file.written();
        if (now.equals(written)) {
            return pins;
        }
        try {
            if (now.isEmpty()) {
                file.write(pins);
                LOG.warn("{}: the file of its approvals was gone; it has been written again as it was", backend);
                now = file.written();
            } else {
                pins = file.read();
            }
            failed = false;
        } catch (IOException e) {
            failed = true;
            LOG.error("{}: the file of its approvals can't be used; those before stay: {}", backend, e.toString());
        }
        written = now;
        return pins;
    }

    /** Replaces what is in force; a file that can't be used is left to the operator. */
    synchronized void replace(PinFile.Pins decided) throws IOException {
        pins = decided;
        if (!failed) {
            file.write(decided);
            written = file.written();
        }
    }
}
