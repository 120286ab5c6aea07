package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.backend.agentroot.sqlite.SqliteProcess;
import switchboard.backend.agentroot.sqlite.SqliteProcess.ColumnNumbers;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/** The rows of an SQLite file that a collection uses: the statement, and the meaning of its columns. */
final class SqliteRows {
    private static final String QUERY = "query";
    private static final String TABLE = "table";
    private static final String ID = "id_column";
    private static final String TITLE = "title_column";
    private static final String CONTENT = "content_column";

    private static final String ALLOW = "allow_column";

    static final Set<String> OPTIONS = Set.of(QUERY, TABLE, ID, TITLE, CONTENT, ALLOW);

    private static final Pattern READS =
            Pattern.compile("(?is)(?:\\s|--[^\\n]*\\n|/\\*.*?\\*/)*(?:select|with|values)\\b.*");

    private final CollectionOrigin origin;
    private final String sql;

    SqliteRows(CollectionOrigin origin) {
        this.origin = origin;
        this.sql = sql(origin);
    }

    private static String sql(CollectionOrigin origin) {
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
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "query must be a SELECT. Give one, or a table.");
        });
        return query.orElseGet(() -> "SELECT * FROM \"" + table.orElseThrow().replace("\"", "\"\"") + "\"");
    }

    /** The statement. */
    String sql() {
        return sql;
    }

    /**
     * Assigns the columns of the result.
     *
     * @throws ToolException if a required one is missing
     */
    ColumnNumbers choose(List<String> names) {
        return new ColumnNumbers(
                find(names, ID, "id"),
                find(names, TITLE, "title"),
                content(names),
                origin.option(ALLOW).map(name -> find(names, ALLOW, name)).orElse(0));
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

    /** The row with that number, from 1, of a result with the columns {@code names}. */
    RecordRows.DataRecord row(SqliteProcess.ResultRow row, List<String> names, int number) {
        ObjectNode facts = Json.object();
        for (int i = 0; i < Math.min(names.size(), row.facts().size()); i++) {
            RecordFormat.fact(facts, names.get(i), value(row.facts().get(i)));
        }
        String id = row.id();
        String text = row.text();
        return new RecordRows.DataRecord(
                id == null || id.isBlank() ? String.valueOf(number) : id,
                blankToNull(row.title()),
                text == null ? "" : text.replace("\0", ""),
                facts,
                permission(row.allow()));
    }

    private SourcePermission permission(@Nullable String allow) {
        return origin.option(ALLOW)
                .map(name -> SourcePermission.of(name, value(allow)))
                .orElse(SourcePermission.NONE);
    }

    private static @Nullable String blankToNull(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    private static JsonNode value(@Nullable Object value) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        return switch (value) {
            case Long number -> json.numberNode(number);
            case Double number -> json.numberNode(number);
            case String text -> json.textNode(text);
            case null, default -> json.nullNode();
        };
    }
}
