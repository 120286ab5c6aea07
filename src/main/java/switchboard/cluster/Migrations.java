package switchboard.cluster;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Makes the schema, and brings it to this version. Of several nodes one does it, the others wait for its lock. A schema that is
 * newer is left as it is, since two versions run during an upgrade. Blocks.
 */
final class Migrations {
    /** The newest migration that this version knows. */
    static final int NEWEST = 11;

    private static final String LOCATION = "classpath:switchboard/cluster/migration";

    private final DataSource source;
    private final String schema;

    Migrations(DataSource source, String schema) {
        this.source = source;
        this.schema = schema;
    }

    /**
     * Migrates.
     *
     * @throws FlywayException if the database can't be reached, or refuses
     * @throws SQLException the same
     * @throws IllegalStateException if the schema is too new for this version
     */
    void run() throws SQLException {
        flyway().migrate();
        checkUsable();
    }

    /**
     * Checks that a schema that is there can be used.
     *
     * @throws SQLException if the database can't be asked
     * @throws IllegalStateException if the schema is too new for this version
     */
    void checkUsable() throws SQLException {
        int least = least();
        if (least > NEWEST) {
            throw new IllegalStateException("the schema " + schema + " needs a gateway that knows migration " + least
                    + "; this one knows " + NEWEST + ": install the newer version");
        }
    }

    /** Whether migrations are missing. */
    boolean missing() {
        return flyway().info().pending().length > 0;
    }

    /** Whether the schema has been made by a gateway. */
    boolean made() {
        return flyway().info().applied().length > 0;
    }

    private Flyway flyway() {
        return Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(source)
                .defaultSchema(schema)
                .schemas(schema)
                .createSchemas(true)
                .table("migration")
                .locations(LOCATION)
                .validateMigrationNaming(true)
                .loggers("slf4j")
                .load();
    }

    private int least() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT least FROM \"" + schema + "\".requirement")) {
            return rows.next() ? rows.getInt(1) : NEWEST;
        }
    }
}
