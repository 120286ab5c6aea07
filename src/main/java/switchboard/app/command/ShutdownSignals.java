package switchboard.app.command;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Shutdown of a process that serves. The first SIGTERM or Ctrl-C stops it in order, with exit code 0. A second one ends
 * it at once with {@value #HURRIED}: what was acknowledged is kept, what is under way is not finished.
 */
final class ShutdownSignals {
    /** Exit code of a process that a second signal ended before it had stopped in order. */
    static final int HURRIED = 4;

    private static final List<String> SIGNALS = List.of("TERM", "INT");

    private ShutdownSignals() {}

    /**
     * Runs {@code close} before the process ends, except when it is killed. {@code close} may be called more than once.
     */
    static void inOrder(Runnable close) {
        before(close);
        AtomicBoolean told = new AtomicBoolean();
        SIGNALS.forEach(name -> OsSignals.on(name, () -> {
            if (told.getAndSet(true)) {
                Runtime.getRuntime().halt(HURRIED);
            }
            System.exit(0);
        }));
    }

    /**
     * The same for a command that a signal interrupts. Its exit code is that of the signal, because its work is not
     * done.
     */
    static void before(Runnable close) {
        Thread last = new Thread(
                () -> {
                    try {
                        close.run();
                    } finally {
                        Logging.end();
                    }
                },
                "shutdown");
        Runtime.getRuntime().addShutdownHook(last);
    }

    /** Blocks until the process ends. */
    static void await() throws InterruptedException {
        new CountDownLatch(1).await();
    }
}
