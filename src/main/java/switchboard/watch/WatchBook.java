package switchboard.watch;

import static switchboard.async.Futures.also;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PrincipalId;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.files.LockFile;

/**
 * All standing questions of this gateway. What a future has given is on the disk: a process that is killed forgets no news, and
 * tells none twice. Thread-safe; nothing blocks but {@link #open} and {@link #close}.
 */
public final class WatchBook {
    private final WatchFolder folder;
    private final WatchSettings settings;
    private final BlockingExecutor executor;
    private final Map<String, Watch> watches = new ConcurrentHashMap<>();
    private final KeyedSerialExecutor<String> turns = new KeyedSerialExecutor<>();

    /** How many each team has, with those that are being written. */
    private final Map<String, Integer> counts = new HashMap<>();

    private volatile @Nullable LockFile lock;

    /**
     * The questions in the data folder {@code data}.
     *
     * @param executor writes them
     */
    public WatchBook(Path data, WatchSettings settings, BlockingExecutor executor) {
        this.folder = new WatchFolder(data);
        this.settings = settings;
        this.executor = executor;
    }

    /** Reads what is there. Blocks. False if another process keeps these questions, or if there is nothing to keep. */
    public boolean open() throws IOException {
        LockFile taken = folder.take().orElse(null);
        if (taken == null) {
            return false;
        }
        try {
            for (Watch watch : folder.read()) {
                watches.put(watch.uri(), watch);
                synchronized (counts) {
                    counts.merge(watch.owner().team(), 1, Integer::sum);
                }
            }
        } catch (IOException e) {
            taken.close();
            throw e;
        }
        lock = taken;
        return true;
    }

    /** Whether there are files of questions. */
    public boolean exists() {
        return folder.exists();
    }

    /** Whether this process keeps the questions. */
    public boolean isOpen() {
        return lock != null;
    }

    /** Lets another process keep them. */
    public void close() throws IOException {
        LockFile held = lock;
        lock = null;
        if (held != null) {
            held.close();
        }
    }

    /** How teams may use this. */
    public WatchSettings settings() {
        return settings;
    }

    /** How many there are. */
    public int size() {
        return watches.size();
    }

    /** All of them, in no particular order. */
    public List<Watch> all() {
        return List.copyOf(watches.values());
    }

    /** Those of {@code owner}, the oldest first. */
    public List<Watch> of(PrincipalId owner) {
        List<Watch> own = new ArrayList<>(watches.values());
        own.removeIf(watch -> !watch.owner().equals(owner));
        own.sort(Comparator.comparingLong((Watch watch) -> watch.times().created())
                .thenComparing(Watch::uri));
        return own;
    }

    /** The one with that URI, if there is one. */
    public Optional<Watch> find(String uri) {
        return Optional.ofNullable(watches.get(uri));
    }

    /** The one with that URI, if it is one of {@code owner}. */
    public Optional<Watch> find(String uri, PrincipalId owner) {
        return find(uri).filter(watch -> watch.owner().equals(owner));
    }

    /** Whether {@code team} has as many as it may have. */
    public boolean full(String team) {
        synchronized (counts) {
            return counts.getOrDefault(team, 0)
                    >= settings.of(team).map(WatchSettings.TeamWatches::most).orElse(0);
        }
    }

    /** Adds one; empty if its team has as many as it may have. */
    public Future<Optional<Watch>> add(Watch watch) {
        String team = watch.owner().team();
        synchronized (counts) {
            if (full(team)) {
                return Future.succeededFuture(Optional.empty());
            }
            counts.merge(team, 1, Integer::sum);
        }
        return written(watch).map(Optional::of).recover(failure -> {
            left(team);
            return Future.failedFuture(failure);
        });
    }

    /**
     * Changes the one with that URI, after all earlier changes of it.
     *
     * @return what it is then; empty if there is none. If it can't be written, it stays as it was
     */
    public Future<Optional<Watch>> change(String uri, UnaryOperator<Watch> change) {
        return turns.run(uri, () -> {
            Watch now = watches.get(uri);
            if (now == null) {
                return Future.succeededFuture(Optional.empty());
            }
            Watch next = change.apply(now);
            if (now.worthWriting(next)) {
                return written(next).map(Optional::of);
            }
            watches.put(uri, next);
            return Future.succeededFuture(Optional.of(next));
        });
    }

    /**
     * What came with an answer.
     *
     * @param fresh how much news
     * @param displaced how many older news found no room any more
     */
    public record Arrived(long fresh, long displaced) {}

    /** Notes another answer to what {@code asked} was; nothing comes of it if its asker has changed the question meanwhile. */
    public Future<Arrived> answered(Watch asked, WatchReply reply, Instant now) {
        AtomicReference<Arrived> arrived = new AtomicReference<>(new Arrived(0, 0));
        return change(asked.uri(), watch -> {
                    if (!watch.asks(asked)) {
                        return watch;
                    }
                    Watch next = watch.answered(reply, now);
                    arrived.set(next.answers().since(watch.answers()));
                    return next;
                })
                .map(_ -> arrived.get());
    }

    /** Ends the one with that URI; whether there was one. */
    public Future<Boolean> end(String uri) {
        return turns.run(uri, () -> {
            Watch ended = watches.get(uri);
            return ended == null
                    ? Future.succeededFuture(false)
                    : executor.run("", () -> false, () -> {
                                folder.remove(ended);
                                return true;
                            })
                            .map(also(_ -> {
                                watches.remove(uri);
                                left(ended.owner().team());
                            }));
        });
    }

    /** Those that their askers have not used for as long as they are kept. */
    public List<Watch> forgotten(Instant now) {
        return watches.values().stream()
                .filter(watch -> Instant.ofEpochMilli(watch.times().used())
                        .plus(settings.keepFor(watch.owner().team()))
                        .isBefore(now))
                .toList();
    }

    private Future<Watch> written(Watch watch) {
        return executor.run("", () -> false, () -> {
                    folder.write(watch);
                    return watch;
                })
                .map(also(done -> watches.put(done.uri(), done)));
    }

    private void left(String team) {
        synchronized (counts) {
            counts.computeIfPresent(team, (_, count) -> count == 1 ? null : count - 1);
        }
    }
}
