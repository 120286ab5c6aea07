package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.sql.SQLException;
import java.time.Clock;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.cluster.ClusterUnavailableException.NotDone;
import switchboard.concurrent.TeamShare;
import switchboard.config.ClusterConfig;

/** The documents that gateways share, for a command, which is none of the gateways. */
public final class CommandDocuments {
    private static final Logger LOG = LoggerFactory.getLogger(CommandDocuments.class);

    /** No gateway's id. */
    private static final String NODE = "command";

    private final ClusterDatabase database;
    private final DocumentTables tables;
    private final String channel;

    private CommandDocuments(Vertx vertx, ClusterConfig config, TeamShare share, Clock clock) {
        this.channel = Cluster.channel(config);
        this.database = new ClusterDatabase(vertx, ClusterServers.ofStatements(config), config.connections(), clock);
        this.tables = new DocumentTables(database, config, NODE, share, this::announce);
        tables.open();
    }

    /**
     * Opens them, and brings the schema up to date. Blocks.
     *
     * @param share the part of what waits for connections that one team may use
     * @throws ClusterUnavailableException if the database can't be used
     * @throws IllegalArgumentException with a message for the operator, if the configuration can't be used
     */
    public static CommandDocuments open(Vertx vertx, ClusterConfig config, TeamShare share, Clock clock) {
        try {
            new Migrations(ClusterServers.direct(config).jdbc(), config.schema()).run();
        } catch (SQLException | FlywayException | IllegalStateException e) {
            throw new ClusterUnavailableException(NotDone.UNREACHED, ClusterDatabase.reason(e), e);
        }
        return new CommandDocuments(vertx, config, share, clock);
    }

    /** The tables. */
    public DocumentTables tables() {
        return tables;
    }

    /** Gateways that are not told look by themselves after two seconds. */
    private void announce(String backend) {
        Futures.finish(
                database.run(connection -> connection
                        .preparedQuery("SELECT pg_notify($1, $2)")
                        .execute(Tuple.of(channel, Cluster.DOCUMENTS + " " + NODE + " " + backend))),
                _ -> {},
                failure -> LOG.debug("the gateways are not told, and look", failure));
    }

    /** Closes the connections. */
    public Future<Void> close() {
        return database.close();
    }
}
