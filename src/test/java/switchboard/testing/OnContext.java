package switchboard.testing;

import io.vertx.core.Context;
import io.vertx.core.Promise;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Work on the thread of a Vert.x context, waited for. */
public final class OnContext {
    private OnContext() {}

    /** What {@code work} returns; what it throws is thrown here too, failed assertions included. */
    public static <T> T call(Context context, Callable<T> work) {
        Promise<T> done = Promise.promise();
        context.runOnContext(_ -> {
            try {
                done.complete(work.call());
            } catch (Throwable t) {
                done.fail(t);
            }
        });
        try {
            return done.future().await(1, TimeUnit.MINUTES);
        } catch (TimeoutException e) {
            throw new AssertionError("the work on the context has not ended", e);
        }
    }
}
