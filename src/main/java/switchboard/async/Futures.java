package switchboard.async;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends chains of futures safely. An exception in a listener of a future is lost: it completes nothing, and if the
 * future has no context, it is not even logged. So {@code Future.onSuccess} is not used in Switchboard. Steps in the
 * middle of a chain are {@code map}, {@code compose} or {@code andThen}; the end is {@link #finish} or {@link
 * #settle}.
 */
public final class Futures {
    private static final Logger LOG = LoggerFactory.getLogger(Futures.class);

    private Futures() {}

    /** A step that runs {@code action} on a result and passes it on: {@code future.map(also(log::add))}. */
    public static <T> Function<T, T> also(Consumer<? super T> action) {
        return result -> {
            action.accept(result);
            return result;
        };
    }

    /**
     * Ends a chain. One of the two is called; both if {@code then} throws.
     *
     * @param then receives the result
     * @param otherwise receives the failure of the chain, or the exception of {@code then}
     */
    public static <T> void finish(Future<T> chain, Consumer<? super T> then, Consumer<Throwable> otherwise) {
        settle(
                chain,
                outcome -> {
                    if (outcome.succeeded()) {
                        then.accept(outcome.result());
                    } else {
                        guarded(otherwise, outcome.cause());
                    }
                },
                otherwise);
    }

    /**
     * Ends a chain.
     *
     * @param then receives the result or the failure
     * @param thrown receives an exception of {@code then}, which is a defect and is logged
     */
    public static <T> void settle(Future<T> chain, Consumer<AsyncResult<T>> then, Consumer<Throwable> thrown) {
        chain.onComplete(outcome -> {
            try {
                then.accept(outcome);
            } catch (RuntimeException | Error e) {
                LOG.error("the end of a call failed", e);
                guarded(thrown, e);
            }
        });
    }

    /** Runs a step for each item, one after the other; ends with the first failure. A loop, so that no chain grows. */
    public static <T> Future<Void> oneByOne(Iterator<T> items, Function<? super T, ? extends Future<?>> step) {
        Promise<Void> end = Promise.promise();
        next(items, step, end);
        return end.future();
    }

    private static <T> void next(Iterator<T> items, Function<? super T, ? extends Future<?>> step, Promise<Void> end) {
        while (items.hasNext()) {
            Future<?> done = step.apply(items.next());
            if (!done.succeeded()) {
                finish(done, _ -> next(items, step, end), end::tryFail);
                return;
            }
        }
        end.complete();
    }

    /**
     * Runs a step again and again, each time with what it gave before, until it gives nothing; ends with the first failure. A loop, so
     * that no chain grows.
     */
    public static <S> Future<Void> repeat(S first, Function<? super S, Future<Optional<S>>> step) {
        Promise<Void> end = Promise.promise();
        repeat(Optional.of(first), step, end);
        return end.future();
    }

    private static <S> void repeat(
            Optional<S> state, Function<? super S, Future<Optional<S>>> step, Promise<Void> end) {
        Optional<S> now = state;
        while (now.isPresent()) {
            Future<Optional<S>> done = step.apply(now.get());
            if (!done.succeeded()) {
                finish(done, next -> repeat(next, step, end), end::tryFail);
                return;
            }
            now = done.result();
        }
        end.complete();
    }

    /** The same result, completed on the current context, so that the following steps belong to the same call. */
    public static <T> Future<T> here(Future<T> future) {
        Context context = Vertx.currentContext();
        if (context == null || future.isComplete()) {
            return future;
        }
        Promise<T> copy = Promise.promise();
        future.onComplete(outcome -> {
            try {
                context.runOnContext(_ -> copy.handle(outcome));
            } catch (RejectedExecutionException ended) { // when Vert.x is closed
                copy.handle(outcome);
            }
        });
        return copy.future();
    }

    /**
     * The result of {@code future}, for a thread that may block.
     *
     * @param most how long is waited
     * @param failed what is thrown instead of a failure, also if it takes longer or the thread is interrupted
     */
    public static <T, X extends Exception> T await(Future<T> future, Duration most, Function<Throwable, X> failed)
            throws X {
        try {
            return future.toCompletionStage().toCompletableFuture().get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failed.apply(Objects.requireNonNullElse(e.getCause(), e));
        } catch (TimeoutException e) {
            throw failed.apply(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed.apply(e);
        }
    }

    private static void guarded(Consumer<Throwable> otherwise, Throwable failure) {
        try {
            otherwise.accept(failure);
        } catch (RuntimeException | Error e) {
            e.addSuppressed(failure);
            LOG.error("the failure of a call could not be reported", e);
        }
    }
}
