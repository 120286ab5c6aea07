package switchboard.watch;

import static switchboard.async.Futures.also;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.files.LockFile;

/** The standing questions of a gateway by itself, in its data folder. What a future has given is on the disk. Thread-safe. */
public final class FolderWatches extends WatchBook {
    private final WatchFolder folder;
    private final ForgottenWatches forgotten;
    private final BlockingExecutor executor;
    private final KeyedSerialExecutor<String> turns = new KeyedSerialExecutor<>();

    /** How many each team has, with those that are being written. */
    private final Map<String, Integer> counts = new HashMap<>();

    private volatile @Nullable LockFile lock;

    /**
     * The questions in the data folder {@code data}.
     *
     * @param executor writes them
     */
    public FolderWatches(Path data, WatchSettings settings, BlockingExecutor executor) {
        super(settings);
        this.folder = new WatchFolder(data);
        this.forgotten = new ForgottenWatches(data);
        this.executor = executor;
    }

    @Override
    public boolean open() throws IOException {
        LockFile taken = folder.take().orElse(null);
        if (taken == null) {
            return false;
        }
        try {
            for (Watch watch : folder.read()) {
                keep(watch);
                synchronized (counts) {
                    counts.merge(watch.owner().team(), 1, Integer::sum);
                }
            }
        } catch (IOException e) {
            taken.close();
            throw e;
        }
        lock = taken;
        listener().ifPresent(told -> told.asking(true));
        return true;
    }

    @Override
    public boolean exists() {
        return folder.exists();
    }

    @Override
    public boolean isOpen() {
        return lock != null;
    }

    @Override
    public boolean asks() {
        return isOpen();
    }

    @Override
    public Future<Void> leave() {
        return Future.succeededFuture();
    }

    @Override
    public void close() throws IOException {
        LockFile held = lock;
        lock = null;
        if (held != null) {
            held.close();
        }
    }

    @Override
    public Future<Void> fresh() {
        return Future.succeededFuture();
    }

    @Override
    public boolean full(String team) {
        synchronized (counts) {
            return counts.getOrDefault(team, 0) >= most(team);
        }
    }

    @Override
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

    @Override
    public Future<Optional<Watch>> change(String uri, UnaryOperator<Watch> change) {
        return turns.run(uri, () -> {
            Watch now = find(uri).orElse(null);
            if (now == null) {
                return Future.succeededFuture(Optional.empty());
            }
            Watch next = change.apply(now);
            if (now.worthWriting(next)) {
                return written(next)
                        .map(also(written -> {
                            if (written.answers().newerThan(now.answers())) {
                                listener().ifPresent(told -> told.news(written));
                            }
                        }))
                        .map(Optional::of);
            }
            keep(next);
            return Future.succeededFuture(Optional.of(next));
        });
    }

    @Override
    public Future<Boolean> end(String uri) {
        return turns.run(uri, () -> {
            Watch ended = find(uri).orElse(null);
            return ended == null
                    ? Future.succeededFuture(false)
                    : executor.run("", () -> false, () -> {
                                folder.remove(ended);
                                return true;
                            })
                            .map(also(_ -> {
                                known().remove(uri);
                                left(ended.owner().team());
                            }));
        });
    }

    @Override
    public Future<Boolean> gone(String uri) {
        return end(uri);
    }

    @Override
    public Future<Void> forgetNoted() {
        return executor.run("", () -> false, forgotten::notes)
                .compose(notes -> Futures.oneByOne(notes.iterator(), this::forget));
    }

    private Future<Void> forget(ForgottenWatches.ForgetNote note) {
        return Futures.oneByOne(all().iterator(), watch -> forget(watch, note.what()))
                .compose(_ -> executor.run("", () -> false, () -> {
                    folder.forgetDamaged(note.what().team());
                    return ForgottenWatches.done(note);
                }))
                .mapEmpty();
    }

    private Future<Void> forget(Watch watch, WatchForgetting what) {
        Future<?> done = what.rest(watch).isEmpty()
                ? end(watch.uri())
                : change(watch.uri(), now -> what.rest(now).orElse(now));
        return done.mapEmpty();
    }

    @Override
    public void wake(Watch watch) {
        listener().ifPresent(told -> told.wanted(watch));
    }

    private Future<Watch> written(Watch watch) {
        return executor.run("", () -> false, () -> {
                    folder.write(watch);
                    return watch;
                })
                .map(also(this::keep));
    }

    private void keep(Watch watch) {
        known().put(watch.uri(), new KnownWatch(watch, 0));
    }

    private void left(String team) {
        synchronized (counts) {
            counts.computeIfPresent(team, (_, count) -> count == 1 ? null : count - 1);
        }
    }
}
