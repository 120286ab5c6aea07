package switchboard.async;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ends of chains of futures. What a listener of a future throws completes nothing, and where the future has no context
 * it is not even logged: whoever waits, waits until the time is up. So {@code Future.onSuccess} is not used in Switchboard.
 * Steps in the middle of a chain are {@code map}, {@code compose} or {@code andThen}; its end is {@link #finish} or
 * {@link #settle}.
 */
public final class Futures {
    private static final Logger LOG = LoggerFactory.getLogger(Futures.class);

    private Futures() {}

    /** A step that does {@code action} with a result and hands it on: {@code future.map(also(log::add))}. */
    public static <T> Function<T, T> also(Consumer<? super T> action) {
        return result -> {
            action.accept(result);
            return result;
        };
    }

    /**
     * Ends a chain: one of the two is called, or both when {@code then} throws.
     *
     * @param then gets the result
     * @param otherwise gets the failure of the chain, or what {@code then} has thrown
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
     * @param then gets what it comes to
     * @param thrown gets what {@code then} has thrown, which is a defect and logged as one
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

    /**
     * The same outcome, told on the context of whoever asks now. What follows then belongs to the same call, whoever it was
     * that completed the future.
     */
    public static <T> Future<T> here(Future<T> future) {
        Context context = Vertx.currentContext();
        if (context == null || future.isComplete()) {
            return future;
        }
        Promise<T> copy = Promise.promise();
        future.onComplete(outcome -> {
            try {
                context.runOnContext(_ -> copy.handle(outcome));
            } catch (RejectedExecutionException ended) { // with the runtime
                copy.handle(outcome);
            }
        });
        return copy.future();
    }

    private static void guarded(Consumer<Throwable> otherwise, Throwable failure) {
        try {
            otherwise.accept(failure);
        } catch (RuntimeException | Error e) {
            e.addSuppressed(failure);
            LOG.error("the failure of a call could not be told", e);
        }
    }
}
