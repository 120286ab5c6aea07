package switchboard.app;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.DiskError;
import switchboard.concurrent.BlockingExecutor;
import switchboard.files.LockFile;
import switchboard.files.PrivateFiles;
import switchboard.telemetry.OutageLog;

/**
 * Keeps what a restarted process goes on with, in a folder of the data folder. What has changed is written now and then, less
 * often where that takes long, and at the end. Of several processes on a data folder one does this; another takes over if it
 * is gone for longer than a restart takes. Thread-safe.
 */
final class SavedState {
    private static final Logger LOG = LoggerFactory.getLogger(SavedState.class);

    /** After a save that took long, the pause is this many times as long. */
    private static final int PAUSE_FACTOR = 20;

    /** How often the process that saves sets the time of the lock file, so that others know that it runs. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** After this time without a heartbeat that was due, another process takes over: longer than a restart takes. */
    private static final Duration STALE_AFTER = Duration.ofMinutes(1);

    private final Path folder;
    private final String what;
    private final long periodMs;
    private final Path lockFile;
    private final Clock clock;
    private final List<StateFile> files;
    private final BlockingExecutor executor;
    private final OutageLog outage;
    private @Nullable LockFile lock;
    private volatile boolean open;

    /**
     * State in {@code folder}.
     *
     * @param what what that is, for people who read the log
     * @param period how often what has changed is written
     * @param executor writes, one piece of work at a time
     */
    SavedState(
            Path folder, String what, Duration period, List<StateFile> files, BlockingExecutor executor, Clock clock) {
        this.folder = folder;
        this.what = what;
        this.periodMs = period.toMillis();
        this.lockFile = folder.resolve("lock");
        this.clock = clock;
        this.files = List.copyOf(files);
        this.executor = executor;
        this.outage = new OutageLog(LOG, "the folder for " + what, clock);
    }

    /**
     * Takes over what an earlier process has saved. Blocks. If another process saves its own state in this folder, this
     * one takes over once that one has given no heartbeat for some time.
     */
    synchronized void restore() {
        open = true;
        if (attempt(this::takeOver) && lock == null) {
            LOG.info(
                    "another process saves {} in {}; this one does once that one has been silent for {} s",
                    what,
                    folder,
                    STALE_AFTER.plusMillis(periodMs).toSeconds());
        }
    }

    private void takeOver() throws IOException {
        PrivateFiles.folders(folder);
        lock = LockFile.take(lockFile).orElse(null);
        if (lock != null) {
            Files.setLastModifiedTime(lockFile, FileTime.from(clock.instant()));
            for (StateFile file : files) {
                var _ = attempt(file::restore);
            }
        }
    }

    private void takeOverIfStale() throws IOException {
        if (!Files.exists(lockFile) || sinceHeartbeat().minusMillis(periodMs).compareTo(STALE_AFTER) > 0) {
            takeOver();
        }
    }

    private void heartbeat() throws IOException {
        if (sinceHeartbeat().abs().compareTo(HEARTBEAT) > 0) {
            Files.setLastModifiedTime(lockFile, FileTime.from(clock.instant()));
        }
    }

    private Duration sinceHeartbeat() throws IOException {
        return Duration.between(Files.getLastModifiedTime(lockFile).toInstant(), clock.instant());
    }

    /** A step that reads or writes files. */
    private interface Step {
        void run() throws IOException;
    }

    /** Whether {@code step} succeeded. Its failure is logged, and keeps no other step from being made. */
    private boolean attempt(Step step) {
        try {
            step.run();
            return true;
        } catch (IOException e) {
            outage.begins(DiskError.problem(e));
        } catch (RuntimeException e) { // a defect, which must not keep a gateway from stopping
            LOG.debug("{} can't be saved", what, e);
            outage.begins(e.toString());
        }
        return false;
    }

    /** Saves from now on, until {@link #close}. */
    void watch(Vertx vertx) {
        saveAfter(periodMs, vertx);
    }

    private void saveAfter(long pauseMs, Vertx vertx) {
        if (open) {
            vertx.setTimer(
                    pauseMs,
                    _ -> Futures.finish(
                            executor.run(this::save),
                            pause -> saveAfter(pause, vertx),
                            _ -> saveAfter(periodMs, vertx)));
        }
    }

    /** Writes what has changed; returns the pause before the next time, in milliseconds. */
    private synchronized long save() {
        if (!open) {
            return periodMs;
        }
        long began = System.nanoTime();
        boolean saved = lock != null || attempt(this::takeOverIfStale);
        if (lock != null) {
            saved &= attempt(this::heartbeat);
            for (StateFile file : files) {
                saved &= attempt(file::save);
            }
        }
        if (saved) {
            outage.ends();
        }
        return Math.max(periodMs, PAUSE_FACTOR * TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    /** Saves for the last time, and lets another process do it. Does nothing without {@link #restore}. Blocks. */
    synchronized void close() {
        var _ = save();
        open = false;
        LockFile held = lock;
        lock = null;
        if (held != null) {
            var _ = attempt(held::close);
        }
    }
}
