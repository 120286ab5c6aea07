package switchboard.console;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import switchboard.concurrent.BlockingExecutor;
import switchboard.files.UploadedFiles;
import switchboard.files.UploadedFiles.UploadedFile;

/** Makes room for files that people upload, outside the event loops. Thread-safe. */
public final class Uploads {
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
        return executor.run(team, () -> false, () -> {
            try {
                return files.reserve(team, name, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Removes a file of {@code team} that did not arrive whole. */
    public Future<UploadedFile> remove(String team, UploadedFile upload) {
        return executor.run(team, () -> false, () -> {
            try {
                files.remove(upload);
                return upload;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
