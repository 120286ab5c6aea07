package switchboard.app;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.app.BootException.Stage;

/**
 * Notices when files have changed, and has them read again. Files count as written when two looks find them the same. What
 * can't be used, and what seems to be only a part of a file, is logged and changes nothing; it is tried again at each look.
 * Only {@link #failed} may be asked from any thread.
 */
final class FileReloader {
    /** For how many looks a file that is the beginning of the one before is taken for one that is being written. */
    static final int PATIENCE = 10;

    private static final Logger LOG = LoggerFactory.getLogger(FileReloader.class);

    private final Supplier<Set<Path>> files;
    private final Apply reading;
    private final String stays;
    private final Map<Path, FileContent> inForce = new HashMap<>();
    private Map<Path, FileVersion> seen;
    private @Nullable Map<Path, FileVersion> changing;
    private String said = "";
    private int tries;
    private volatile boolean failed;

    /** Puts what files say in force. */
    @FunctionalInterface
    interface Apply {
        /**
         * Reads them.
         *
         * @return what there is now, in words
         * @throws BootException with everything that is wrong; what was in force stays
         */
        String read();
    }

    /**
     * A watch that has seen the files as they are.
     *
     * @param files which, as of now; the first is named in the log
     * @param stays what stays in force when they can't be used
     */
    FileReloader(Supplier<Set<Path>> files, Apply reading, String stays) {
        this.files = files;
        this.reading = reading;
        this.stays = stays;
        this.seen = stamps();
        keep();
    }

    /** Whether the files as they are can't be used, so that what is in force is older. */
    boolean failed() {
        return failed;
    }

    /** Reads them if they have changed and are written; whether they were put in force. */
    boolean look() {
        Map<Path, FileVersion> now = stamps();
        if (now.equals(seen)) {
            changing = null;
            return failed && read(PATIENCE);
        }
        if (!now.equals(changing)) {
            changing = now;
            return false;
        }
        tries = 0;
        return read(PATIENCE);
    }

    /** Reads them; whether they were put in force. */
    boolean read() {
        return read(0);
    }

    private boolean read(int patience) {
        seen = stamps();
        changing = null;
        Path first = files.get().iterator().next().getFileName();
        try {
            refuseParts(patience);
            LOG.info("read {} again: {}", first, reading.read());
            failed = false;
            said = "";
            keep();
        } catch (BootException e) {
            failed = true;
            if (!said.equals(e.getMessage())) {
                said = String.valueOf(e.getMessage());
                LOG.error("{} has changed and can't be used; {} stay: {}", first, stays, said);
            }
        }
        // What is read may name other files.
        seen.keySet().retainAll(files.get());
        files.get().forEach(file -> seen.computeIfAbsent(file, FileVersion::of));
        return !failed;
    }

    /** What is missing or can't be read is not for here: the reading says so. */
    private void refuseParts(int patience) {
        boolean waiting = tries++ < patience;
        for (Path file : files.get()) {
            FileContent before = inForce.get(file);
            FileContent now = FileContent.of(file);
            String why = now == null ? null : now.partOf(before, waiting);
            if (why != null) {
                throw new BootException(Stage.CONFIGURATION, List.of(file.getFileName() + " " + why));
            }
        }
    }

    private void keep() {
        tries = 0;
        inForce.clear();
        for (Path file : files.get()) {
            FileContent content = FileContent.of(file);
            if (content != null) {
                inForce.put(file, content);
            }
        }
    }

    private Map<Path, FileVersion> stamps() {
        Map<Path, FileVersion> stamps = new HashMap<>();
        files.get().forEach(file -> stamps.put(file, FileVersion.of(file)));
        return stamps;
    }
}
