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

    /** So many of {@code total} steps are done; {@code total} is 0 while nobody knows. */
    void at(double done, double total, String what);

    @Override
    void close();

    /** Progress through {@code steps} steps of {@code task}; 0 while nobody knows how many. */
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
                    .setInitialMax(steps > 0 ? steps : -1)
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
        public void at(double done, double total, String what) {
            bar.maxHint(total > 0 ? (long) total : -1);
            bar.setExtraMessage(what);
            bar.stepTo((long) done);
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
        private int tenth;

        private Lines(String task, int steps, PrintWriter out) {
            this.task = task;
            this.steps = steps;
            this.out = out;
        }

        @Override
        public void step(String what) {
            done++;
            out.println(task + " " + done + (steps > 0 ? "/" + steps : "") + " " + what);
            out.flush();
        }

        /** A line for each tenth. */
        @Override
        public void at(double done, double total, String what) {
            int next = total > 0 ? (int) (10 * done / total) : 0;
            if (next > tenth || done == 0) {
                tenth = next;
                out.println(task + " " + (int) done + (total > 0 ? "/" + (int) total : "") + " " + what);
                out.flush();
            }
        }

        @Override
        public void close() {}
    }
}
