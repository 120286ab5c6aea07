package switchboard.watch;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.DiskError;
import switchboard.call.Json;
import switchboard.cluster.ClusterUnavailableException;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.WatchTable;
import switchboard.concurrent.BlockingExecutor;
import switchboard.files.LockFile;
import switchboard.watch.ForgottenWatches.ForgetNote;

/**
 * The standing questions that a gateway kept in its data folder before it shared a database with others. They are moved there
 * when it starts. A file goes when its question is in the database; if the process is killed between, the next start finds it there.
 */
public final class FormerWatches {
    private static final Logger LOG = LoggerFactory.getLogger(FormerWatches.class);
    private static final long AGAIN_MS = 5_000;

    private final WatchFolder folder;
    private final ForgottenWatches forgotten;
    private final DocumentTables tables;
    private final BlockingExecutor executor;
    private final Vertx vertx;

    /** Whether the log says that it does not go. */
    private volatile boolean told;

    /**
     * The questions in the data folder {@code data}.
     *
     * @param tables where they belong now
     * @param executor reads and removes files
     */
    public FormerWatches(Path data, DocumentTables tables, BlockingExecutor executor, Vertx vertx) {
        this.folder = new WatchFolder(data);
        this.forgotten = new ForgottenWatches(data);
        this.tables = tables;
        this.executor = executor;
        this.vertx = vertx;
    }

    /**
     * What is in the folder, which nobody else changes before {@code lock} is closed.
     *
     * @param notes what was to be forgotten when the gateway stopped
     */
    private record FormerQuestions(LockFile lock, List<Watch> watches, List<ForgetNote> notes) {
        private Optional<Watch> rest(Watch watch) {
            Optional<Watch> rest = Optional.of(watch);
            for (ForgetNote note : notes) {
                rest = rest.flatMap(note.what()::rest);
            }
            return rest;
        }
    }

    /** Moves them as soon as the database can be used. */
    public void move() {
        Future<Void> moved = executor.run("", () -> false, this::read)
                .compose(found -> found.map(this::moved).orElseGet(Future::succeededFuture));
        Futures.finish(moved, _ -> {}, failure -> {
            if (failure instanceof ClusterUnavailableException || told) {
                LOG.debug("the standing questions of the data folder are moved later", failure);
            } else {
                told = true;
                LOG.warn(
                        "the standing questions of the data folder can't be moved into the shared database now: {}; that is tried again",
                        DiskError.problem(failure));
            }
            vertx.setTimer(AGAIN_MS, _ -> move());
        });
    }

    private Optional<FormerQuestions> read() throws IOException {
        if (!folder.exists()) {
            return Optional.empty();
        }
        LockFile lock = folder.take().orElse(null);
        if (lock == null) {
            LOG.warn("another process keeps the standing questions in this data folder; they stay there");
            return Optional.empty();
        }
        try {
            return Optional.of(new FormerQuestions(lock, folder.read(), forgotten.notes()));
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    private Future<Void> moved(FormerQuestions former) {
        return Futures.oneByOne(former.watches().iterator(), watch -> moved(watch, former))
                .compose(_ -> executor.run("", () -> false, forgotten::notes))
                .compose(notes -> Futures.oneByOne(notes.iterator(), this::forget))
                .transform(over -> executor.run("", () -> false, () -> {
                            former.lock().close();
                            return true;
                        })
                        .compose(_ -> over.succeeded() ? Future.succeededFuture() : Future.failedFuture(over.cause())))
                .map(_ -> {
                    if (!former.watches().isEmpty()) {
                        LOG.info(
                                "{} standing questions of the data folder are in the shared database now",
                                former.watches().size());
                        tables.announce(WatchTable.NOTICE);
                    }
                    return null;
                });
    }

    /** A command that found the folder taken has left a note; meanwhile its question may have moved. */
    private Future<Boolean> forget(ForgetNote note) {
        return new ForgottenSharedWatches(tables.watches())
                .forget(note.what())
                .compose(_ -> executor.run("", () -> false, () -> {
                    folder.forgetDamaged(note.what().team());
                    return ForgottenWatches.done(note);
                }));
    }

    private Future<Boolean> moved(Watch watch, FormerQuestions former) {
        Future<Void> there = former.rest(watch)
                .map(rest -> executor.run("", () -> false, () -> Json.bytes(Json.tree(rest)))
                        .compose(body -> tables.watches()
                                .takeOver(rest.uri(), rest.owner().team(), body)))
                .orElseGet(Future::succeededFuture);
        return there.compose(_ -> executor.run("", () -> false, () -> {
            folder.remove(watch);
            return true;
        }));
    }
}
