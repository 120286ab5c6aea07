package switchboard.app;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.config.SecretFile;

/** Follows the files of secrets: new connections and requests have the new ones. For one thread at a time. */
final class SecretsWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SecretsWatch.class);

    private final Set<SecretFile> files;

    SecretsWatch(Set<SecretFile> files) {
        this.files = files;
    }

    /** Whether there is one that can't be used, so that what it said before is in force. */
    boolean failed() {
        return files.stream().anyMatch(SecretFile::failed);
    }

    /** Takes what has changed. */
    void look() {
        Map<Path, SecretFile.Look> seen = new TreeMap<>(); // several keys may have the same file
        files.forEach(
                file -> seen.merge(file.path(), file.look(), (one, other) -> one.compareTo(other) > 0 ? one : other));
        seen.forEach((path, look) -> {
            switch (look) {
                case SAME -> {}
                case TAKEN -> LOG.info("read the secret in {} again", path);
                case REFUSED ->
                    LOG.warn(
                            "the secret in {} can't be used: the file is gone, empty, cut or unreadable; the one before"
                                    + " stays",
                            path);
            }
        });
    }
}
