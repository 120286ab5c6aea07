package switchboard.watch;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.cluster.DocumentTables.LookEnd;
import switchboard.cluster.WatchTable;
import switchboard.cluster.WatchTable.WatchLook;

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
        return Futures.repeat(LookEnd.NOTHING, before -> since(before, what, run))
                .map(_ ->
                        new ForgottenQuestions(run.changed().get(), run.unread().size()));
    }

    /** Forgets of what was written since {@code before}; gives what comes then, if anything was forgotten: it may have moved meanwhile. */
    private Future<Optional<LookEnd>> since(LookEnd before, WatchForgetting what, ForgettingRun run) {
        long changed = run.changed().get();
        return table.look(before).compose(first -> Futures.repeat(first, page -> page(page, what, run))
                .map(_ -> run.changed().get() == changed ? Optional.empty() : Optional.of(first.next())));
    }

    private Future<Optional<WatchLook>> page(WatchLook page, WatchForgetting what, ForgettingRun run) {
        List<String> uris = page.heads().stream()
                .filter(WatchTable.WatchHead::live)
                .map(WatchTable.WatchHead::uri)
                .toList();
        return Futures.oneByOne(WatchTable.parts(uris).iterator(), part -> rest(part, what, run, ATTEMPTS))
                .compose(_ -> table.after(page));
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
