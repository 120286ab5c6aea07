package switchboard.cluster;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import switchboard.call.DiagnosticFinding;
import switchboard.config.ClusterConfig;

/** Tests the shared database for operators, without changing anything. Blocks. */
public final class ClusterCheck {
    private static final int OLDEST = 150_000;
    private static final int NOTICE_MS = 3_000;

    private final String schema;
    private final DataSource statements;
    private final DataSource direct;

    /**
     * A check.
     *
     * @throws IllegalArgumentException with a message for the operator, if the configuration can't be used
     */
    public ClusterCheck(ClusterConfig config) {
        this.schema = config.schema();
        this.statements = ClusterServers.ofStatements(config).jdbc();
        this.direct = ClusterServers.direct(config).jdbc();
    }

    /** What was found: what is not in order, or a line for each thing that is. */
    public List<DiagnosticFinding> run() {
        List<DiagnosticFinding> found = new ArrayList<>();
        try (Connection own = direct.getConnection();
                Connection pooled = statements.getConnection()) {
            int version = Integer.parseInt(text(own, "SHOW server_version_num"));
            found.add(
                    version < OLDEST
                            ? DiagnosticFinding.bad(
                                    "database", "PostgreSQL " + version / 10_000 + " is too old; 15 or newer is needed")
                            : DiagnosticFinding.good(
                                    "database",
                                    "PostgreSQL " + text(own, "SHOW server_version") + " can be written to; "
                                            + standbys(text(own, "SHOW synchronous_standby_names"))));
            found.add(schema(own));
            found.add(notices(own, pooled));
        } catch (SQLException | FlywayException | NumberFormatException e) {
            found.add(DiagnosticFinding.bad(
                    "database", "can't be used: " + e.getMessage() + "; check cluster.database and the network"));
        }
        return found;
    }

    private static String standbys(String names) {
        return names.isBlank()
                ? "a commit waits for no standby, so a fail-over may lose the last changes (synchronous_standby_names)"
                : "a commit waits for " + names;
    }

    private DiagnosticFinding schema(Connection own) throws SQLException {
        boolean exists = text(own, "SELECT to_regnamespace('" + schema + "') IS NOT NULL")
                .equals("t");
        boolean may = text(
                        own,
                        exists
                                ? "SELECT has_schema_privilege('" + schema + "', 'CREATE')"
                                : "SELECT has_database_privilege(current_database(), 'CREATE')")
                .equals("t");
        if (!may) {
            String user = text(own, "SELECT quote_ident(current_user)");
            String quoted = text(own, "SELECT quote_ident('" + schema + "')");
            return DiagnosticFinding.bad(
                    "schema",
                    exists
                            ? "the user " + user + " may not create tables in the schema " + schema
                                    + ": run ALTER SCHEMA " + quoted + " OWNER TO " + user
                            : "there is no schema " + schema + ", and the user " + user
                                    + " may not create it: run CREATE SCHEMA " + quoted + " AUTHORIZATION " + user);
        }
        Migrations migrations = new Migrations(direct, schema);
        boolean made = exists && migrations.made();
        if (made) {
            try {
                migrations.checkUsable();
            } catch (IllegalStateException tooNew) {
                return DiagnosticFinding.bad("schema", String.valueOf(tooNew.getMessage()));
            }
        }
        return DiagnosticFinding.good(
                "schema",
                made && !migrations.missing()
                        ? schema + " is up to date"
                        : schema + " will be " + (exists ? "brought up to date" : "made") + " at the start");
    }

    /** A notice goes the way that notices go: sent on the one connection, read on the other. */
    private DiagnosticFinding notices(Connection own, Connection pooled) throws SQLException {
        String channel = schema + "_check";
        try (Statement listen = own.createStatement();
                Statement notify = pooled.createStatement()) {
            listen.execute("LISTEN " + channel);
            notify.execute("NOTIFY " + channel);
            PGNotification[] received = own.unwrap(PGConnection.class).getNotifications(NOTICE_MS);
            return received != null && received.length > 0
                    ? DiagnosticFinding.good("notices", "arrive")
                    : DiagnosticFinding.bad(
                            "notices",
                            "do not arrive: set cluster.direct to a URL of the same database without a pooler");
        }
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            String text = rows.next() ? rows.getString(1) : null;
            return text == null ? "" : text;
        }
    }
}
