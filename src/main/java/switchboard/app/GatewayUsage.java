package switchboard.app;

import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.cluster.UsageTable;
import switchboard.concurrent.BlockingExecutor;
import switchboard.console.CallUsage;
import switchboard.console.CountedUsage;
import switchboard.console.SharedUsage;
import switchboard.console.StoredUsage;
import switchboard.console.UnsentUsage;
import switchboard.console.UsageStore;

/**
 * What this gateway counts for the console, by itself or together with the others of its cluster.
 *
 * @param counted where it counts
 * @param reporting answers questions, with an executor that does the work
 * @param writer writes it for the others, or null
 */
record GatewayUsage(
        CountedUsage counted,
        Function<BlockingExecutor, CallUsage> reporting,
        @Nullable UsageWriter writer) {
    private static final long LAST_WRITE_SECONDS = 6;

    /** Of a gateway by itself. */
    static GatewayUsage alone(Clock clock) {
        UsageStore store = new UsageStore(clock);
        return new GatewayUsage(store, executor -> new StoredUsage(store, executor), null);
    }

    /** Of one of several, which write to {@code table} once in {@code period}. */
    static GatewayUsage shared(UsageTable table, Platform platform, Duration period) {
        UnsentUsage unsent = new UnsentUsage(UUID.randomUUID().toString(), platform.clock());
        return new GatewayUsage(
                unsent,
                executor -> SharedUsage.of(table, unsent, executor, platform.share()),
                new UsageWriter(unsent, table, platform.vertx(), period));
    }

    CallUsage reports(BlockingExecutor executor) {
        return reporting.apply(executor);
    }

    /** Writes for others from now on. */
    void start() {
        if (writer != null) {
            writer.start();
        }
    }

    /** Writes for the last time. What can't be written stays in the file. */
    Future<Void> close() {
        return writer == null ? Future.succeededFuture() : writer.close().timeout(LAST_WRITE_SECONDS, TimeUnit.SECONDS);
    }
}
