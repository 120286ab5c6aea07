package switchboard.backend.agentroot.source;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** Opens SQLite files for reading alone: nothing can be written, no other file attached, no extension loaded. Blocks. */
public final class Sqlite {
    private static final int STEPS = 100_000;

    private Sqlite() {}

    /**
     * A connection, which the caller closes.
     *
     * @param largest most bytes of one value
     * @param cancelled asked often; what runs then ends with an error
     * @throws ToolException if it is no SQLite file
     */
    public static Connection open(Path file, int largest, BooleanSupplier cancelled) {
        if (file.toString().indexOf('?') >= 0) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "The name of an SQLite file must not hold a '?'");
        }
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setPragma(SQLiteConfig.Pragma.LIMIT_ATTACHED, "0");
        config.setPragma(SQLiteConfig.Pragma.LIMIT_LENGTH, String.valueOf(largest));
        config.setBusyTimeout(5_000);
        try {
            Connection connection = config.createConnection("jdbc:sqlite:" + file);
            ProgressHandler.setHandler(connection, STEPS, new ProgressHandler() {
                @Override
                protected int progress() {
                    return cancelled.getAsBoolean() ? 1 : 0;
                }
            });
            return connection;
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** What SQLite says about a statement, as a failure that the caller can act on. */
    static ToolException failed(SQLException e) {
        String said = String.valueOf(e.getMessage()).replaceAll("^\\[SQLITE_\\w+]\\s*", "");
        return said.toLowerCase(Locale.ROOT).contains("interrupt")
                ? new ToolException(FailureKind.CANCELLED, "The query was stopped: the time was up.")
                : new ToolException(FailureKind.INVALID_ARGUMENT, "SQLite: " + said);
    }
}
