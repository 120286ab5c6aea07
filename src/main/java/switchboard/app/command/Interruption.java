package switchboard.app.command;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Ctrl-C or SIGTERM while a command works. The first one says what is done and how to go on, breaks off what is being
 * waited for, and lets the command end in order; a second one ends it at once. What was acknowledged is kept in either
 * case. The exit code is that of the signal: 130 for Ctrl-C.
 */
public final class Interruption implements AutoCloseable {
    private static final int BASE = 128;

    /** The signals that mean it, with their numbers. */
    private enum Sign {
        INT(2),
        TERM(15);

        private final int number;

        Sign(int number) {
            this.number = number;
        }
    }

    private final PrintWriter err;
    private final Supplier<String> account;
    private final IntConsumer halt;
    private final List<Runnable> restore;
    private int code; // guarded by this; 0 until there was a signal
    private Runnable waiting = () -> {}; // guarded by this

    private Interruption(PrintWriter err, Supplier<String> account, IntConsumer halt) {
        this.err = err;
        this.account = account;
        this.halt = halt;
        this.restore = List.of(Sign.values()).stream()
                .map(sign -> OsSignals.on(sign.name(), () -> signalled(BASE + sign.number)))
                .toList();
    }

    /** Hears signals from now on; {@code account} is then written to {@code err}: what is done, and how to go on. */
    static Interruption heard(PrintWriter err, Supplier<String> account) {
        return new Interruption(err, account, code -> Runtime.getRuntime().halt(code));
    }

    /** A command's work. */
    @FunctionalInterface
    interface InterruptibleWork<E extends Exception> {
        /** Does it; returns the exit code that it has if nobody interrupts it. */
        int run(Interruption interruption) throws E;
    }

    /** Does {@code work}, and hears signals meanwhile; what fails after one is not told. Returns the exit code. */
    static <E extends Exception> int during(PrintWriter err, Supplier<String> account, InterruptibleWork<E> work)
            throws E {
        try (Interruption interruption = heard(err, account)) {
            try {
                return interruption.code(work.run(interruption));
            } catch (RuntimeException e) {
                if (interruption.told()) {
                    return interruption.code(0);
                }
                throw e;
            }
        }
    }

    /** Ends the process, with all that it does in order before its end. */
    void exit() {
        new Thread(() -> System.exit(code(0)), "interrupted").start();
    }

    /** Has a process that has not begun its work yet say so and end when it is interrupted. */
    public static void beforeTheWork() {
        PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
        Interruption interruption =
                heard(err, () -> "Stopped before it was done. The same command again does it from the beginning.");
        interruption.breakOffBy(interruption::exit);
    }

    synchronized void breakOffBy(Runnable breakOff) {
        waiting = breakOff;
    }

    /** What a signal does; {@code told} is the exit code that it stands for. */
    void signalled(int told) {
        synchronized (this) {
            if (code != 0) {
                halt.accept(told);
                return;
            }
            code = told;
        }
        err.println(account.get());
        err.println("Ending in order; Ctrl-C again ends it at once.");
        err.flush();
        breakOff();
    }

    /** Holding the lock: what is broken off is what is waited for, and not what comes after it. */
    private synchronized void breakOff() {
        waiting.run();
    }

    /** Whether there was a signal. */
    synchronized boolean told() {
        return code != 0;
    }

    /** The exit code of a command that ended with {@code usual}. */
    synchronized int code(int usual) {
        return code == 0 ? usual : code;
    }

    /**
     * Waits for {@code work}, which {@code breakOff} ends early when there is a signal.
     *
     * @throws CancellationException if there was one
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
     * The same for work that an interrupt of its thread ends.
     *
     * @throws CancellationException if there was a signal
     */
    <T> T waitFor(Supplier<T> work) {
        Thread worker = Thread.currentThread();
        try {
            return waitFor(worker::interrupt, work);
        } finally {
            if (told()) {
                Thread.interrupted(); // what ends in order afterwards may wait again
            }
        }
    }

    /**
     * Goes on only if there was no signal.
     *
     * @throws CancellationException if there was one
     */
    void check() {
        if (told()) {
            throw new CancellationException("interrupted");
        }
    }

    /** Gives the signals back the meaning that they had. */
    @Override
    public void close() {
        restore.forEach(Runnable::run);
    }
}
