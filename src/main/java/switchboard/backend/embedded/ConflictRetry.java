package switchboard.backend.embedded;

import io.vertx.core.Future;
import java.util.function.Supplier;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** Makes a change again that another process came before. */
public final class ConflictRetry {
    /** Each time another process has made a change, so that of many that change the same document all come to their end. */
    private static final int ATTEMPTS = 20;

    private ConflictRetry() {}

    /** Runs {@code change}, and again while it fails with {@code CONFLICT}, at most {@value #ATTEMPTS} times. It begins with reading what it changes. */
    public static <T> Future<T> run(Supplier<Future<T>> change) {
        return run(change, ATTEMPTS);
    }

    private static <T> Future<T> run(Supplier<Future<T>> change, int left) {
        return change.get()
                .recover(failure -> left > 1
                                && failure instanceof ToolException tool
                                && tool.failed().kind() == FailureKind.CONFLICT
                        ? run(change, left - 1)
                        : Future.failedFuture(failure));
    }
}
