package switchboard.store;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.CurrentTeam;
import switchboard.concurrent.TeamShare;
import switchboard.telemetry.MetricNames;

/**
 * Makes changes durable, several with one commit. While a commit of a namespace is under way, new changes wait and
 * form the next commit together. A change is acknowledged after its commit. A change that fails alone does not affect
 * the others; a commit that fails undoes and fails all of its changes.
 */
final class GroupCommit {
    /** Maximum number of changes in a commit. */
    private static final int MAX_GROUP = 500;

    /** A change to a namespace. It runs on an executor. */
    interface Change<T> {
        T apply(CommitBatch commitBatch) throws IOException;

        /** Whether the change reads from the last commit what it writes, so that it must be alone in its commit. */
        default boolean alone() {
            return false;
        }
    }

    /**
     * A change that reads from the last commit the documents that it rewrites, so it is alone in its commit.
     *
     * @param change what it does
     */
    record Rewrite<T>(Change<T> change) implements Change<T> {
        @Override
        public T apply(CommitBatch commitBatch) throws IOException {
            return change.apply(commitBatch);
        }

        @Override
        public boolean alone() {
            return true;
        }
    }

    private final Vertx vertx;
    private final BlockingExecutor executor;
    private final NamespaceCatalog catalog;
    private final Clock clock;
    private final int maxOpen;
    private final int maxWaiting;
    private final TeamShare share;
    private final Timer commits;
    private final DistributionSummary groupSizes;

    private volatile CommitListener listener = _ -> {};

    /** Guards the fields below. */
    private final Object lock = new Object();

    private final Map<Namespace, Deque<Pending<?>>> queues = new HashMap<>();
    private final Map<String, Integer> waitingOf = new HashMap<>();
    private int waiting;
    private @Nullable Promise<Void> closing;

    GroupCommit(
            Vertx vertx,
            BlockingExecutor executor,
            NamespaceCatalog catalog,
            MeterRegistry meters,
            Clock clock,
            StoreSettings settings) {
        this.vertx = vertx;
        this.clock = clock;
        this.maxOpen = settings.maxOpenNamespaces();
        this.executor = executor;
        this.catalog = catalog;
        this.maxWaiting = settings.maxWaiting();
        this.share = settings.share();
        this.commits = Timer.builder(MetricNames.STORE_COMMITS)
                .description("Time until a commit is on the disk")
                .tag("store", settings.name())
                .register(meters);
        this.groupSizes = DistributionSummary.builder(MetricNames.STORE_COMMIT_CHANGES)
                .description("Changes that share a commit")
                .tag("store", settings.name())
                .register(meters);
    }

    /** Has {@code other} be told of each commit. */
    void onCommit(CommitListener other) {
        listener = other;
    }

    /** A waiting change with the promise for its result. */
    private final class Pending<T> {
        private final Change<T> change;
        private final String team = CurrentTeam.get();
        private final Context context = vertx.getOrCreateContext();
        private final Promise<T> promise = Promise.promise();
        private @Nullable T result;
        private @Nullable ToolException failure;

        Pending(Change<T> change) {
            this.change = change;
        }

        /** Applies the change. The promise is completed after the commit. */
        void apply(CommitBatch commitBatch) throws IOException {
            try {
                result = change.apply(commitBatch);
            } catch (ToolException refused) {
                failure = refused;
            } catch (IllegalArgumentException unfit) {
                failure = new ToolException(FailureKind.INVALID_ARGUMENT, "It can't be stored: " + unfit.getMessage());
            }
        }

        void tell(@Nullable ToolException commitFailure) {
            T value = result;
            ToolException failed = failure != null ? failure : commitFailure;
            context.runOnContext(on -> {
                if (failed != null) {
                    promise.fail(failed);
                } else {
                    promise.complete(value);
                }
            });
        }
    }

    /** Submits {@code change} to {@code namespace}. Completes when it is durable and readers see it. */
    <T> Future<T> submit(Namespace namespace, Change<T> change) {
        Pending<T> pending = new Pending<>(change);
        boolean idle;
        synchronized (lock) {
            if (closing != null) {
                return Future.failedFuture(new ToolException(
                        FailureKind.UNAVAILABLE, "The store is closing. " + EngineMessageSanitizer.LATER));
            }
            if (waiting >= maxWaiting || waitingOf.getOrDefault(pending.team, 0) >= share.of(maxWaiting)) {
                return Future.failedFuture(new ToolException(
                        FailureKind.OVERLOADED, "Too many writes are waiting. Try again in a moment."));
            }
            waiting++;
            waitingOf.merge(pending.team, 1, Integer::sum);
            Deque<Pending<?>> queue = queues.get(namespace);
            idle = queue == null;
            if (queue == null) {
                queue = new ArrayDeque<>();
                queues.put(namespace, queue);
            }
            queue.add(pending);
        }
        if (idle) {
            work(namespace, pending.team);
        }
        return pending.promise.future();
    }

