package switchboard.backend.agentroot.sqlite;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The protocol between the gateway and the process of a statement: JSON values, one per line. The gateway sends {@link
 * #ROOT}, {@link #FILE}, {@link #SQL} and the limits. The answer is {@code ["<column>", …]}; the gateway sends the
 * roles of columns, and gets an array {@code [id, title, text, allow, facts…]} for each row, and an object at the end: empty,
 * or with {@link #ERROR} and {@link #CODE}. That process loads only the classes of this package and of {@code files}.
 */
final class SqliteProtocol {
    static final String ROOT = "root";
    static final String FILE = "file";
    static final String SQL = "sql";
    static final String VALUE_BYTES = "valueBytes";
    static final String ROWS = "rows";
    static final String MILLIS = "millis";
    static final String MEMORY = "memory";
    static final String TEMP_SPACE = "tempSpace";

    static final String ID = "id";
    static final String TITLE = "title";
    static final String CONTENT = "content";
    static final String ALLOW = "allow";

    static final String ERROR = "error";
    static final String CODE = "code";

    /** The error code if SQLite itself could not be loaded. */
    static final String NO_LIBRARY = "NO_LIBRARY";

    /** Maximum length of id, title and fact in characters. Longer ids and titles are cut, longer facts left out. */
    static final int SHORT = 1000;

    /** Maximum number of facts of a row. */
    static final int FACTS = 50;

    /** Maximum number of columns of a result. */
    static final int COLUMNS = 1000;

    /** Exit status when the time is up. */
    static final int TIME_UP = 81;

    /** Exit status when temporary files are too large. */
    static final int SPACE_UP = 82;

    /** Exit status when too much memory is taken. */
    static final int MEMORY_UP = 83;

    /** Exit status of a JVM whose heap is full. */
    static final int HEAP_FULL = 3;

    private SqliteProtocol() {}

    /** Writes an object whose values are texts. */
    static void write(JsonGenerator out, Map<String, String> values) throws IOException {
        out.writeStartObject();
        for (Map.Entry<String, String> value : values.entrySet()) {
            out.writeStringField(value.getKey(), value.getValue());
        }
        out.writeEndObject();
        out.flush();
    }

    /** Reads the next object, whose values are texts; null at the end of the stream. */
    static @Nullable Map<String, String> read(JsonParser in) throws IOException {
        return in.nextToken() == null ? null : object(in);
    }

    /** The object that has begun. */
    static Map<String, String> object(JsonParser in) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            values.put(name, in.getText());
        }
        return values;
    }
}
