package switchboard.backend;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import switchboard.call.CallerTokens;
import switchboard.call.Tracing;
import switchboard.cluster.DocumentTables;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.config.SearchConfig;
import switchboard.embed.DeclaredEmbedders;
import switchboard.upstream.UpstreamServices;

/**
 * The services of the gateway for backends.
 *
 * @param vertx the Vert.x instance
 * @param meters the registry for metrics
 * @param clock the wall clock; tests set it
 * @param dataDir the folder that relative data folders are resolved against
 * @param tracing makes spans of requests to engines
 * @param embedders the embedders that are declared for sources
 * @param sources the declarations of sources, by {@code <backend>:<source>} or {@code <backend>}
 * @param share the part of an executor that one team may use
 * @param approvals the approved definitions that several gateways share; {@link SharedApprovals#NONE} in a gateway by itself
 * @param callerTokens the access tokens of callers; {@link CallerTokens#NONE} if the gateway accepts none
 * @param cluster the documents that gateways share; empty if this one is by itself
 */
public record BackendServices(
        Vertx vertx,
        MeterRegistry meters,
        Clock clock,
        Path dataDir,
        Tracing tracing,
        DeclaredEmbedders embedders,
        Map<String, SearchConfig.SourceConfig> sources,
        TeamShare share,
        SharedApprovals approvals,
        CallerTokens callerTokens,
        Optional<DocumentTables> cluster) {
    public BackendServices {
        sources = Map.copyOf(sources);
    }

    /** Services without tracing and without declared sources. */
    public BackendServices(Vertx vertx, MeterRegistry meters, Clock clock, Path dataDir) {
        this(
                vertx,
                meters,
                clock,
                dataDir,
                Tracing.OFF,
                DeclaredEmbedders.NONE,
                Map.of(),
                TeamShare.ALL,
                SharedApprovals.NONE,
                CallerTokens.NONE,
                Optional.empty());
    }

    /** Makes an executor for blocking work, which teams share fairly. */
    public BlockingExecutor executor(String name, int threads, int maxWaiting) {
        return new BlockingExecutor(vertx, meters, name, threads, maxWaiting, share);
    }

    /** The services that a client of an engine needs. */
    public UpstreamServices upstream() {
        return new UpstreamServices(vertx, meters, clock, tracing);
    }

    /** Announces changed lists of the instance {@code id}. */
    public ListChanges listChanges(String id) {
        return new ListChanges(vertx.eventBus(), id);
    }
}
