package switchboard.watch;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.cluster.DocumentTables.LookEnd;
import switchboard.cluster.WatchTable;

/**
 * Forgets standing questions that gateways share; they see that at their next look. One that this version can't read stays.
 *
 * @param table has them
 */
public record ForgottenSharedWatches(WatchTable table) {
    /** How often a question is tried while a gateway changes it. */
    private static final int ATTEMPTS = 10;

    private record ForgettingRun(AtomicLong changed, Set<String> unread) {}

    /**
     * What became of the questions.
     *
     * @param changed how many are gone or have changed
     * @param unread how many can't be read by this version, and stay
     */
    public record ForgottenQuestions(long changed, int unread) {}

    /** Forgets {@code what}. */
    public Future<ForgottenQuestions> forget(WatchForgetting what) {
        ForgettingRun run = new ForgettingRun(new AtomicLong(), ConcurrentHashMap.newKeySet());
        return table.look(LookEnd.NOTHING)
                .compose(look -> {
                    List<String> uris = look.heads().stream()
                            .filter(WatchTable.WatchHead::live)
                            .map(WatchTable.WatchHead::uri)
                            .toList();
                    return Futures.oneByOne(
                            IntStream.iterate(0, start -> start < uris.size(), start -> start + WatchTable.PAGE)
                                    .mapToObj(start ->
                                            uris.subList(start, Math.min(uris.size(), start + WatchTable.PAGE)))
                                    .iterator(),
                            page -> rest(page, what, run, ATTEMPTS));
                })
                .map(_ ->
                        new ForgottenQuestions(run.changed().get(), run.unread().size()));
    }

    private Future<Void> rest(List<String> uris, WatchForgetting what, ForgettingRun run, int left) {
        return table.rows(uris).compose(rows -> Futures.oneByOne(rows.iterator(), row -> rest(row, what, run, left)));
    }

    private Future<Void> rest(WatchTable.WatchRow row, WatchForgetting what, ForgettingRun run, int left) {
        byte[] body = row.body();
        if (body == null) {
            return Future.succeededFuture();
        }
        String uri = row.head().uri();
        Optional<Watch> watch = parsed(body);
        if (watch.isEmpty()) {
            run.unread().add(uri);
            return Future.succeededFuture();
        }
        Optional<Watch> rest = watch.flatMap(what::rest);
        if (watch.equals(rest)) {
            return Future.succeededFuture();
        }
        Future<Optional<Long>> written = rest.isEmpty()
                ? table.end(uri)
                : table.change(uri, row.head().revision(), Json.bytes(Json.tree(rest.get())));
        return written.compose(revision -> {
            if (revision.isPresent() || rest.isEmpty()) {
                run.changed().incrementAndGet();
                return Future.succeededFuture();
            }
            return left == 0
                    ? Future.failedFuture("A gateway changes " + uri + " again and again. Forget again.")
                    : rest(List.of(uri), what, run, left - 1);
        });
    }

    private static Optional<Watch> parsed(byte[] body) {
        try {
            return Optional.of(Json.mapper().readValue(body, Watch.class));
        } catch (IOException | RuntimeException _) { // whatever a damaged row leads to
            return Optional.empty();
        }
    }
}
