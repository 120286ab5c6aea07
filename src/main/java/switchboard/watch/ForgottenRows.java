package switchboard.watch;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.cluster.DocumentTables.LookEnd;
import switchboard.cluster.WatchTable;

/**
 * Forgets standing questions that gateways share; they see that at their next look. A question that can't be read goes, too.
 *
 * @param table has them
 */
public record ForgottenRows(WatchTable table) {
    /** How often a question is tried while a gateway changes it. */
    private static final int ATTEMPTS = 10;

    /** How many questions are gone or have changed. */
    public Future<Long> forget(WatchForgetting what) {
        AtomicLong changed = new AtomicLong();
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
                            page -> rest(page, what, changed, ATTEMPTS));
                })
                .map(_ -> changed.get());
    }

    private Future<Void> rest(List<String> uris, WatchForgetting what, AtomicLong changed, int left) {
        return table.rows(uris)
                .compose(rows -> Futures.oneByOne(rows.iterator(), row -> rest(row, what, changed, left)));
    }

    private Future<Void> rest(WatchTable.WatchRow row, WatchForgetting what, AtomicLong changed, int left) {
        byte[] body = row.body();
        if (body == null) {
            return Future.succeededFuture();
        }
        String uri = row.head().uri();
        Optional<Watch> watch = parsed(body);
        Optional<Watch> rest = watch.flatMap(what::rest);
        if (watch.isPresent() && watch.equals(rest)) {
            return Future.succeededFuture();
        }
        Future<Optional<Long>> written = rest.isEmpty()
                ? table.end(uri)
                : table.change(uri, row.head().revision(), Json.bytes(Json.tree(rest.get())));
        return written.compose(revision -> {
            if (revision.isPresent() || rest.isEmpty()) {
                changed.incrementAndGet();
                return Future.succeededFuture();
            }
            return left == 0
                    ? Future.failedFuture("A gateway changes " + uri + " again and again. Forget again.")
                    : rest(List.of(uri), what, changed, left - 1);
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
