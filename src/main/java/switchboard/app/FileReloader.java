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
 * Reloads files when they change. A file counts as written when two checks in a row find it the same. A file that can't
 * be used or looks incomplete is logged, changes nothing, and is tried again at each check. Only {@link #failed} may be
 * called from any thread.
 */
final class FileReloader {
    /**
     * For how many checks a file that is the beginning of the previous one is taken for one that is still being
     * written.
     */
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

    /** Applies what the files contain. */
    @FunctionalInterface
    interface Apply {
        /**
         * Reads and applies the files.
         *
         * @return a description of what is in use now, for the log
         * @throws BootException with every problem; the previous content stays in use
         */
        String read();
    }

    /**
     * Starts from the files as they are now.
     *
     * @param files the files to watch, evaluated at each check; the first is named in the log
     * @param stays what stays in use if the files are not valid, for the log
     */
    FileReloader(Supplier<Set<Path>> files, Apply reading, String stays) {
        this.files = files;
        this.reading = reading;
        this.stays = stays;
        this.seen = stamps();
        keep();
    }

    /** Whether the current files are not valid, so that an older version is in use. */
    boolean failed() {
        return failed;
    }

    /** Reloads the files if they have changed and are completely written. Returns whether they were applied. */
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

    /** Reloads the files. Returns whether they were applied. */
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
        } catch (RuntimeException e) { // a BootException, or a defect: never half of a file, and never silence
            failed = true;
            String problem = String.valueOf(e instanceof BootException ? e.getMessage() : e);
            if (!said.equals(problem)) {
                said = problem;
                LOG.error("{} has changed and can't be used; {} stay in use: {}", first, stays, said);
            }
        }
        // The new content may name other files.
        seen.keySet().retainAll(files.get());
        files.get().forEach(file -> seen.computeIfAbsent(file, FileVersion::of));
        return !failed;
    }

    /** Missing and unreadable files are ignored here: reading them reports that. */
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
