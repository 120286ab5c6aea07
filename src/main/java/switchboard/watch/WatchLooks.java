package switchboard.watch;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.cluster.DocumentTables.LookEnd;
import switchboard.cluster.WatchTable;
import switchboard.cluster.WatchTable.WatchHead;
import switchboard.cluster.WatchTable.WatchRow;
import switchboard.concurrent.BlockingExecutor;

/**
 * Reads what gateways have made of the questions that they share. At most one look is under way, and whoever asks meanwhile
 * shares the next one. Thread-safe.
 */
final class WatchLooks {
    private static final Logger LOG = LoggerFactory.getLogger(WatchLooks.class);

    private final WatchTable table;
    private final BlockingExecutor executor;
    private final KnownQuestions seen;
    private final Set<String> unreadable = new HashSet<>();
    private @Nullable Promise<Void> running;
    private @Nullable Promise<Void> waiting;
    private LookEnd end = LookEnd.NOTHING;
    private boolean everything = true;

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

    /** The next look compares all questions. */
    synchronized void compareAll() {
        everything = true;
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
        synchronized (this) {
            before = everything ? LookEnd.NOTHING : end;
            server = end.server();
            everything = false;
        }
        Future<Void> done = table.look(before).compose(found -> taken(found, before, server));
        Futures.settle(done.onFailure(_ -> compareAll()), over -> ended().handle(over), _ -> {});
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

    private Future<Void> taken(WatchTable.WatchLook look, LookEnd before, String server) {
        boolean all = before.equals(LookEnd.NOTHING);
        boolean anew = !look.next().server().equals(server);
        if (anew && !all) { // another server, which may lack what this one has seen
            return table.look(LookEnd.NOTHING).compose(again -> taken(again, LookEnd.NOTHING, server));
        }
        Set<String> wanted = new LinkedHashSet<>();
        Set<String> there = new HashSet<>();
        for (WatchHead head : look.heads()) {
            there.add(head.uri());
            if (!head.live()) {
                seen.missing(head.uri());
            } else if (seen.lacks(head, anew)) {
                wanted.add(head.uri());
            }
        }
        if (all) {
            seen.known().stream().filter(uri -> !there.contains(uri)).forEach(wanted::add);
        }
        return read(List.copyOf(wanted), anew).map(_ -> {
            synchronized (this) {
                end = look.next();
            }
            return null;
        });
    }

    /** Reads the questions with these URIs; {@code anew} as for {@link KnownQuestions#lacks}. */
    Future<Void> read(List<String> uris, boolean anew) {
        List<List<String>> pages = IntStream.iterate(0, start -> start < uris.size(), start -> start + WatchTable.PAGE)
                .mapToObj(start -> uris.subList(start, Math.min(uris.size(), start + WatchTable.PAGE)))
                .toList();
        return Futures.oneByOne(pages.iterator(), page -> page(page, anew));
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
                    problem.getMessage());
        }
    }
}
