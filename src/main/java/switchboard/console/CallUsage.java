package switchboard.console;

import io.vertx.core.Future;
import java.util.function.Function;

/** Answers questions about usage, off the event loops. */
public interface CallUsage {
    /**
     * What {@code shown} makes of the answer.
     *
     * @param team whose turn it is that takes
     * @param audience what may be seen
     */
    <T> Future<T> report(String team, UsageQuery query, CallAudience audience, Function<UsageReport, T> shown);
}
