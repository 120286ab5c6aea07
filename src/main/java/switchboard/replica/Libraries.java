package switchboard.replica;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.DocumentTables.Look;
import switchboard.cluster.DocumentTables.LookEnd;
import switchboard.cluster.LibraryRow;
import switchboard.store.Namespace;

/**
 * The libraries of a backend in the shared database, as of the last look. At most one look is under way, and whoever asks
 * meanwhile shares the next one. Thread-safe.
 */
final class Libraries {
    /** A call waits so long for a look. */
    private static final Duration LONGEST = Duration.ofSeconds(4);

    /** The same while the database is away. */
    private static final Duration BRIEFLY = Duration.ofSeconds(1);

    /** After a look that failed, calls look no more for so long. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** A gateway that starts waits so long until it has joined the others. */
    private static final Duration AT_START = Duration.ofSeconds(10);

    private static final long AGAIN_MS = 250;

    private final Vertx vertx;
    private final DocumentTables tables;
    private final String backend;
    private final Duration freshness;
    private final Clock clock;
    private final Listener listener;
    private final Map<Namespace, Known> known = new ConcurrentSkipListMap<>();
    private @Nullable Promise<Void> running;
    private @Nullable Promise<Void> waiting;
    private LookEnd seen = LookEnd.NOTHING;
    private boolean everything = true;
    private long looks;
    private volatile @Nullable Instant asOf;
    private volatile long lastLook;
    private volatile long lastFailure;
    private volatile boolean away;

    /**
     * A library.
     *
     * @param look the look that has found this row, or the first one that can see it
     * @param found whether a look has found it; otherwise this node has written it
     */
    private record Known(LibraryRow row, long look, boolean found) {}

    /**
     * Is told what becomes of libraries.
     *
     * @param looked gets those that a look has found changed, perhaps
     * @param changed gets each that has changed since it was known
     */
    record Listener(Consumer<Set<Namespace>> looked, Consumer<Namespace> changed) {}

    /** Libraries, of which nothing is known yet. */
    Libraries(Vertx vertx, DocumentTables tables, String backend, Duration freshness, Clock clock, Listener listener) {
        this.vertx = vertx;
        this.tables = tables;
        this.backend = backend;
        this.freshness = freshness;
        this.clock = clock;
        this.listener = listener;
    }

    static Namespace namespace(LibraryRow row) {
        return new Namespace(row.owner(), row.name());
    }

    Optional<LibraryRow> find(Namespace namespace) {
        return Optional.ofNullable(known.get(namespace)).map(Known::row);
    }

    /** What a look has found that began after {@code looks} others had begun; empty if it is older. */
    Optional<LibraryRow> foundAfter(Namespace namespace, long looks) {
        return Optional.ofNullable(known.get(namespace))
                .filter(one -> one.found() && one.look() > looks)
                .map(Known::row);
    }

    /** How many looks have begun. */
    synchronized long looks() {
        return looks;
    }

    /** All, sorted. */
    List<Namespace> namespaces() {
        return List.copyOf(known.keySet());
    }

    /** When the database was last read, if it can't be read now. */
    Optional<Instant> away() {
        return away ? Optional.ofNullable(asOf) : Optional.empty();
    }

    /** Whether it was ever read. */
    boolean read() {
        return asOf != null;
    }

    /**
     * Looks, unless that was done a moment ago. Completes also if the database can't be read now; fails if it was never read since
     * the start.
     */
    Future<Void> refresh() {
        if (!read()) {
            return Futures.here(first(System.nanoTime() + AT_START.toNanos()));
        }
        long now = System.nanoTime();
        if (away ? now - lastFailure < PAUSE.toNanos() : now - lastLook < freshness.toNanos()) {
            return Future.succeededFuture();
        }
        Duration most = away ? BRIEFLY : LONGEST;
        return Futures.here(
                look().timeout(most.toMillis(), TimeUnit.MILLISECONDS).recover(_ -> {
                    failed();
                    return Future.succeededFuture();
                }));
    }

    private Future<Void> first(long until) {
        return look().recover(failure -> System.nanoTime() - until > 0
                ? Future.failedFuture(new ToolException(
                        FailureKind.UNAVAILABLE,
                        "This gateway could not read the database that the gateways share yet. Try again in a moment."))
                : vertx.timer(AGAIN_MS, TimeUnit.MILLISECONDS).compose(_ -> first(until)));
    }

