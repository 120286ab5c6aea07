package switchboard.app;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.app.BootException.Stage;
import switchboard.call.DiagnosticFinding;
import switchboard.cluster.Cluster;
import switchboard.cluster.ClusterCheck;
import switchboard.config.ClusterConfig;
import switchboard.config.GatewayConfig;
import switchboard.http.Readiness;

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
        try {
            return new ConfiguredCluster(new Cluster(
                    platform.vertx(),
                    cluster,
                    ConfiguredLimits.sessions(config),
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

    Future<Void> close() {
        return node == null ? Future.succeededFuture() : node.close();
    }
}
