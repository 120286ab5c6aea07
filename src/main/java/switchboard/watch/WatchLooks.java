package switchboard.watch;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.cluster.DocumentTables.LookEnd;
import switchboard.cluster.WatchTable;
import switchboard.cluster.WatchTable.WatchHead;
import switchboard.cluster.WatchTable.WatchLook;
import switchboard.cluster.WatchTable.WatchRow;
import switchboard.concurrent.BlockingExecutor;

/**
 * Reads what gateways have made of the questions that they share. At most one look is under way, and whoever asks meanwhile
 * shares the next one. Thread-safe.
 */
final class WatchLooks {
    private static final Logger LOG = LoggerFactory.getLogger(WatchLooks.class);

    /** Who has not looked for longer compares all, because what has ended is removed after an hour. */
    private static final long AWAY_NANOS = Duration.ofMinutes(20).toNanos();

    private final WatchTable table;
    private final BlockingExecutor executor;
    private final KnownQuestions seen;
    private final Set<String> unreadable = new HashSet<>();
    private @Nullable Promise<Void> running;
    private @Nullable Promise<Void> waiting;
    private LookEnd end = LookEnd.NOTHING;

    /** When the last look began that has ended well. */
    private long looked = System.nanoTime();

    private boolean comparing;

    /** Gets what was found. */
    interface KnownQuestions {
        /** The URIs that are known. */
        Collection<String> known();

        /** Whether what {@code head} says is not known yet; {@code anew} if an older revision may be the newest now. */
        boolean lacks(WatchHead head, boolean anew);

        /** A question is so now; {@code anew} as for {@link #lacks}. */
        void found(Watch watch, WatchHead head, boolean anew);

        /** There is no such question any more. */
        void missing(String uri);
    }

    /**
     * Looks at nothing yet.
     *
     * @param executor reads JSON
     */
    WatchLooks(WatchTable table, BlockingExecutor executor, KnownQuestions seen) {
        this.table = table;
        this.executor = executor;
        this.seen = seen;
    }

    /**
     * What is looked at.
     *
     * @param all whether what is not found is gone
     * @param anew whether an older revision may be the newest now
     * @param there the URIs that were found
     */
    private record LookRound(boolean all, boolean anew, Set<String> there) {}

    /** Compares all questions, beside the looks, which do not wait for that. Completes in any case. */
    Future<Void> compare() {
        String server;
        synchronized (this) {
            if (comparing || end.equals(LookEnd.NOTHING)) {
                return Future.succeededFuture();
            }
            comparing = true;
            server = end.server();
        }
        return table.look(LookEnd.NOTHING)
                .compose(first -> first.next().server().equals(server)
                        ? pages(first, new LookRound(true, false, new HashSet<>()))
                        : Future.succeededFuture()) // the next look sees that
                .transform(_ -> {
                    synchronized (this) {
                        comparing = false;
                    }
                    return Future.succeededFuture();
                });
    }

    /** Completes when all is known that was written before; fails if the database can't be read. */
    Future<Void> look() {
        Promise<Void> mine;
        synchronized (this) {
            if (running != null) {
                waiting = waiting == null ? Promise.promise() : waiting;
                return waiting.future();
            }
            running = Promise.promise();
            mine = running;
        }
        begin();
        return mine.future();
    }

    private void begin() {
        LookEnd before;
        String server;
        long begun = System.nanoTime();
        synchronized (this) {
            before = begun - looked > AWAY_NANOS ? LookEnd.NOTHING : end;
            server = end.server();
        }
        Future<Void> done = since(before, server).map(next -> {
            synchronized (this) {
                end = next;
                looked = begun;
            }
            return null;
        });
        Futures.settle(done, over -> ended().handle(over), _ -> {});
    }

    /** The look is over; the next one begins if somebody waits for it. */
    private Promise<Void> ended() {
        Promise<Void> over;
        boolean more;
        synchronized (this) {
            over = Objects.requireNonNull(running, "a look is under way");
            running = waiting;
            waiting = null;
            more = running != null;
        }
        if (more) {
            begin();
        }
        return over;
    }

    /** Looks at what has come since {@code before} on {@code server}, and gives where the next look begins. */
    private Future<LookEnd> since(LookEnd before, String server) {
        return table.look(before).compose(first -> {
            boolean all = before.equals(LookEnd.NOTHING);
            boolean anew = !first.next().server().equals(server);
            return anew && !all // another server, which may lack what this one has seen
                    ? since(LookEnd.NOTHING, server)
                    : pages(first, new LookRound(all, anew, new HashSet<>())).map(first.next());
        });
    }

    private Future<Void> pages(WatchLook first, LookRound round) {
        Future<Void> read = Futures.repeat(first, page -> taken(page, round).compose(_ -> table.after(page)));
        return round.all() ? read.compose(_ -> missing(round)) : read;
    }

    private Future<Void> taken(WatchLook page, LookRound round) {
        List<String> wanted = new ArrayList<>();
        for (WatchHead head : page.heads()) {
            round.there().add(head.uri());
            if (!head.live()) {
                seen.missing(head.uri());
            } else if (seen.lacks(head, round.anew())) {
                wanted.add(head.uri());
            }
        }
        return read(wanted, round.anew());
    }

    private Future<Void> missing(LookRound round) {
        return executor.run("", () -> false, () -> seen.known().stream()
                        .filter(uri -> !round.there().contains(uri))
                        .toList())
                .compose(wanted -> read(wanted, round.anew()));
    }

    /** Reads the questions with these URIs; {@code anew} as for {@link KnownQuestions#lacks}. */
    Future<Void> read(List<String> uris, boolean anew) {
        return Futures.oneByOne(WatchTable.parts(uris).iterator(), page -> page(page, anew));
    }

    private Future<Void> page(List<String> uris, boolean anew) {
        return table.rows(uris)
                .compose(rows -> executor.run("", () -> false, () -> parsed(rows)))
                .map(parsed -> {
                    Map<String, WatchHead> heads = new HashMap<>();
                    parsed.heads().forEach(head -> heads.put(head.uri(), head));
                    for (String uri : uris) {
                        WatchHead head = heads.get(uri);
                        Watch watch = parsed.watches().get(uri);
                        if (head == null || !head.live()) {
                            seen.missing(uri);
                        } else if (watch != null) {
                            seen.found(watch, head, anew);
                        }
                    }
                    return null;
                });
    }

    private record ParsedRows(List<WatchHead> heads, Map<String, Watch> watches) {}

    private ParsedRows parsed(List<WatchRow> rows) {
        List<WatchHead> heads = new ArrayList<>();
        Map<String, Watch> watches = new LinkedHashMap<>();
        for (WatchRow row : rows) {
            String uri = row.head().uri();
            byte[] body = row.body();
            heads.add(row.head());
            if (body != null) {
                try {
                    watches.put(uri, Json.mapper().readValue(body, Watch.class));
                } catch (IOException
                        | RuntimeException e) { // whatever a damaged row, or one of a newer version, leads to
                    problem(uri, e);
                }
            }
        }
        return new ParsedRows(heads, watches);
    }

    private synchronized void problem(String uri, Exception problem) {
        if (unreadable.add(uri)) {
            LOG.warn(
                    "a standing question in the database can't be read, and is not known here: {}",
                    problem.getClass().getSimpleName()); // the message may have a part of the question
        }
    }
}
