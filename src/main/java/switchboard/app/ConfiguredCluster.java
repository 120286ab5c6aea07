package switchboard.app;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.app.BootException.Stage;
import switchboard.auth.Authenticator;
import switchboard.auth.ReadyAuthenticator;
import switchboard.call.DiagnosticFinding;
import switchboard.cluster.Cluster;
import switchboard.cluster.ClusterCheck;
import switchboard.config.ClusterConfig;
import switchboard.config.GatewayConfig;
import switchboard.dispatch.DisabledBackends;
import switchboard.http.Readiness;
import switchboard.session.SessionLimits;

/**
 * The node of a gateway that shares a database with others.
 *
 * @param node the node, or null if the gateway is by itself
 */
record ConfiguredCluster(@Nullable Cluster node) {
    /**
     * The node of {@code config}.
     *
     * @throws BootException if it can't be used
     */
    static ConfiguredCluster of(GatewayConfig config, Platform platform) {
        ClusterConfig cluster = config.cluster();
        if (cluster == null) {
            return new ConfiguredCluster(null);
        }
        SessionLimits sessions = ConfiguredLimits.sessions(config);
        try {
            return new ConfiguredCluster(new Cluster(
                    platform.vertx(),
                    cluster,
                    new Cluster.SharedLimits(sessions.max(), sessions.idleTtl().toMillis()),
                    Installation.version(),
                    platform.executor("cluster", 4),
                    platform.meters(),
                    platform.clock()));
        } catch (IllegalArgumentException e) {
            throw new BootException(Stage.CONFIGURATION, List.of(String.valueOf(e.getMessage())));
        }
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

    /** Joins the others as soon as it can. */
    void start() {
        if (node != null) {
            node.start();
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

    /** Whether the gateway may be ready: what runs stays so without the database, and what starts waits for it. */
    boolean joined() {
        return node == null || node.joined();
    }

    /** Its health. */
    Readiness.@Nullable Part part() {
        if (node == null) {
            return null;
        }
        Readiness.Status down = node.joined() ? Readiness.Status.DEGRADED : Readiness.Status.DOWN;
        return new Readiness.Part(node.node(), node.up() ? Readiness.Status.UP : down, !node.joined(), node.detail());
    }

    Future<Void> close() {
        return node == null ? Future.succeededFuture() : node.close();
    }
}
