package switchboard.app;

import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import switchboard.app.BootException.Stage;
import switchboard.auth.Authenticator;
import switchboard.auth.OpenIdClient;
import switchboard.auth.ReadyAuthenticator;
import switchboard.auth.SharedBudgets;
import switchboard.auth.TeamBudgets;
import switchboard.auth.TokenEstimate;
import switchboard.call.DiagnosticFinding;
import switchboard.cluster.Cluster;
import switchboard.cluster.ClusterCheck;
import switchboard.cluster.DocumentTables;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.ClusterConfig;
import switchboard.config.GatewayConfig;
import switchboard.dispatch.DisabledBackends;
import switchboard.http.Readiness;
import switchboard.insight.InsightFolder;
import switchboard.insight.InsightStore;
import switchboard.insight.SharedInsight;
import switchboard.telemetry.MetricNames;
import switchboard.tuning.SharedTuning;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningShare;
import switchboard.watch.FormerWatches;

/**
 * The node of a gateway that shares a database with others.
 *
 * @param node the node, or null if the gateway is by itself
 * @param shared limits over all of them, or null
 * @param counted the calls that are counted with theirs, or null
 */
record ConfiguredCluster(
        @Nullable Cluster node,
        @Nullable SharedBudgets shared,
        @Nullable GatewayUsage counted) {
    /** Of a gateway by itself. */
    static final ConfiguredCluster NONE = new ConfiguredCluster(null, null, null);

    /**
     * The node of {@code config}.
     *
     * @param installation whose data folder has what is of a time before it had others
     * @throws BootException if it can't be used
     */
    static ConfiguredCluster of(GatewayConfig config, Installation installation, Platform platform) {
        ClusterConfig cluster = config.cluster();
        if (cluster == null) {
            return NONE;
        }
        BlockingExecutor executor = platform.executor("cluster", 4);
        try {
            Cluster node = new Cluster(
                    platform.vertx(),
                    cluster,
                    ConfiguredLimits.sessions(config),
                    Installation.version(),
                    executor,
                    platform.share(),
                    platform.meters(),
                    platform.clock());
            if (config.insight().teams().values().stream().anyMatch(team -> team.watches() != null)) {
                new FormerWatches(installation.data(), node.documents(), executor, platform.vertx()).move();
            }
            boolean counts = config.consoleUse() != GatewayConfig.ConsoleUse.OFF;
            return new ConfiguredCluster(
                    node,
                    shared(node, platform),
                    counts
                            ? GatewayUsage.shared(
                                    node.usage(),
                                    platform,
                                    installation.periods().usage())
                            : null);
        } catch (IllegalArgumentException e) {
            throw new BootException(Stage.CONFIGURATION, List.of(String.valueOf(e.getMessage())));
        }
    }

    private static SharedBudgets shared(Cluster node, Platform platform) {
        Vertx vertx = platform.vertx();
        Context context = vertx.getOrCreateContext(); // of no call
        SharedBudgets budgets =
                new SharedBudgets(node.budgets(), (millis, action) -> timer(context, millis, action), System::nanoTime);
        Gauge.builder(MetricNames.CLUSTER_LIMITS_DIVIDED, budgets, shared -> shared.away() ? 1 : 0)
                .description("Whether this gateway applies its part of the limits by itself")
                .register(platform.meters());
        return budgets;
    }

    private static Runnable timer(Context context, long millis, Runnable action) {
        AtomicBoolean open = new AtomicBoolean(true);
        Runnable once = () -> {
            if (open.compareAndSet(true, false)) {
                action.run();
            }
        };
        try {
            context.runOnContext(_ -> {
                if (millis <= 0) {
                    once.run();
                } else if (open.get()) {
                    context.owner().setTimer(millis, _ -> once.run());
                }
            });
        } catch (RejectedExecutionException _) {
            open.set(false); // the gateway has stopped
        }
        return () -> open.set(false);
    }

    /**
     * Tests the database of {@code config}; nothing is found if the gateway is by itself. Blocks.
     *
     * @throws BootException if the configuration can't be used
     */
    static List<DiagnosticFinding> examine(GatewayConfig config) {
        ClusterConfig cluster = config.cluster();
        if (cluster == null) {
            return List.of();
        }
        try {
            return new ClusterCheck(cluster).run();
        } catch (IllegalArgumentException e) {
            throw new BootException(Stage.CONFIGURATION, List.of(String.valueOf(e.getMessage())));
        }
    }

    /** The documents that gateways share; empty if this one is by itself. */
    Optional<DocumentTables> documents() {
        return Optional.ofNullable(node).map(Cluster::documents);
    }

    /** What teams and keys use of their limits, over all gateways if there are several. */
    TeamBudgets budgets(LiveTeams teams, TokenEstimate tokens, Platform platform) {
        return new TeamBudgets(
                teams::current, tokens, platform.clock(), System::nanoTime, platform.telemetry()::tokens, shared);
    }

    /** Where calls are counted for the console. */
    GatewayUsage usage(Clock clock) {
        return counted == null ? GatewayUsage.alone(clock) : counted;
    }

    /** Where searches are logged: with others in their database, otherwise in the data folder {@code data}. */
    InsightStore searchLog(Path data, Clock clock) {
        InsightFolder folder = new InsightFolder(data);
        return node == null ? folder : new SharedInsight(node.insight(), folder, clock);
    }

    /** What was decided about weights of searches: in the data folder {@code data}, which follows the others if there are any. */
    TuningFolder tuning(Path data) {
        return new TuningFolder(data, node == null ? TuningShare.NONE : new SharedTuning(node.tuning()));
    }

    /** Joins the others as soon as it can. */
    void start() {
        if (node != null) {
            node.start();
        }
        if (shared != null) {
            shared.start();
        }
        if (counted != null) {
            counted.start();
        }
    }

    /** Has what operators decide for all gateways hold here. */
    void follow(SharedOperators operators, DisabledBackends backends, LiveTeams teams, ConfigReloader files) {
        if (node != null) {
            operators.follow(node.decisions(), backends, teams, files);
        }
    }

    /** Callers wait until it is known what operators have decided. */
    Authenticator guard(Authenticator authenticator) {
        return node == null ? authenticator : new ReadyAuthenticator(authenticator, node::joined);
    }

    /** The same for people who sign in at an issuer. */
    OpenIdClient.Persons guard(OpenIdClient.Persons persons) {
        return node == null ? persons : ReadyAuthenticator.of(persons, node::joined);
    }

    /**
     * Its part of {@code /health/ready}; null for a gateway by itself. What runs stays ready without the database, and what starts
     * waits for it.
     */
    Readiness.@Nullable Part part() {
        if (node == null) {
            return null;
        }
        Readiness.Status down = node.joined() ? Readiness.Status.DEGRADED : Readiness.Status.DOWN;
        return new Readiness.Part(node.node(), node.up() ? Readiness.Status.UP : down, !node.joined(), node.detail());
    }

    /** What a stop waits for besides connections: of several gateways, another one may have the client of a call of {@code calls}. */
    Future<Void> readElsewhere(Future<Void> calls) {
        return node == null ? Future.succeededFuture() : calls;
    }

    Future<Void> close() {
        Future<Void> given = shared == null ? Future.succeededFuture() : shared.close();
        Future<Void> written = counted == null ? given : given.transform(_ -> counted.close());
        return node == null ? written : written.transform(_ -> node.close());
    }
}
