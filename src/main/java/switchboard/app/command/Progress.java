package switchboard.app.command;

import java.io.PrintWriter;
import java.util.function.LongSupplier;

/**
 * Shows the progress of long work on standard error: on a terminal as one line that is updated, elsewhere as about ten
 * lines in all.
 */
sealed interface Progress extends AutoCloseable {
    /** One more step is done. */
    void step(String what);

    /** {@code done} of {@code total} steps are done. {@code total} is 0 if it is not known. */
    void at(double done, double total, String what);

    /** The steps done, such as {@code 3 of 10}, or {@code 3} if the total is not known. */
    String soFar();

    /** Ends the display. Nothing is written afterwards. */
    void end();

    @Override
    default void close() {
        end();
    }

    /**
     * Progress of {@code task}.
     *
     * @param steps total number of steps; 0 if not known
     */
    static Progress of(String task, int steps, PrintWriter err) {
        return Terminal.columns()
                .<Progress>map(columns -> new Bar(task, steps, err, columns, System::nanoTime))
                .orElseGet(() -> new Lines(task, steps, err));
    }

    /** A bar, for terminals. */
    final class Bar implements Progress {
        private static final long EVERY = 100_000_000;
        private static final long SECOND = 1_000_000_000;

        /** Percentage of the work before which the remaining time is not estimated. */
        private static final long EARLY = 20;

        /** Returns to the start of the line and clears it. */
        private static final String AGAIN = "\r\033[K";

        private final String task;
        private final PrintWriter err;
        private final LongSupplier nanos;
        private final long began;
        private final Runnable resized;
        private int columns; // this and what follows: guarded by this
        private long done;
        private long total;
        private String what = "";
        private long drawn;
        private boolean shown;
        private boolean over;

        Bar(String task, int steps, PrintWriter err, int columns, LongSupplier nanos) {
            this.task = task;
            this.total = steps;
            this.err = err;
            this.columns = columns;
            this.nanos = nanos;
            began = nanos.getAsLong();
            drawn = began - EVERY;
            resized = OsSignals.on("WINCH", () -> resize(Terminal.asked(columns)));
        }

        /** The terminal now has {@code now} columns. */
        synchronized void resize(int now) {
            columns = now;
        }

        @Override
        public synchronized void step(String what) {
            at(done + 1, total, what);
        }

        @Override
        public synchronized void at(double done, double total, String what) {
            this.done = (long) done;
            this.total = (long) total;
            this.what = what;
            if (nanos.getAsLong() - drawn >= EVERY) {
                draw();
            }
        }

        private void draw() {
            if (!over) {
                shown = true;
                drawn = nanos.getAsLong();
                Long left = EARLY * done > total && total > done && drawn - began > SECOND
                        ? (Long) ((long) ((double) (drawn - began) / done * (total - done)) / SECOND)
                        : null;
                err.print(AGAIN + new ProgressLine(task, done, total, what, left).in(columns));
                err.flush();
            }
        }

        @Override
        public synchronized String soFar() {
            return count(done, total);
        }

        @Override
        public synchronized void end() {
            if (!over) {
                if (shown) {
                    draw();
                    err.println();
                    err.flush();
                }
                over = true;
                resized.run();
            }
        }
    }

    /** For files and pipes: a line for each tenth of the work, or each time that the number of steps doubles. */
    final class Lines implements Progress {
        private final String task;
        private final PrintWriter err;
        private long done; // this and what follows: guarded by this
        private long total;
        private long next = 1;
        private boolean over;

        Lines(String task, int steps, PrintWriter err) {
            this.task = task;
            this.total = steps;
            this.err = err;
        }

        @Override
        public synchronized void step(String what) {
            at(done + 1, total, what);
        }

        @Override
        public synchronized void at(double done, double total, String what) {
            this.done = (long) done;
            this.total = (long) total;
            if (this.done < next || over) {
                return;
            }
            next = this.total > 0
                    ? Math.max(this.done + 1, (10 * this.done / this.total + 1) * this.total / 10)
                    : 2 * this.done;
            err.println(task + " " + this.done + (this.total > 0 ? "/" + this.total : "")
                    + (what.isEmpty() ? "" : " " + what));
            err.flush();
        }

        @Override
        public synchronized String soFar() {
            return count(done, total);
        }

        @Override
        public synchronized void end() {
            over = true;
        }
    }

    private static String count(long done, long total) {
        return total > 0 ? done + " of " + total : Long.toString(done);
    }
}