    /** Looks. Fails if the database can't be read. */
    Future<Void> look() {
        Promise<Void> mine;
        boolean begin = false;
        synchronized (this) {
            if (running == null) {
                running = Promise.promise();
                mine = running;
                begin = true;
            } else {
                waiting = waiting == null ? Promise.promise() : waiting;
                mine = waiting;
            }
        }
        if (begin) {
            begin();
        }
        return mine.future();
    }

    /** The next look compares all libraries. */
    synchronized void compareAll() {
        everything = true;
    }

    private void begin() {
        LookEnd before;
        long number;
        synchronized (this) {
            before = everything ? LookEnd.NOTHING : seen;
            everything = false;
            number = ++looks;
        }
        Begun begun = new Begun(number, System.nanoTime(), clock.instant());
        Future<Void> done = tables.look(backend, before).compose(look -> taken(look, before, begun));
        Futures.settle(done.onFailure(_ -> failed()), over -> ended().handle(over), _ -> {});
    }

    /** The look is over; the next one begins if somebody waits for it. */
    private Promise<Void> ended() {
        Promise<Void> over;
        boolean more;
        synchronized (this) {
            over = java.util.Objects.requireNonNull(running, "a look is under way");
            running = waiting;
            waiting = null;
            more = running != null;
        }
        if (more) {
            begin();
        }
        return over;
    }

    private void failed() {
        compareAll();
        lastFailure = System.nanoTime();
        away = true;
    }

    /** The number of a look, and when it began: it may lack what was changed afterwards. */
    private record Begun(long number, long nanos, Instant at) {}

    private Future<Void> taken(Look look, LookEnd before, Begun begun) {
        boolean all = before.equals(LookEnd.NOTHING);
        if (!all && !look.next().server().equals(before.server())) {
            // Another server, whose transactions have other numbers.
            return tables.look(backend, LookEnd.NOTHING).compose(again -> taken(again, LookEnd.NOTHING, begun));
        }
        Set<Namespace> changed = take(look.libraries(), all, begun.number());
        boolean first = !read();
        synchronized (this) {
            seen = look.next();
        }
        lastLook = begun.nanos();
        asOf = begun.at();
        away = false;
        listener.looked()
                .accept(look.libraries().stream().map(Libraries::namespace).collect(Collectors.toSet()));
        if (!first) {
            changed.forEach(listener.changed());
        }
        return Future.succeededFuture();
    }

    /** Returns those that have changed. */
    private synchronized Set<Namespace> take(List<LibraryRow> rows, boolean all, long number) {
        Set<Namespace> concerned = new HashSet<>(all ? known.keySet() : Set.of());
        rows.forEach(row -> concerned.add(namespace(row)));
        Map<Namespace, Optional<LibraryRow>> before = new HashMap<>();
        concerned.forEach(namespace -> before.put(namespace, find(namespace)));
        Set<Namespace> live =
                rows.stream().filter(LibraryRow::live).map(Libraries::namespace).collect(Collectors.toSet());
        if (all) {
            known.entrySet()
                    .removeIf(one ->
                            !live.contains(one.getKey()) && one.getValue().look() <= number);
        }
        rows.stream()
                .filter(row -> !row.live())
                .forEach(row -> known.computeIfPresent(
                        namespace(row), (_, one) -> one.row().incarnation().equals(row.incarnation()) ? null : one));
        rows.stream()
                .filter(LibraryRow::live)
                .forEach(row -> known.merge(namespace(row), new Known(row, number, true), Libraries::newer));
        concerned.removeIf(namespace -> find(namespace).equals(before.get(namespace)));
        return concerned;
    }

    /** A look that began before this node's change was made must not take it back. */
    private static Known newer(Known old, Known found) {
        return old.look() > found.look()
                        && (!old.row().incarnation().equals(found.row().incarnation())
                                || old.row().head().position()
                                        > found.row().head().position())
                ? old
                : found;
    }

    /**
     * This node has made a change: {@code row} is the library after it.
     *
     * @return false if what is known is later: others have changed the library since, or the database has lost what it had
     */
    boolean wrote(LibraryRow row) {
        boolean newest = made(row);
        listener.changed().accept(namespace(row));
        return newest;
    }

    private synchronized boolean made(LibraryRow row) {
        Known made = new Known(row, looks + 1, false);
        Known now = known.merge(
                namespace(row),
                made,
                (old, _) -> old.row().incarnation().equals(row.incarnation())
                                && old.row().head().position() > row.head().position()
                        ? old
                        : made);
        return made.equals(now);
    }
}
