package switchboard.app.command;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Shows how far work of several stages is, each with steps of its own. */
final class StagedProgress implements AutoCloseable {
    private final PrintWriter err;
    private String stage = ""; // this and what follows: guarded by this
    private @Nullable Progress progress;

    /** Shows them on {@code err}. */
    StagedProgress(PrintWriter err) {
        this.err = err;
    }

    /** So many of {@code total} steps of {@code stage} are done. */
    synchronized void at(String stage, int done, int total) {
        if (progress == null || !this.stage.equals(stage)) {
            end();
            this.stage = stage;
            progress = Progress.of(stage, total, err);
        }
        progress.at(done, total, "");
    }

    /** The stage that it is in, and how much of that is done. */
    synchronized String soFar() {
        return progress == null ? "nothing is done" : stage + ", " + progress.soFar();
    }

    /** Shows no more of the stage that it is in. */
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
