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
 * Follows the files of secrets, and of certificates for connections that are made: new connections and requests have the new
 * ones. For one thread at a time.
 */
final class SecretReloader {
    private static final Logger LOG = LoggerFactory.getLogger(SecretReloader.class);

    private final Set<SecretFile> files;

    SecretReloader(Set<SecretFile> files) {
        this.files = files;
    }

    /** Whether there is one that can't be used, so that what it said before is in force. */
    boolean failed() {
        return files.stream().anyMatch(SecretFile::failed);
    }

    /** Takes what has changed; it is {@code now}. */
    void look(Instant now) {
        Map<Path, SecretFile.ReadResult> seen = new TreeMap<>(); // several keys may have the same file
        files.forEach(file ->
                seen.merge(file.path(), file.look(now), (one, other) -> one.compareTo(other) > 0 ? one : other));
        seen.forEach((path, look) -> {
            switch (look) {
                case SAME -> {}
                case TAKEN -> LOG.info("read {} again", path);
                case REFUSED ->
                    LOG.warn(
                            "{} can't be used: the file is gone, empty, cut, too short or unreadable; what it said before stays",
                            path);
            }
        });
    }
}
