package switchboard.app.command;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Shows the progress of work that has several stages, each with its own number of steps. Thread-safe. */
final class StagedProgress implements AutoCloseable {
    private final PrintWriter err;
    private String stage = ""; // this and what follows: guarded by this
    private @Nullable Progress progress;

    /** Writes to {@code err}. */
    StagedProgress(PrintWriter err) {
        this.err = err;
    }

    /** {@code done} of {@code total} steps of {@code stage} are done. */
    synchronized void at(String stage, int done, int total) {
        if (progress == null || !this.stage.equals(stage)) {
            end();
            this.stage = stage;
            progress = Progress.of(stage, total, err);
        }
        progress.at(done, total, "");
    }

    /** The current stage, and how much of it is done. */
    synchronized String soFar() {
        return progress == null ? "nothing is done" : stage + ", " + progress.soFar();
    }

    /** Ends the display of the current stage. */
    synchronized void end() {
        if (progress != null) {
            progress.end();
        }
    }

    @Override
    public void close() {
        end();
    }
}
