package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import switchboard.config.ClusterConfig;

/** The search log that gateways share, and what is tuned by it, for a command, which is none of the gateways. The schema is as a gateway has made it. */
public final class CommandInsight {
    private static final int CONNECTIONS = 1;

    private final ClusterDatabase database;
    private final InsightTable table;
    private final TuningTable tuning;
    private final WatchTable watches;

    /**
     * The log of the gateways of {@code config}.
     *
     * @throws IllegalArgumentException with a message for the operator, if the configuration can't be used
     */
    public CommandInsight(Vertx vertx, ClusterConfig config, Clock clock) {
        this.database = new ClusterDatabase(vertx, ClusterServers.ofStatements(config), CONNECTIONS, clock);
        this.table = new InsightTable(database, '"' + config.schema() + '"', () -> true);
        this.tuning = new TuningTable(database, '"' + config.schema() + '"', () -> true);
        this.watches = new WatchTable(database, '"' + config.schema() + '"', "", () -> true);
    }

    /** The table of the search log. */
    public InsightTable table() {
        return table;
    }

    /** The table of what was decided about weights. */
    public TuningTable tuning() {
        return tuning;
    }

    /** The table of standing questions. */
    public WatchTable watches() {
        return watches;
    }

    /** Closes the connection. */
    public Future<Void> close() {
        return database.close();
    }
}
