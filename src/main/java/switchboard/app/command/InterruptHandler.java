package switchboard.app.command;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Ctrl-C or SIGTERM while a command works. The first signal prints what is done and how to continue, cancels what the
 * command waits for, and lets it end in order. A second one ends it at once. What was acknowledged is kept in both
 * cases. The exit code is that of the signal: 130 for Ctrl-C. Thread-safe.
 */
public final class InterruptHandler implements AutoCloseable {
    private static final int BASE = 128;

    /** The signals that interrupt a command, with their numbers. */
    private enum InterruptSignal {
        INT(2),
        TERM(15);

        private final int number;

        InterruptSignal(int number) {
            this.number = number;
        }
    }

    private final PrintWriter err;
    private final Supplier<String> account;
    private final IntConsumer halt;
    private final List<Runnable> restore;
    private int code; // guarded by this; 0 until there was a signal
    private Runnable waiting = () -> {}; // guarded by this

    private InterruptHandler(PrintWriter err, Supplier<String> account, IntConsumer halt) {
        this.err = err;
        this.account = account;
        this.halt = halt;
        this.restore = List.of(InterruptSignal.values()).stream()
                .map(sign -> OsSignals.on(sign.name(), () -> signalled(BASE + sign.number)))
                .toList();
    }

    /**
     * Listens for signals from now on.
     *
     * @param account what is done and how to continue; written to {@code err} at the first signal
     */
    static InterruptHandler listen(PrintWriter err, Supplier<String> account) {
        return new InterruptHandler(err, account, code -> Runtime.getRuntime().halt(code));
    }

    /** The work of a command. */
    @FunctionalInterface
    interface InterruptibleWork<E extends Exception> {
        /** Does the work. Returns the exit code for the case that no signal comes. */
        int run(InterruptHandler interruption) throws E;
    }

    /**
     * Does {@code work} while listening for signals. Failures after a signal are not reported. Returns the exit code.
     */
    static <E extends Exception> int during(PrintWriter err, Supplier<String> account, InterruptibleWork<E> work)
            throws E {
        try (InterruptHandler interruption = listen(err, account)) {
            try {
                return interruption.code(work.run(interruption));
            } catch (RuntimeException e) {
                if (interruption.interrupted()) {
                    return interruption.code(0);
                }
                throw e;
            }
        }
    }

    /** Ends the process through its shutdown hooks. */
    void exit() {
        new Thread(() -> System.exit(code(0)), "interrupted").start();
    }

    /** For the time before a command starts its work: a signal prints a message and ends the process. */
    public static void beforeTheWork() {
        PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
        InterruptHandler interruption =
                listen(err, () -> "Stopped before it was done. Run the same command to do it from the beginning.");
        interruption.breakOffBy(interruption::exit);
    }

    synchronized void breakOffBy(Runnable breakOff) {
        waiting = breakOff;
    }

    /**
     * Handles a signal.
     *
     * @param exitCode the exit code for it
     */
    void signalled(int exitCode) {
        synchronized (this) {
            if (code != 0) {
                halt.accept(exitCode);
                return;
            }
            code = exitCode;
        }
        err.println(account.get());
        err.println("Stopping in order; press Ctrl-C again to stop at once.");
        err.flush();
        breakOff();
    }

    /** Cancels under the lock, so that it affects what is being waited for now and nothing later. */
    private synchronized void breakOff() {
        waiting.run();
    }

    /** Whether a signal came. */
    synchronized boolean interrupted() {
        return code != 0;
    }

    /** The exit code of a command that ended with {@code usual}. */
    synchronized int code(int usual) {
        return code == 0 ? usual : code;
    }

    /**
     * Waits for {@code work}.
     *
     * @param breakOff cancels the work when a signal comes
     * @throws CancellationException if a signal came
     */
    <T> T waitFor(Runnable breakOff, Supplier<T> work) {
        breakOffBy(breakOff);
        try {
            check();
            T done = work.get();
            check();
            return done;
        } catch (CancellationException e) {
            throw e;
        } catch (RuntimeException e) {
            check();
            throw e;
        } finally {
            breakOffBy(() -> {});
        }
    }

    /**
     * The same for work that ends when its thread is interrupted.
     *
     * @throws CancellationException if a signal came
     */
    <T> T waitFor(Supplier<T> work) {
        Thread worker = Thread.currentThread();
        try {
            return waitFor(worker::interrupt, work);
        } finally {
            if (interrupted()) {
                Thread.interrupted(); // what ends in order afterwards may wait again
            }
        }
    }

    /**
     * Does nothing unless a signal came.
     *
     * @throws CancellationException if one came
     */
    void check() {
        if (interrupted()) {
            throw new CancellationException("interrupted");
        }
    }

    /** Restores the previous signal handlers. */
    @Override
    public void close() {
        restore.forEach(Runnable::run);
    }
}
