package switchboard.app;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.config.SecretFile;

/**
 * Reloads secrets from files, and the certificates of outgoing connections. New connections and requests use the new
 * values. Not thread-safe.
 */
final class SecretReloader {
    private static final Logger LOG = LoggerFactory.getLogger(SecretReloader.class);

    private final Set<SecretFile> files;

    SecretReloader(Set<SecretFile> files) {
        this.files = files;
    }

    /** Whether a file can't be used, so that its previous value stays in use. */
    boolean failed() {
        return files.stream().anyMatch(SecretFile::failed);
    }

    /**
     * Reloads the files that have changed.
     *
     * @param now the current time
     */
    void look(Instant now) {
        Map<Path, SecretFile.ReadResult> seen = new TreeMap<>(); // several settings may name the same file
        files.forEach(file ->
                seen.merge(file.path(), file.look(now), (one, other) -> one.compareTo(other) > 0 ? one : other));
        seen.forEach((path, look) -> {
            switch (look) {
                case SAME -> {}
                case TAKEN -> LOG.info("read {} again", path);
                case REFUSED ->
                    LOG.warn(
                            "{} can't be used: the file is gone, empty, cut, too short or unreadable; the previous value stays in use",
                            path);
            }
        });
    }
}
