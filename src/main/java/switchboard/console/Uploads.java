package switchboard.console;

import io.vertx.core.Future;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.concurrent.BlockingExecutor;
import switchboard.files.UploadedFiles;
import switchboard.files.UploadedFiles.UploadedFile;

/** Makes room for files that people upload, outside the event loops. Thread-safe. */
public final class Uploads {
    private static final Logger LOG = LoggerFactory.getLogger(Uploads.class);

    private final UploadedFiles files;
    private final BlockingExecutor executor;

    /**
     * Room among {@code files}.
     *
     * @param executor does the work; one piece at a time, so that two uploads don't take the same room
     */
    public Uploads(UploadedFiles files, BlockingExecutor executor) {
        this.files = files;
        this.executor = executor;
    }

    /** Room for a file of {@code team}; empty if there is none. */
    public Future<Optional<UploadedFile>> reserve(String team, String name, long bytes) {
        return executor.run(team, () -> false, () -> files.reserve(team, name, bytes));
    }

    /** Removes a file of {@code team}, if it is still there; whether it was. */
    public Future<Boolean> remove(String team, String reference) {
        return executor.run(team, () -> false, () -> {
            Optional<UploadedFile> upload = files.find(team, reference);
            if (upload.isPresent()) {
                files.remove(upload.get());
            }
            return upload.isPresent();
        });
    }

    /** Removes the files of all teams that are kept no longer; a failure is logged. */
    public void sweep() {
        Futures.finish(
                executor.run(() -> {
                    files.sweep();
                    return true;
                }),
                _ -> {},
                failure -> LOG.warn("old uploads could not be removed: {}", failure.toString()));
    }
}
