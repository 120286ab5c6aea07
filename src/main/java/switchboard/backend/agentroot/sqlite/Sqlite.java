package switchboard.backend.agentroot.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.Pragma;

/** Opens SQLite files for reading alone: nothing can be written, no other file attached, no extension loaded. Blocks. */
public final class Sqlite {
    private static final int READ_ONLY = 1;

    /** No part of the file's path may be a symbolic link. */
    private static final int NO_FOLLOW = 0x0100_0000;

    private Sqlite() {}

    /** Has the library of SQLite loaded, so that opening a file opens nothing else. */
    static void load() throws SQLException {
        DriverManager.getConnection("jdbc:sqlite::memory:").close();
    }

    /**
     * Opens a connection, which the caller closes.
     *
     * @param file a real path without symbolic links
     * @param largest maximum size of a value in bytes
     * @throws SQLException if it is not an SQLite file
     */
    public static Connection open(Path file, int largest) throws SQLException {
        return open(file.toString(), largest);
    }

    static Connection open(String file, int largest) throws SQLException {
        if (file.indexOf('?') >= 0) {
            throw new SQLException("the name of an SQLite file must not hold a '?'");
        }
        Properties settings = new Properties();
        settings.setProperty(Pragma.OPEN_MODE.getPragmaName(), String.valueOf(READ_ONLY | NO_FOLLOW));
        SQLiteConfig config = new SQLiteConfig(settings);
        config.setPragma(Pragma.LIMIT_LENGTH, String.valueOf(largest));
        config.setPragma(Pragma.LIMIT_SQL_LENGTH, "100000");
        config.setPragma(Pragma.LIMIT_COLUMN, String.valueOf(SqliteProtocol.COLUMNS));
        config.setPragma(Pragma.LIMIT_EXPR_DEPTH, "200");
        config.setPragma(Pragma.LIMIT_COMPOUND_SELECT, "100");
        config.setPragma(Pragma.LIMIT_VDBE_OP, "100000");
        config.setPragma(Pragma.LIMIT_FUNCTION_ARG, "100");
        config.setPragma(Pragma.LIMIT_ATTACHED, "0");
        config.setPragma(Pragma.LIMIT_LIKE_PATTERN_LENGTH, "1000");
        config.setPragma(Pragma.LIMIT_TRIGGER_DEPTH, "10");
        config.setPragma(Pragma.LIMIT_WORKER_THREADS, "0");
        config.setTempStore(SQLiteConfig.TempStore.FILE);
        config.setBusyTimeout(5_000);
        Connection connection = config.createConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            // What a view or an index of the file calls is as little to be trusted as the statement.
            statement.execute("PRAGMA trusted_schema = OFF");
            statement.execute("PRAGMA cell_size_check = ON");
            statement.execute("PRAGMA mmap_size = 0");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }
}
