package switchboard.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.backend.ListChanges;
import switchboard.call.BackendEvent.DocumentsChanged;
import switchboard.call.Caller;
import switchboard.call.DiskError;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.call.ToolReply;
import switchboard.concurrent.BlockingExecutor;
import switchboard.dispatch.Dispatcher;
import switchboard.dispatch.Requester;
import switchboard.watch.Watch;
import switchboard.watch.WatchBook;
import switchboard.watch.WatchListener;
import switchboard.watch.WatchMeters;
import switchboard.watch.WatchQueue;
import switchboard.watch.WatchReply;
import switchboard.watch.WebhookQueue;

/**
 * Asks standing questions again: soon after documents have changed, and from time to time. One at a time, and with pauses, so
 * that many questions take a small part of what the machine can do. Thread-safe.
 */
final class GatewayWatches implements WatchListener {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayWatches.class);

    /** How long a question may take. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** Changes within this time are one change, in milliseconds. */
    private static final long COALESCED_MS = 200;

    /** How often it is looked which questions may be asked, in milliseconds. */
    private static final long LOOK_MS = 250;

    /** Pauses before a search that has failed is tried again, after which it waits for its turn. */
    private static final long[] AGAIN_MS = {5_000, 30_000, 120_000};

    /** How often it is looked which are due though nothing is known to have changed. */
    private static final int LOOKS_PER_SCAN = 20;

    /** The pause after a question is so many times as long as it took, so that questions take a sixth of the time at most. */
    private static final int PAUSE = 5;

    /** The longest pause, in milliseconds: who waits for another engine uses little of this machine. */
    private static final long LONGEST_PAUSE_MS = 1_000;

    private final WatchBook book;
    private final WatchQueue queue;
    private final WatchAskers askers;
    private final WatchMeters meters;
    private final BlockingExecutor executor;
    private final Dispatcher dispatcher;
    private final ListChanges changes;
    private final WebhookQueue webhooks;
    private final Consumer<Watch> listed;
    private final Vertx vertx;
    private final Clock clock;

    /** Sources that have changed and of which no question was told yet. */
    private final Set<ChangedSource> changed = ConcurrentHashMap.newKeySet();

    /** How often the search of a question, by URI, has failed in a row. */
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    private final AtomicBoolean planned = new AtomicBoolean();
    private final AtomicBoolean asking = new AtomicBoolean();
    private final AtomicBoolean scanning = new AtomicBoolean();
    private final AtomicLong looks = new AtomicLong();
    private volatile Future<Void> last = Future.succeededFuture();
    private volatile boolean stopped;

    /** Documents of {@code change} at {@code backend} have changed. */
    private record ChangedSource(String backend, DocumentsChanged change) {
        private String label() {
            return backend + ":" + change.source();
        }
    }

    /** Asks the backend of the federated tools. */
    @FunctionalInterface
    interface Searches {
        /** The reply to {@code arguments} of {@code who}, whom the backend knows as {@code as}; never fails. */
        Future<ToolReply> ask(Requester who, Caller as, ObjectNode arguments);
    }

    /** Where questions are kept, who asks them, what runs and tells it, and what tells of those that others ask. */
    record Parts(
            WatchBook book,
            WatchQueue queue,
            WatchAskers askers,
            BlockingExecutor executor,
            Dispatcher dispatcher,
            ListChanges changes,
            WebhookQueue webhooks,
            Consumer<Watch> listed) {}

    GatewayWatches(Parts parts, Platform platform) {
        this.book = parts.book();
        this.queue = parts.queue();
        this.askers = parts.askers();
        this.executor = parts.executor();
        this.dispatcher = parts.dispatcher();
        this.changes = parts.changes();
        this.webhooks = parts.webhooks();
        this.listed = parts.listed();
        this.meters = new WatchMeters(platform.meters(), book, queue);
        this.vertx = platform.vertx();
        this.clock = platform.clock();
    }

    /** Begins to ask, if any team may ask anything. Blocks while the questions are read. */
    void begin(List<LoadedBackend> backends, Searches searches) {
        boolean any = askers.settings().any();
        book.listen(this);
        if ((!any && !book.exists()) || !opened()) {
            return;
        }
        if (!any) { // what is left of teams that may ask none any more goes, too
            vertx.setPeriodic(LOOK_MS * LOOKS_PER_SCAN, _ -> scan());
            return;
        }
        for (LoadedBackend backend : backends) {
            dispatcher.on(
                    DocumentsChanged.class,
                    backend.id(),
                    change -> changed(new ChangedSource(backend.id(), change), searches));
        }
        vertx.setPeriodic(LOOK_MS, _ -> {
            if (looks.incrementAndGet() % LOOKS_PER_SCAN == 0) {
                scan();
            }
            next(searches);
        });
    }

    /** Something may have changed after they were asked last. */
    @Override
    public void asking(boolean here) {
        queue.clear();
        if (here) {
            book.all().forEach(queue::add);
            book.all().forEach(watch -> webhooks.put(watch.uri(), book::find));
        } else {
            book.all().forEach(watch -> webhooks.remove(watch.uri()));
        }
    }

    @Override
    public void news(Watch watch) {
        if (book.asks()) {
            webhooks.put(watch.uri(), book::find);
        }
        changes.updated(Set.of(watch.uri()));
    }

    @Override
    public void listed(Watch watch) {
        listed.accept(watch);
    }

    @Override
    public void wanted(Watch watch) {
        queue.add(watch);
    }

    private boolean opened() {
        try {
            boolean mine = book.open();
            if (!mine) {
                LOG.warn("another process asks the standing questions in this data folder; this one asks none");
            }
            return mine;
        } catch (IOException e) {
            LOG.error("standing questions can't be read, and none is asked: {}", DiskError.problem(e));
            return false;
        }
    }

    private void changed(ChangedSource source, Searches searches) {
        changed.add(source);
        if (planned.compareAndSet(false, true)) {
            vertx.setTimer(COALESCED_MS, _ -> {
                planned.set(false);
                inBackground(this::addConcerned, searches);
            });
        }
    }

    private void addConcerned() {
        if (!book.asks()) {
            return; // another gateway knows of the change, too; or this one asks again in a moment
        }
        Set<ChangedSource> sources = new HashSet<>(changed);
        changed.removeAll(sources);
        book.all().stream()
                .filter(watch -> sources.stream()
                        .anyMatch(source -> concerns(watch, source.label())
                                && askers.maySearch(watch, source.backend(), source.change())))
                .forEach(queue::add);
    }

    private static boolean concerns(Watch watch, String source) {
        List<String> globs = watch.question().sources();
        return globs.isEmpty()
                || ResourceScope.anyOf(globs.stream()
                                .map(glob -> glob.indexOf(':') < 0 ? glob + ":*" : glob)
                                .toList())
                        .allows(source);
    }

    /** Finds those that are due, and ends those that nobody has used for long, or whose asker is gone. */
    private void scan() {
        if (book.asks() && scanning.compareAndSet(false, true)) {
            book.forgetNoted()
                    .onFailure(failure -> LOG.warn("not all is forgotten yet: {}", DiskError.problem(failure)));
            executor.run("", () -> stopped, () -> {
                        addConcerned();
                        book.all().forEach(watch -> queue.addIfDue(watch, clock.instant()));
                        Set<Watch> over = new HashSet<>(book.forgotten(clock.instant()));
                        book.all().stream().filter(askers::isOver).forEach(over::add);
                        return over;
                    })
                    .compose(found -> Futures.oneByOne(found.iterator(), this::over))
                    .onComplete(_ -> scanning.set(false));
        }
    }

    private Future<Void> over(Watch watch) {
        failures.remove(watch.uri());
        Future<Boolean> ended = askers.isOver(watch) ? book.gone(watch.uri()) : book.end(watch.uri());
        return ended.mapEmpty();
    }

    private void inBackground(Runnable work, Searches searches) {
        executor.run("", () -> stopped, () -> {
                    work.run();
                    return true;
                })
                .onComplete(_ -> next(searches));
    }

    /** Asks the next one, if one may be asked and none is under way. */
    private void next(Searches searches) {
        if (stopped || !book.asks() || !askers.known() || !asking.compareAndSet(false, true)) {
            return;
        }
        long began = System.nanoTime();
        Watch watch = queue.take(began).flatMap(book::find).orElse(null);
        if (watch == null) {
            asking.set(false);
            return;
        }
        Future<Void> run = Future.<Void>succeededFuture().compose(_ -> ask(watch, searches));
        last = run;
        run.onComplete(_ -> {
            long pause = PAUSE * Duration.ofNanos(System.nanoTime() - began).toMillis();
            vertx.setTimer(Math.clamp(pause, 1, LONGEST_PAUSE_MS), _ -> {
                asking.set(false);
                next(searches);
            });
        });
    }

    private Future<Void> ask(Watch watch, Searches searches) {
        return switch (askers.of(watch)) {
            case WatchAskers.Asking.Gone _ -> book.gone(watch.uri()).mapEmpty();
            case WatchAskers.Asking.Asleep(String reason) -> asleep(watch, reason);
            case WatchAskers.Asking.Ready(Requester who, Caller caller) ->
                searches.ask(who, caller, watch.question().search())
                        .compose(reply -> reply.either(
                                ToolReply.Ok.class,
                                ok -> answered(watch, WatchReply.of(structured(ok), clock.instant())),
                                failed -> failed(watch, failed.message())))
                        .otherwise(failure -> {
                            LOG.warn("what came of a standing question can't be kept: {}", failure.getMessage());
                            meters.failed();
                            again(watch);
                            return null;
                        });
        };
    }

    private static JsonNode structured(ToolReply.Ok ok) {
        return Objects.requireNonNullElseGet(ok.structured(), Json::object);
    }

    private Future<Void> asleep(Watch watch, String reason) {
        meters.failed();
        return book.change(watch.uri(), known -> known.asleep(watch, reason, clock.instant()))
                .mapEmpty();
    }

    /** A search that fails is tried again soon: what a commit has brought is not lost for a whole period. */
    private Future<Void> failed(Watch watch, String reason) {
        again(watch);
        return asleep(watch, reason);
    }

    private void again(Watch watch) {
        int times = failures.merge(watch.uri(), 1, Integer::sum);
        if (times < AGAIN_MS.length + 1) {
            vertx.setTimer(AGAIN_MS[times - 1], _ -> book.find(watch.uri()).ifPresent(queue::add));
        } else {
            failures.remove(watch.uri());
        }
    }

    private Future<Void> answered(Watch watch, WatchReply reply) {
        return book.answered(watch, reply, clock.instant()).map(arrived -> {
            failures.remove(watch.uri());
            meters.answered(arrived);
            return null;
        });
    }

    /** Asks none any more. Completes when none is under way, and another process may ask. */
    Future<Void> halt() {
        stopped = true;
        return last.transform(_ -> book.leave());
    }

    /** Lets another process ask them. */
    void close() {
        try {
            book.close();
        } catch (IOException e) {
            LOG.warn("the standing questions can't be released: {}", DiskError.problem(e));
        }
    }
}
