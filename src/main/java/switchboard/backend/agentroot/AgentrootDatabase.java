package switchboard.backend.agentroot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import switchboard.backend.agentroot.sqlite.Sqlite;
import switchboard.call.DiskError;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** A database of agentroot's own server, versions 2 to 9 of its schema; opened read-only. Blocks; for one thread. */
final class AgentrootDatabase implements AutoCloseable {
    private static final int LARGEST = 256 << 20;
    private static final Set<String> NEEDED = Set.of("collections", "documents", "content");

    /** Tables whose content is imported, computed again, or only used for searching. */
    private static final Set<String> KNOWN =
            Set.of("collections", "documents", "content", "memories", "schema_version", "sqlite_sequence");

    private final Connection connection;
    private final Set<String> tables;

    private AgentrootDatabase(Connection connection, Set<String> tables) {
        this.connection = connection;
        this.tables = tables;
    }

    /**
     * Opens {@code file}.
     *
     * @throws ToolException if it is not a database of agentroot
     */
    static AgentrootDatabase open(Path file) {
        Connection connection = connect(file);
        try {
            Set<String> tables = new TreeSet<>();
            try (Statement statement = connection.createStatement();
                    ResultSet found = statement.executeQuery("SELECT name FROM sqlite_master WHERE type = 'table'")) {
                while (found.next()) {
                    tables.add(found.getString(1));
                }
            }
            if (!tables.containsAll(NEEDED)) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        file + " is not a database of agentroot: it has no tables " + NEEDED + ".");
            }
            return new AgentrootDatabase(connection, tables);
        } catch (SQLException | ToolException e) {
            close(connection);
            throw e instanceof ToolException known
                    ? known
                    : new ToolException(FailureKind.INVALID_ARGUMENT, file + " is not an SQLite database.");
        }
    }

    private static Connection connect(Path file) {
        try {
            Path real = file.toRealPath();
            try (InputStream first = Files.newInputStream(real)) {
                first.read(); // the reason why it can't be read; SQLite gives none
            }
            return Sqlite.open(real, LARGEST);
        } catch (IOException e) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT, file + " can't be read: " + DiskError.problem(e) + ".");
        } catch (SQLException _) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, file + " is not an SQLite database.");
        }
    }

    /** A row: its columns by name, without nulls. */
    record TableRow(Map<String, String> values) {
        /** The text of a column; empty if it is missing. */
        Optional<String> text(String column) {
            return Optional.ofNullable(values.get(column)).filter(text -> !text.isBlank());
        }

        /** The text of a column; {@code ""} if it is missing. */
        String get(String column) {
            return values.getOrDefault(column, "");
        }
    }

    /** Takes a row. */
    interface RowConsumer {
        void row(TableRow row);
    }

    /** The collections. */
    void collections(RowConsumer each) {
        rows("SELECT * FROM collections ORDER BY name", each);
    }

    /** The documents that are not deleted, with their text as {@code doc}. */
    void documents(RowConsumer each) {
        rows(
                "SELECT d.*, c.doc FROM documents d JOIN content c ON c.hash = d.hash WHERE d.active = 1"
                        + " ORDER BY d.collection, d.path",
                each);
    }

    /** The memories, the latest change last; none in older databases without them. */
    void memories(RowConsumer each) {
        if (tables.contains("memories")) {
            List<TableRow> all = new ArrayList<>();
            rows("SELECT * FROM memories", all::add);
            all.sort(Comparator.comparing(row -> row.text("updated_at").orElse(row.get("created_at"))));
            all.forEach(each::row);
        }
    }

    /** The number of rows in tables that are not imported, by table. */
    Map<String, Long> others() {
        Map<String, Long> others = new LinkedHashMap<>();
        for (String table : tables) {
            boolean index = table.contains("_fts") || table.startsWith("sqlite_");
            if (!index && !KNOWN.contains(table)) {
                rows("SELECT count(*) AS n FROM \"" + table.replace("\"", "\"\"") + "\"", row -> {
                    long count = Long.parseLong(row.get("n"));
                    if (count > 0) {
                        others.put(table, count);
                    }
                });
            }
        }
        return others;
    }

    private void rows(String sql, RowConsumer each) {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                Map<String, String> values = new LinkedHashMap<>();
                for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                    String value = found.getString(i);
                    if (value != null) {
                        values.put(found.getMetaData().getColumnLabel(i), value);
                    }
                }
                each.row(new TableRow(values));
            }
        } catch (SQLException e) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "SQLite: " + e.getMessage());
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException _) {
            // It was only read from.
        }
    }

    @Override
    public void close() {
        close(connection);
    }
}
