package switchboard.app;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.auth.TeamBudgets;
import switchboard.call.DiskError;
import switchboard.concurrent.BlockingExecutor;
import switchboard.files.LockFile;
import switchboard.files.PrivateFiles;
import switchboard.protocol.McpEndpoint;
import switchboard.telemetry.OutageLog;

/**
 * Keeps what a restarted process goes on with, in the folder {@code state} of the data folder: legacy sessions, and what
 * teams have used of their limits. What has changed is written twice a second and at the end, so a process that is killed
 * loses half a second of it. Of several processes on a data folder the first one does this. Thread-safe.
 */
final class SavedState {
    private static final Logger LOG = LoggerFactory.getLogger(SavedState.class);
    private static final String FOLDER = "state";
    private static final long PERIOD_MS = 500;

    /** After a save that took long, the pause is this many times as long. */
    private static final int PAUSE_FACTOR = 20;

    private final Path folder;
    private final List<StateFile> files;
    private final BlockingExecutor executor;
    private final OutageLog outage;
    private @Nullable LockFile lock;
    private volatile boolean closed;

    /** The state of {@code endpoint} and {@code budgets} in the data folder {@code data}. */
    SavedState(Path data, McpEndpoint endpoint, TeamBudgets budgets, Platform platform) {
        this.folder = data.resolve(FOLDER);
        this.files = List.of(
                new StateFile(folder.resolve("sessions.json"), endpoint::saveSessions, endpoint::restoreSessions),
                new StateFile(folder.resolve("budgets.json"), budgets::save, budgets::restore));
        this.executor = platform.executor("state", 1);
        this.outage = new OutageLog(LOG, "saving of sessions and of used limits", platform.clock());
    }

    /**
     * Takes over what an earlier process has saved. Blocks. If another process saves its own state in this folder, this
     * one's is not saved.
     */
    synchronized void restore() {
        try {
            PrivateFiles.folders(folder);
            lock = LockFile.take(folder.resolve("lock")).orElse(null);
            if (lock == null) {
                LOG.info(
                        "sessions and used limits end with this process, because another one saves its own in {}",
                        folder);
                return;
            }
            for (StateFile file : files) {
                file.restore();
            }
        } catch (IOException e) {
            outage.begins(reason(e));
        }
    }

    /** Saves from now on, until {@link #close}. */
    void watch(Vertx vertx) {
        saveAfter(PERIOD_MS, vertx);
    }

    private void saveAfter(long pauseMs, Vertx vertx) {
        if (!closed) {
            vertx.setTimer(
                    pauseMs,
                    _ -> Futures.finish(
                            executor.run(this::save),
                            pause -> saveAfter(pause, vertx),
                            _ -> saveAfter(PERIOD_MS, vertx)));
        }
    }

    /** Writes what has changed; returns the pause before the next time, in milliseconds. */
    private synchronized long save() {
        if (lock == null || closed) {
            return PERIOD_MS;
        }
        long began = System.nanoTime();
        try {
            for (StateFile file : files) {
                file.save();
            }
            outage.ends();
        } catch (IOException e) {
            outage.begins(reason(e));
        }
        return Math.max(PERIOD_MS, PAUSE_FACTOR * TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    /** Saves for the last time, and lets another process do it. Blocks. */
    synchronized void close() {
        var _ = save();
        closed = true;
        LockFile held = lock;
        lock = null;
        try {
            if (held != null) {
                held.close();
            }
        } catch (IOException e) {
            LOG.warn("can't release the lock in {}: {}", folder, e.toString());
        }
    }

    private static String reason(IOException e) {
        return DiskError.in(e).map(DiskError::problem).orElseGet(() -> e.getClass()
                .getSimpleName());
    }
}
