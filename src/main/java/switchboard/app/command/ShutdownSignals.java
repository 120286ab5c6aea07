package switchboard.app.command;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The end of a process that serves. SIGTERM or Ctrl-C ends it in order, with exit code 0; a second one ends it at once,
 * with {@value #HURRIED}: what was acknowledged is kept, what was under way is not finished.
 */
final class ShutdownSignals {
    /** Exit code of a process that was not given the time to stop in order. */
    static final int HURRIED = 4;

    private static final List<String> SIGNALS = List.of("TERM", "INT");

    private ShutdownSignals() {}

    /** Runs {@code close}, which must bear being called again, before the process ends for whatever reason but a kill. */
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
     * The same for a command that a signal interrupts: it has not done what it was asked to, so its exit code stays that of
     * the signal.
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

    /** Waits for the end of the process. */
    static void await() throws InterruptedException {
        new CountDownLatch(1).await();
    }
}