    /** Commits the next group of a namespace on the executor, on behalf of the team of the first change. */
    private void work(Namespace namespace, String team) {
        executor.run(team, () -> false, () -> commitNext(namespace)).onComplete(turn -> {
            if (turn.failed()) {
                // The executor accepts no more work of this team, so these changes would wait for ever.
                takeAll(namespace, team).forEach(pending -> pending.tell(StoreFailures.of(turn.cause(), "Writing")));
            }
            next(namespace).ifPresent(following -> work(namespace, following));
        });
    }

    /** The team of the next change to {@code namespace}; empty if none waits. */
    private Optional<String> next(Namespace namespace) {
        Promise<Void> closed = null;
        synchronized (lock) {
            Deque<Pending<?>> queue = queues.get(namespace);
            if (queue != null && !queue.isEmpty()) {
                return Optional.of(queue.element().team);
            }
            queues.remove(namespace);
            if (queues.isEmpty()) {
                closed = closing;
            }
        }
        if (closed != null) {
            closed.tryComplete();
        }
        return Optional.empty();
    }

    /** Takes up to {@code most} changes off a queue. A change that must be alone is taken alone. */
    private List<Pending<?>> take(Namespace namespace, int most) {
        List<Pending<?>> group = new ArrayList<>();
        synchronized (lock) {
            Deque<Pending<?>> queue = queues.get(namespace);
            while (queue != null && group.size() < most && !queue.isEmpty()) {
                boolean alone = queue.element().change.alone();
                if (alone && !group.isEmpty()) {
                    break;
                }
                group.add(queue.remove());
                left(group.getLast());
                if (alone) {
                    break;
                }
            }
        }
        return group;
    }

    /** Takes all changes of {@code team} off a queue. */
    private List<Pending<?>> takeAll(Namespace namespace, String team) {
        List<Pending<?>> all = new ArrayList<>();
        synchronized (lock) {
            Deque<Pending<?>> queue = queues.get(namespace);
            if (queue != null) {
                queue.stream().filter(pending -> pending.team.equals(team)).forEach(all::add);
                queue.removeAll(all);
                all.forEach(this::left);
            }
        }
        return all;
    }

    private void left(Pending<?> pending) {
        waiting--;
        waitingOf.computeIfPresent(pending.team, (_, count) -> count == 1 ? null : count - 1);
    }

    private int commitNext(Namespace namespace) {
        List<Pending<?>> group = take(namespace, MAX_GROUP);
        ToolException failure = null;
        boolean changed = false;
        try {
            changed = commit(namespace, group);
        } catch (IOException | RuntimeException e) {
            failure = StoreFailures.of(e, "Writing to " + namespace.name());
        }
        for (Pending<?> pending : group) {
            pending.tell(failure);
        }
        if (changed) {
            listener.committed(namespace);
        }
        catalog.trim(maxOpen, Long.MIN_VALUE);
        return group.size();
    }

    /** Whether anything was changed. */
    private boolean commit(Namespace namespace, List<Pending<?>> pendings) throws IOException {
        NamespaceIndex index = catalog.make(namespace);
        index.used(clock.millis());
        index.writing().lock();
        try (CommitBatch commitBatch = new CommitBatch(index)) {
            for (Pending<?> pending : pendings) {
                pending.apply(commitBatch);
            }
            boolean changed = commitBatch.changed();
            if (changed) {
                long start = System.nanoTime();
                index.commit(commitBatch.facts(clock.instant()));
                commits.record(System.nanoTime() - start, java.util.concurrent.TimeUnit.NANOSECONDS);
                groupSizes.record(pendings.size());
            }
            return changed;
        } catch (IOException | RuntimeException e) {
            index.rollback();
            throw e;
        } finally {
            index.writing().unlock();
        }
    }

    /** Accepts no more changes. Completes when those that were accepted are done. */
    Future<Void> close() {
        synchronized (lock) {
            Promise<Void> promise = closing == null ? Promise.promise() : closing;
            closing = promise;
            if (queues.isEmpty()) {
                promise.tryComplete();
            }
            return promise.future();
        }
    }
}
