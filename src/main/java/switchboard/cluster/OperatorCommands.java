package switchboard.cluster;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.config.ClusterConfig;

/** Decisions of operators that commands make for all gateways, without a gateway. Blocks. */
public final class OperatorCommands {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorCommands.class);
    private static final int SECONDS = 10;

    /** A schema or a table that is not there. */
    private static final Set<String> NOT_MADE = Set.of("3F000", "42P01");

    private final DataSource source;
    private final DecisionSql sql;
    private final String channel;

    /**
     * Commands for the gateways of {@code config}.
     *
     * @throws IllegalArgumentException with a message for the operator, if the configuration can't be used
     */
    public OperatorCommands(ClusterConfig config) {
        this.source = ClusterServers.direct(config).jdbc();
        this.sql = new DecisionSql('"' + config.schema() + '"');
        this.channel = Cluster.channel(config);
    }

    /** The decision may not have been made. The message says why, and what to do. */
    public static final class NotDecidedException extends Exception {
        private static final long serialVersionUID = 1L;

        NotDecidedException(SQLException cause) {
            super(text(cause), cause);
        }

        private static String text(SQLException cause) {
            return NOT_MADE.contains(String.valueOf(cause.getSQLState()))
                    ? "The gateways have no place for decisions in their database yet (" + cause.getMessage()
                            + "). Start a gateway of this version with this configuration, which makes it, and try again."
                    : "The database that the gateways share can't be used, so it may not hold on all gateways: "
                            + cause.getMessage() + ". Try again; to repeat it does no harm.";
        }
    }

    /** A step of a decision. */
    private interface DecisionStep {
        void run(Connection connection) throws SQLException;
    }

    /**
     * Refuses a key from now on.
     *
     * @param sha256 of the key
     */
    public void revoke(String sha256, String id, String team) throws NotDecidedException {
        decide(connection -> {
            try (PreparedStatement revoke = connection.prepareStatement(sql.revoke())) {
                revoke.setString(1, sha256);
                revoke.setString(2, id);
                revoke.setString(3, team);
                revoke.executeUpdate();
            }
        });
    }

    /** Approves definitions of tools of {@code backend}: by name, their hashes. */
    public void approve(String backend, Map<String, String> hashes) throws NotDecidedException {
        decide(connection -> {
            try (PreparedStatement approve = connection.prepareStatement(sql.approve())) {
                for (Map.Entry<String, String> tool : hashes.entrySet()) {
                    approve.setString(1, backend);
                    approve.setString(2, tool.getKey());
                    approve.setString(3, tool.getValue());
                    approve.executeUpdate();
                }
            }
        });
    }

    /** The SHA-256 of the keys that are revoked. */
    public Set<String> revoked() throws NotDecidedException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(SECONDS);
            Set<String> revoked = new HashSet<>();
            try (ResultSet rows = statement.executeQuery(sql.revoked())) {
                while (rows.next()) {
                    revoked.add(rows.getString(1));
                }
            }
            return revoked;
        } catch (SQLException e) {
            throw new NotDecidedException(e);
        }
    }

    private void decide(DecisionStep step) throws NotDecidedException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET LOCAL statement_timeout = " + SECONDS * 1000);
            statement.execute(sql.lock());
            step.run(connection);
            statement.executeUpdate(sql.decided());
            connection.commit();
            tell(connection, statement);
        } catch (SQLException e) {
            throw new NotDecidedException(e);
        }
    }

    /** A notice may be lost: then the gateways find out by themselves. */
    private void tell(Connection connection, Statement statement) {
        try {
            statement.execute("SELECT pg_notify('" + channel + "', '" + Cluster.DECIDED + " 0 command -')");
            connection.commit();
        } catch (SQLException e) {
            LOG.debug("the gateways are not told, and look", e);
        }
    }
}
