package switchboard.backend;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import switchboard.call.Tracing;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.embed.DeclaredEmbedders;

/**
 * What the gateway provides to every backend.
 *
 * @param vertx the runtime
 * @param meters where metrics go
 * @param clock the time of day; tests set it
 * @param dataDir the folder that relative data folders are resolved against
 * @param tracing told of requests to engines
 * @param embedders which of them are declared for which sources
 * @param share how much of an executor one team may hold
 */
public record BackendServices(
        Vertx vertx,
        MeterRegistry meters,
        Clock clock,
        Path dataDir,
        Tracing tracing,
        DeclaredEmbedders embedders,
        TeamShare share) {
    /** Services without tracing, where no embedders are declared for sources. */
    public BackendServices(Vertx vertx, MeterRegistry meters, Clock clock, Path dataDir) {
        this(vertx, meters, clock, dataDir, Tracing.OFF, DeclaredEmbedders.NONE, TeamShare.ALL);
    }

    /** An executor for blocking work, of whose threads and queue each team has its share. */
    public BlockingExecutor executor(String name, int threads, int maxWaiting) {
        return new BlockingExecutor(vertx, meters, name, threads, maxWaiting, share);
    }

    /** How the instance {@code id} announces changed lists. */
    public ListChanges listChanges(String id) {
        return new ListChanges(vertx.eventBus(), id);
    }
}
