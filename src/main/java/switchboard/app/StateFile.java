package switchboard.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.files.PrivateFiles;

/** A file with the state of one component. Not thread-safe; blocks. */
final class StateFile {
    private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);

    /** Twice what is written at most. */
    private static final long LARGEST = 64L << 20;

    private final Path path;
    private final Supplier<byte[]> state;
    private final Consumer<byte[]> restore;

    private boolean restored;

    /** What the file contains, or null if that is not known. */
    private byte @Nullable [] written;

    /**
     * A file.
     *
     * @param state the component's state now; empty if there is none
     * @param restore takes a state over; throws a {@link RuntimeException} if it can't be read
     */
    StateFile(Path path, Supplier<byte[]> state, Consumer<byte[]> restore) {
        this.path = path;
        this.state = state;
        this.restore = restore;
    }

    /** Takes over, once, what an earlier process has written. A damaged file is logged, and kept under another name. */
    void restore() throws IOException {
        if (restored) {
            return;
        }
        try {
            if (Files.size(path) > LARGEST) {
                throw new IllegalArgumentException("it is too large");
            }
            restore.accept(Files.readAllBytes(path));
        } catch (NoSuchFileException _) {
            LOG.debug("there is no {}", path);
        } catch (RuntimeException e) { // whatever a damaged file leads to
            Path aside = PrivateFiles.setAside(path);
            LOG.warn("{} can't be read and is now {}: {}", path, aside.getFileName(), e.getMessage());
        }
        restored = true;
    }

    /** Writes the state if it has changed, but never over one that could not be taken over. */
    void save() throws IOException {
        restore();
        byte[] now = state.get();
        if (written != null && Arrays.equals(now, written)) {
            return;
        }
        if (now.length == 0) {
            Files.deleteIfExists(path);
        } else {
            PrivateFiles.replace(path, now);
        }
        written = now;
    }
}
