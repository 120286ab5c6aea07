package switchboard.app;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.DiskError;
import switchboard.concurrent.BlockingExecutor;
import switchboard.files.PrivateFiles;
import switchboard.http.Readiness;
import switchboard.telemetry.OutageLog;

/**
 * Whether the folders that the gateway writes to have free space. Checked in the background by writing a small file.
 * Thread-safe.
 */
final class DiskHealth {
    private static final Logger LOG = LoggerFactory.getLogger(DiskHealth.class);

    /** A disk is nearly full if less than this fraction and less than {@link #PLENTY} bytes are free. */
    private static final double SMALL_PART = 0.05;

    private static final long PLENTY = 10L << 30;

    private final BlockingExecutor executor;
    private final Map<String, Path> folders;
    private final Map<String, OutageLog> outages = new ConcurrentHashMap<>();
    private final Map<String, Readiness.Part> last = new ConcurrentHashMap<>();
    private final Duration period;
    private volatile Runnable stop = () -> {};

    /** Checks the data folder {@code data} and the folder for temporary files. */
    DiskHealth(Path data, Platform platform, Periods periods) {
        this.period = periods.disks();
        this.executor = platform.executor("disks", 1);
        this.folders = new LinkedHashMap<>();
        folders.put("data", data);
        folders.put("temporary", Path.of(System.getProperty("java.io.tmpdir")));
        folders.keySet()
                .forEach(name ->
                        outages.put(name, new OutageLog(LOG, "the folder for " + name + " files", platform.clock())));
    }

    /** Checks now and then once in each period, until {@link #stop}. */
    Future<Void> watch(Vertx vertx) {
        long timer = vertx.setPeriodic(period.toMillis(), _ -> Futures.finish(look(), _ -> {}, _ -> {}));
        stop = () -> vertx.cancelTimer(timer);
        return look();
    }

    void stop() {
        stop.run();
    }

    /** The last result for each folder, for readiness. */
    List<Readiness.Part> parts() {
        return folders.keySet().stream()
                .flatMap(name -> Optional.ofNullable(last.get(name)).stream())
                .toList();
    }

    private Future<Void> look() {
        return executor.run(() -> {
                    folders.forEach((name, folder) -> {
                        Optional<String> problem = problem(folder);
                        last.put(
                                name,
                                new Readiness.Part(
                                        name,
                                        problem.isEmpty() ? Readiness.Status.UP : Readiness.Status.DEGRADED,
                                        false,
                                        problem.orElse("up")));
                        OutageLog outage = outages.get(name);
                        if (outage != null) {
                            problem.ifPresentOrElse(outage::begins, outage::ends);
                        }
                    });
                    return true;
                })
                .mapEmpty();
    }

    private static Optional<String> problem(Path folder) {
        try {
            PrivateFiles.checkRoom(folder);
            long free = Files.getFileStore(folder).getUsableSpace();
            long total = Files.getFileStore(folder).getTotalSpace();
            return free < PLENTY && free < total * SMALL_PART
                    ? Optional.of("the disk is nearly full: " + (free >> 20) + " of " + (total >> 20) + " MiB are free")
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.of(DiskError.in(e)
                    .map(DiskError::problem)
                    .orElseGet(() -> "it can't be written to: " + DiskError.problem(e)));
        }
    }
}
