package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/** The rows that one collection takes from an SQLite file. Blocks. */
final class SqliteRows {
    private static final String QUERY = "query";
    private static final String TABLE = "table";
    private static final String ID = "id_column";
    private static final String TITLE = "title_column";
    private static final String CONTENT = "content_column";

    static final Set<String> OPTIONS = Set.of(QUERY, TABLE, ID, TITLE, CONTENT);

    private static final Pattern READS =
            Pattern.compile("(?is)(?:\\s|--[^\\n]*\\n|/\\*.*?\\*/)*(?:select|with|values)\\b.*");

    private final Path file;
    private final Origin origin;
    private final Limits limits;
    private final BooleanSupplier cancelled;
    private final String sql;

    SqliteRows(Path file, Origin origin, Limits limits, BooleanSupplier cancelled) {
        this.file = file;
        this.origin = origin;
        this.limits = limits;
        this.cancelled = cancelled;
        this.sql = sql(origin);
    }

    private static String sql(Origin origin) {
        Optional<String> query = origin.option(QUERY);
        Optional<String> table = origin.option(TABLE);
        if (query.isPresent() == table.isPresent()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    query.isPresent()
                            ? "SQL provider takes 'query' or 'table', not both"
                            : "SQL provider requires either 'query' or 'table' option");
        }
        query.filter(text -> !READS.matcher(text).matches()).ifPresent(text -> {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "query must be a SELECT");
        });
        return query.orElseGet(() -> "SELECT * FROM \"" + table.orElseThrow().replace("\"", "\"\"") + "\"");
    }

    /** Which of the result's columns is what, by number from 1; 0 for none. */
    private record Columns(List<String> names, int id, int title, int content) {}

    /** Fails if the file, the statement or a column is not there. */
    void check() {
        run(result -> {});
    }

    /** Takes the rows. */
    void read(Rows rows, Instant modified) {
        run(result -> {
            Columns columns = columns(result.getMetaData());
            int number = 1;
            boolean room = true;
            while (room && result.next()) {
                Rows.Row row = row(result, columns, number++);
                room = rows.add(row.name(), row, modified);
            }
        });
    }

    private interface Work {
        void with(ResultSet result) throws SQLException;
    }

    private void run(Work work) {
        try (Connection connection = Sqlite.open(file, limits.fileBytes(), cancelled);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            columns(result.getMetaData());
            work.with(result);
        } catch (SQLException e) {
            throw Sqlite.failed(e);
        }
    }

    private Columns columns(ResultSetMetaData meta) throws SQLException {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
            names.add(meta.getColumnLabel(i));
        }
        return new Columns(names, find(names, ID, "id"), find(names, TITLE, "title"), content(names));
    }

    /** The column that an option names, which must be there, or that of the usual name, which need not. */
    private int find(List<String> names, String option, String usual) {
        String wanted = origin.option(option).orElse(usual);
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase(wanted)) {
                return i + 1;
            }
        }
        if (origin.option(option).isPresent()) {
            throw missing(wanted, names);
        }
        return 0;
    }

    private int content(List<String> names) {
        int found = find(names, CONTENT, "content");
        if (found == 0) {
            throw missing("content", names);
        }
        return found;
    }

    private static ToolException missing(String column, List<String> names) {
        return new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "Column '" + column + "' not found in query result; there are " + String.join(", ", names));
    }

    private static Rows.Row row(ResultSet result, Columns columns, int number) throws SQLException {
        ObjectNode facts = Json.object();
        for (int i = 1; i <= columns.names().size(); i++) {
            if (i != columns.content() && i != columns.title()) {
                RecordFormat.fact(facts, columns.names().get(i - 1), value(result, i));
            }
        }
        String id = columns.id() == 0 ? null : result.getString(columns.id());
        String title = columns.title() == 0 ? null : result.getString(columns.title());
        String text = result.getString(columns.content());
        return new Rows.Row(
                id == null || id.isBlank() ? String.valueOf(number) : id,
                blankToNull(title),
                text == null ? "" : text.replace("\0", ""),
                facts);
    }

    private static @Nullable String blankToNull(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    private static JsonNode value(ResultSet result, int column) throws SQLException {
        JsonNodeFactory json = JsonNodeFactory.instance;
        return switch (result.getObject(column)) {
            case null -> json.nullNode();
            case Integer number -> json.numberNode(number.longValue());
            case Long number -> json.numberNode(number);
            case Double number when Double.isFinite(number) -> json.numberNode(number);
            case String text -> json.textNode(text);
            default -> json.nullNode();
        };
    }
}
