package switchboard.watch;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.cluster.ClusterUnavailableException;
import switchboard.cluster.ClusterUnavailableException.NotDone;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.JobHolder;
import switchboard.cluster.WatchTable;
import switchboard.cluster.WatchTable.WatchHead;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.KeyedSerialExecutor;

/**
 * The standing questions that gateways share. Each knows all of them as of its last look; a change is made only to the newest
 * revision, so that none is lost. What a future has given is in the database. One gateway at a time asks them. Thread-safe.
 */
public final class SharedWatches extends WatchBook {
    private static final Logger LOG = LoggerFactory.getLogger(SharedWatches.class);

    /** How often a change is tried while others change the same question. */
    private static final int ATTEMPTS = 20;

    /** How exactly others know when a question was asked last, in milliseconds. */
    private static final long RAN_MS = 60_000;

    /** All questions are compared so often: looks see a fail-over, so this finds what nobody has thought of. */
    private static final long COMPARE_NANOS = Duration.ofMinutes(5).toNanos();

    /** So many questions that have ended are remembered, for longer than any read takes. */
    private static final int MOST_ENDED = 10_000;

    /** A database that was away is asked again after half a second. */
    private static final long AGAIN_MS = 600;

    private static final long FORGET_MS = Duration.ofHours(1).toMillis();

    private final Vertx vertx;
    private final DocumentTables tables;
    private final WatchTable table;
    private final BlockingExecutor executor;
    private final WatchLooks looks;
    private final JobHolder holder;
    private final GoneAskers goneAskers = new GoneAskers();
    private final KeyedSerialExecutor<String> turns = new KeyedSerialExecutor<>();

