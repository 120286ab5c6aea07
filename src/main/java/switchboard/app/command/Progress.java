package switchboard.app.command;

import java.io.Console;
import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows how far long work is: a bar on a terminal, a line for each step elsewhere. */
sealed interface Progress extends AutoCloseable {
    /** One step more is done. */
    void step(String what);

    @Override
    void close();

    /** Progress through {@code steps} steps of {@code task}. */
    static Progress of(String task, int steps, PrintWriter out) {
        @Nullable Console console = System.console();
        return console != null && console.isTerminal() ? new Bar(task, steps) : new Lines(task, steps, out);
    }

    /** For terminals. */
    final class Bar implements Progress {
        private final ProgressBar bar;

        private Bar(String task, int steps) {
            this.bar = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(steps)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(100)
                    .build();
        }

        @Override
        public void step(String what) {
            bar.setExtraMessage(what);
            bar.step();
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    /** For files and pipes. */
    final class Lines implements Progress {
        private final String task;
        private final int steps;
        private final PrintWriter out;
        private int done;

        private Lines(String task, int steps, PrintWriter out) {
            this.task = task;
            this.steps = steps;
            this.out = out;
        }

        @Override
        public void step(String what) {
            done++;
            out.println(task + " " + done + "/" + steps + " " + what);
            out.flush();
        }

        @Override
        public void close() {}
    }
}
