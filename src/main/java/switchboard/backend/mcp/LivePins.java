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
final class LivePins {
    private static final Logger LOG = LoggerFactory.getLogger(LivePins.class);

    private final String backend;
    private final PinFile file;
    private PinFile.Pins pins = PinFile.Pins.NONE;
    private Optional<FileTime> written = Optional.empty();
    private Optional<FileTime> changing = Optional.empty();
    private volatile boolean failed;

    /** Whether something was decided that the file does not say yet. */
    private volatile boolean unsaved;

    /** Whether the log says that it can't be written. */
    private boolean told;

    LivePins(String backend, PinFile file) {
        this.backend = backend;
        this.file = file;
    }

    /** Whether the file as it is can't be used, or can't be written. */
    boolean failed() {
        return failed || unsaved;
    }

    /** Reads the file for the first time; one that is not there has nothing. */
    synchronized PinFile.Pins open() throws IOException {
        written = file.written();
        pins = file.read();
        return pins;
    }

    /** Whether the file is not as it was left here, and has been the same for two looks. */
    synchronized boolean changed() {
        save();
        Optional<FileTime> now = file.written();
        boolean settled = now.equals(changing);
        changing = now;
        return settled && !now.equals(written);
    }

    /** What is in force, with what somebody else has written. */
    synchronized PinFile.Pins current() {
        save();
        Optional<FileTime> now = file.written();
        if (now.equals(written)) {
            return pins;
        }
        try {
            if (now.isEmpty()) {
                LOG.warn("{}: the file of its approvals was gone; it is written again as it was", backend);
                written = now;
                unsaved = true;
                save();
                return pins;
            }
            pins = file.read();
            failed = false;
        } catch (IOException e) {
            failed = true;
            LOG.error("{}: the file of its approvals can't be used; those before stay: {}", backend, e.toString());
        }
        written = now;
        return pins;
    }

    /** Replaces what is in force; a file that can't be used is left to the operator. */
    synchronized void replace(PinFile.Pins decided) {
        pins = decided;
        if (!failed) {
            unsaved = true;
            save();
        }
    }

    /**
     * Writes what is in force where the file does not say it yet. While the disk is full that is tried again at each look.
     * What somebody else has written meanwhile is read instead, and decided about again.
     */
    private void save() {
        if (!unsaved) {
            return;
        }
        if (!file.written().equals(written)) {
            unsaved = false;
            return;
        }
        try {
            file.write(pins);
            unsaved = false;
            failed = false;
            written = file.written();
            changing = written;
            if (told) {
                LOG.info("{}: the file of its approvals has been written", backend);
            }
            told = false;
        } catch (IOException e) {
            if (!told) {
                LOG.warn(
                        "{}: the file of its approvals can't be written ({}); what was decided is in force, and it is"
                                + " tried again",
                        backend,
                        e.toString());
            }
            told = true;
        }
    }
}
