package switchboard.app;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when files have changed, and has them read again. What can't be used is logged and changes nothing. Only {@link
 * #failed} may be asked from any thread.
 */
final class FileWatch {
    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

    private final Supplier<Set<Path>> files;
    private final Reading reading;
    private final String stays;
    private Map<Path, FileStamp> seen;
    private volatile boolean failed;

    /** Puts what files say in force. */
    @FunctionalInterface
    interface Reading {
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
    FileWatch(Supplier<Set<Path>> files, Reading reading, String stays) {
        this.files = files;
        this.reading = reading;
        this.stays = stays;
        this.seen = stamps();
    }

    /** Whether the files as they are can't be used, so that what is in force is older. */
    boolean failed() {
        return failed;
    }

    /** Reads them if they have changed; whether they were put in force. */
    boolean look() {
        return !stamps().equals(seen) && read();
    }

    /** Reads them; whether they were put in force. */
    boolean read() {
        seen = stamps();
        Path first = files.get().iterator().next().getFileName();
        try {
            LOG.info("read {} again: {}", first, reading.read());
            failed = false;
        } catch (BootException e) {
            failed = true;
            LOG.error("{} has changed and can't be used; {} stay: {}", first, stays, e.getMessage());
        }
        // What is read may name other files.
        seen.keySet().retainAll(files.get());
        files.get().forEach(file -> seen.computeIfAbsent(file, FileStamp::of));
        return !failed;
    }

    private Map<Path, FileStamp> stamps() {
        Map<Path, FileStamp> stamps = new HashMap<>();
        files.get().forEach(file -> stamps.put(file, FileStamp.of(file)));
        return stamps;
    }
}
