package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.agentroot.schedule.FolderWatch;
import switchboard.backend.agentroot.schedule.UpdateScheduler;
import switchboard.call.DiskError;
import switchboard.concurrent.BlockingExecutor;
import switchboard.store.Namespace;

/** The folders of collections that are updated when something in them has changed. One look follows the other. */
final class WatchedFolders {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedFolders.class);

    /** Each one costs the kernel about a kilobyte, and inotify has a limit for all processes of a user. */
    private static final int MOST = 10_000;

    /** How often it is looked whether the collection has another folder, or one that could not be watched can. */
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final UpdateScheduler scheduler;
    private final Function<Namespace, Future<@Nullable Path>> folders;
    private final BlockingExecutor executor;
    private final Clock clock;

    /** Changed and closed under its monitor, which walks of folders hold; read without. */
    private final Map<Namespace, WatchedFolder> watched = new ConcurrentHashMap<>();

    /** The folder of a collection; null if it can't be watched. */
    private record WatchedFolder(@Nullable FolderWatch watch, Instant looked) {}

    /**
     * Watches nothing yet.
     *
     * @param folders where the documents of a collection are; null if they are in no folder
     */
    WatchedFolders(
            UpdateScheduler scheduler,
            Function<Namespace, Future<@Nullable Path>> folders,
            BlockingExecutor executor,
            Clock clock) {
        this.scheduler = scheduler;
        this.folders = folders;
        this.executor = executor;
        this.clock = clock;
    }

    /** Tells the scheduler what has changed. Never fails. */
    Future<Void> look() {
        Future<Void> all = Future.succeededFuture();
        for (var plan : scheduler.plans().entrySet()) {
            if (plan.getValue().schedule().watch()) {
                all = all.compose(_ -> look(plan.getKey())).otherwise(failure -> {
                    LOG.debug(
                            "the folder of {} can't be watched now",
                            plan.getKey().name(),
                            failure);
                    return null;
                });
            }
        }
        return all;
    }

    private Future<Void> look(Namespace collection) {
        Instant now = clock.instant();
        WatchedFolder known = watched.get(collection);
        boolean outdated = known == null
                || known.looked().isAfter(now)
                || known.looked().plus(AGAIN).isBefore(now);
        Future<Boolean> again = outdated
                ? folders.apply(collection).compose(folder -> executor.run(() -> open(collection, folder, now)))
                : Future.succeededFuture(false);
        return again.compose(opened -> executor.run(() -> changed(collection) || opened))
                .map(changed -> {
                    if (changed) {
                        scheduler.changed(collection);
                    }
                    return null;
                });
    }

    /** Whether it is watched again, so that it may have changed meanwhile. */
    private boolean open(Namespace collection, @Nullable Path folder, Instant now) throws IOException {
        synchronized (watched) {
            WatchedFolder known = watched.get(collection);
            FolderWatch watch = known == null ? null : known.watch();
            boolean begins = watch == null || watch.lost() || !watch.root().equals(folder) || watch.replaced();
            if (begins) {
                if (watch != null) {
                    watch.close();
                }
                watched.put(collection, new WatchedFolder(null, now));
                watch = folder != null && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        ? begun(collection, folder)
                        : null;
            }
            watched.put(collection, new WatchedFolder(watch, now));
            return begins && known != null && watch != null;
        }
    }

    private static @Nullable FolderWatch begun(Namespace collection, Path folder) {
        try {
            FolderWatch watch = new FolderWatch(folder, MOST);
            if (watch.tooMany()) {
                LOG.warn(
                        "{} has more than {} folders, so it is not watched but updated as scheduled",
                        collection.name(),
                        MOST);
            }
            return watch;
        } catch (IOException e) {
            notWatched(collection, e);
            return null;
        }
    }

    private static void notWatched(Namespace collection, IOException failure) {
        LOG.warn("{} is not watched but updated as scheduled: {}", collection.name(), DiskError.problem(failure));
    }

    private boolean changed(Namespace collection) throws IOException {
        synchronized (watched) {
            WatchedFolder known = watched.get(collection);
            FolderWatch watch = known == null ? null : known.watch();
            try {
                return watch != null && watch.changed();
            } catch (IOException e) {
                notWatched(collection, e);
                watched.put(collection, new WatchedFolder(null, clock.instant()));
                watch.close();
                return true;
            }
        }
    }

    /** Whether the folder of {@code collection} is watched now. */
    boolean watches(Namespace collection) {
        WatchedFolder known = watched.get(collection);
        FolderWatch watch = known == null ? null : known.watch();
        return watch != null && watch.watching();
    }

    /** Ends all watches, also one that is just looked at. Blocks nobody; completes when they have ended. */
    Future<Void> close() {
        return executor.run(() -> {
                    synchronized (watched) {
                        for (WatchedFolder one : watched.values()) {
                            FolderWatch watch = one.watch();
                            if (watch != null) {
                                watch.close();
                            }
                        }
                        watched.clear();
                    }
                    return true;
                })
                .mapEmpty();
    }
}