    /** Those that have ended: what was read of them before must not bring them back. */
    private final Set<String> ended = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_ENDED;
        }
    });

    private final AtomicBoolean joined = new AtomicBoolean();
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile boolean loaded;
    private volatile long compared = System.nanoTime();

    /**
     * The questions in {@code tables}.
     *
     * @param executor reads and writes JSON
     */
    public SharedWatches(Vertx vertx, DocumentTables tables, WatchSettings settings, BlockingExecutor executor) {
        super(settings);
        this.vertx = vertx;
        this.tables = tables;
        this.table = tables.watches();
        this.executor = executor;
        this.looks = new WatchLooks(table, executor, new Mirror());
        this.holder = new JobHolder(
                vertx, tables.jobs(), new DocumentTables.Place(WatchTable.NOTICE, "", "ask"), this::turned);
    }

    @Override
    public boolean open() {
        if (settings().any()) {
            tables.listen(WatchTable.NOTICE, _ -> noticed());
        } else {
            vertx.setPeriodic(FORGET_MS, _ -> forget());
        }
        return true;
    }

    /** Without settings nobody reads the questions any more. */
    private void forget() {
        table.forget(WatchSettings.LEFT_OVER).onFailure(failure -> LOG.debug("no questions were removed", failure));
    }

    @Override
    public boolean exists() {
        return true;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean asks() {
        return asking.get() && holder.held();
    }

    @Override
    public Future<Void> leave() {
        tables.ignore(WatchTable.NOTICE);
        return holder.stop();
    }

    @Override
    public void close() {
        asking.set(false);
    }

    /** A look sees all that has changed since the last one, also where notices were missed. */
    private void noticed() {
        long now = System.nanoTime();
        if (now - compared > COMPARE_NANOS) {
            compared = now;
            looks.compare();
        }
        looked().onFailure(failure -> LOG.debug("standing questions are looked at later", failure));
    }

    private Future<Void> looked() {
        return looks.look().map(_ -> {
            loaded = true;
            if (joined.compareAndSet(false, true)) { // before that there may be no tables
                holder.start();
            }
            return null;
        });
    }

    /** This gateway asks once it knows what the one before it has written. */
    private void turned() {
        if (!holder.held()) {
            asking(false);
        } else if (!asking.get()) {
            Futures.finish(looked(), _ -> asking(holder.held()), failure -> LOG.debug("no look", failure));
        }
    }

    private void asking(boolean here) {
        if (asking.compareAndSet(!here, here)) {
            LOG.info("standing questions are {} here", here ? "asked" : "not asked any more");
            listener().ifPresent(told -> told.asking(here));
        }
    }

    @Override
    public Future<Void> fresh() {
        Future<Void> twice = looked().recover(
                        _ -> vertx.timer(AGAIN_MS, TimeUnit.MILLISECONDS).compose(_ -> looked()));
        return Futures.here(told(twice, "Try again in a moment."));
    }

    @Override
    public boolean full(String team) {
        return all().stream().filter(watch -> watch.owner().team().equals(team)).count() >= most(team);
    }

    @Override
    public Future<Optional<Watch>> add(Watch watch) {
        String team = watch.owner().team();
        Future<Optional<Watch>> added = written(watch)
                .compose(body -> table.add(watch.uri(), team, body, most(team)))
                .map(revision -> revision.map(first -> made(watch, first)));
        return Futures.here(told(
                added,
                "Look with watch_search, without arguments, whether your question is there, and ask again if not."));
    }

    private Future<byte[]> written(Watch watch) {
        return executor.run("", () -> false, () -> Json.bytes(Json.tree(watch)));
    }

    private Watch made(Watch watch, long revision) {
        keep(watch, new WatchHead(watch.uri(), revision, true, true), false);
        tables.announce(WatchTable.NOTICE);
        return watch;
    }

    @Override
    public Future<Optional<Watch>> change(String uri, UnaryOperator<Watch> change) {
        return Futures.here(told(
                turns.run(uri, () -> changed(uri, change, ATTEMPTS)),
                "Look with watch_search whether your question has changed, and try again if not."));
    }

    private Future<Optional<Watch>> changed(String uri, UnaryOperator<Watch> change, int left) {
        KnownWatch now = known().get(uri);
        if (now == null) {
            return Future.succeededFuture(Optional.empty());
        }
        Watch next = change.apply(now.watch());
        if (!now.watch().worthWriting(next) && next.times().ran() - now.ran() < RAN_MS) {
            known().replace(uri, now, new KnownWatch(next, now.revision(), now.ran()));
            return Future.succeededFuture(Optional.of(next));
        }
        return written(next)
                .compose(body -> table.change(uri, now.revision(), body))
                .compose(revision -> {
                    if (revision.isPresent()) {
                        return Future.succeededFuture(Optional.of(made(next, revision.get())));
                    }
                    return left == 0
                            ? Future.failedFuture(new ToolException(
                                    FailureKind.CONFLICT,
                                    "Others change this question again and again; nothing was changed. Try again."))
                            : readAgain(uri, now).compose(_ -> changed(uri, change, left - 1));
                });
    }

    /** Reads what others have made of {@code before}; an older revision after a fail-over that has lost some. */
    private Future<Void> readAgain(String uri, KnownWatch before) {
        return looks.read(List.of(uri), false).compose(_ -> {
            KnownWatch now = known().get(uri);
            return now != null && now.revision() == before.revision()
                    ? looks.read(List.of(uri), true)
                    : Future.succeededFuture();
        });
    }

    @Override
    public Future<Boolean> end(String uri) {
        return Futures.here(told(
                turns.run(uri, () -> table.end(uri).map(revision -> {
                    remove(uri);
                    tables.announce(WatchTable.NOTICE);
                    return revision.isPresent();
                })),
                "Look with watch_search whether your question has ended, and try again if not."));
    }

    @Override
    public Future<Boolean> gone(String uri) {
        return goneAskers.isOver(uri, System.nanoTime()) ? end(uri) : Future.succeededFuture(false);
    }

    @Override
    public Future<Void> forgetNoted() {
        return Future.succeededFuture();
    }

    @Override
    public void wake(Watch watch) {
        if (asks()) {
            listener().ifPresent(told -> told.wanted(watch));
        } else if (watch.reason() != null) { // otherwise it was written just now, which others see
            Futures.finish(
                    table.touch(watch.uri()),
                    _ -> tables.announce(WatchTable.NOTICE),
                    failure -> LOG.debug("a question is asked later", failure));
        }
    }

    /** Keeps what is newer than what is known. */
    private void keep(Watch watch, WatchHead head, boolean anew) {
        KnownWatch before;
        synchronized (ended) {
            before = known().get(watch.uri());
            boolean older = before != null && before.revision() >= head.revision();
            if (!anew && (older || ended.contains(watch.uri()))) {
                return;
            }
            ended.remove(watch.uri());
            known().put(watch.uri(), new KnownWatch(watch, head.revision()));
        }
        tell(before == null ? null : before.watch(), watch, head.own());
    }

    private @Nullable KnownWatch remove(String uri) {
        synchronized (ended) {
            ended.add(uri);
            return known().remove(uri);
        }
    }

    private void tell(@Nullable Watch before, Watch now, boolean own) {
        WatchListener told = listener().orElse(null);
        if (told == null || (before == null && !loaded)) {
            return;
        }
        boolean other = before == null || !now.asks(before);
        if (now.answers().newerThan(before == null ? WatchAnswers.NONE : before.answers())) {
            told.news(now);
        }
        if (!own && other) {
            told.listed(now);
        }
        if (!own && asks() && (other || now.reason() != null)) {
            told.wanted(now);
        }
    }

    /** Takes what looks have found into what is known. */
    private final class Mirror implements WatchLooks.KnownQuestions {
        @Override
        public Collection<String> known() {
            return SharedWatches.this.known().keySet();
        }

        @Override
        public boolean lacks(WatchHead head, boolean anew) {
            KnownWatch now = SharedWatches.this.known().get(head.uri());
            if (anew) {
                return now == null || now.revision() != head.revision();
            }
            synchronized (ended) {
                return now == null ? !ended.contains(head.uri()) : now.revision() < head.revision();
            }
        }

        @Override
        public void found(Watch watch, WatchHead head, boolean anew) {
            keep(watch, head, anew);
        }

        @Override
        public void missing(String uri) {
            KnownWatch before = remove(uri);
            if (before != null) {
                listener().ifPresent(told -> told.listed(before.watch()));
            }
        }
    }

    /** What callers are told if the database does not answer. */
    private static <T> Future<T> told(Future<T> done, String then) {
        return done.recover(failure -> Future.failedFuture(
                failure instanceof ClusterUnavailableException why ? told(why.reason(), then) : failure));
    }

    private static ToolException told(NotDone reason, String then) {
        String database = "Standing questions are in the database that the gateways share, which ";
        return switch (reason) {
            case UNREACHED -> new ToolException(FailureKind.UNAVAILABLE, database + "can't be reached. " + then);
            case LATE -> new ToolException(FailureKind.UNAVAILABLE, database + "did not answer in time. " + then);
            case BUSY -> new ToolException(FailureKind.OVERLOADED, database + "has too much to do now. " + then);
            case REFUSED ->
                new ToolException(
                        FailureKind.UNAVAILABLE, database + "refused this; the gateway's log says why. " + then);
        };
    }
}
