package switchboard.cluster;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import switchboard.telemetry.MetricNames;

/** What is measured of a node. */
final class ClusterMeters {
    private ClusterMeters() {}

    static void register(Cluster node, MeterRegistry meters) {
        Gauge.builder(MetricNames.CLUSTER_UP, node, cluster -> cluster.up() ? 1 : 0)
                .description("Whether the database that nodes share answers, and notices arrive")
                .register(meters);
        Gauge.builder(MetricNames.CLUSTER_NODES, node, Cluster::size)
                .description("Nodes that share the database, this one included, as last seen")
                .register(meters);
    }
}
