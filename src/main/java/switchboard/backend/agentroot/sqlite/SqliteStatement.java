package switchboard.backend.agentroot.sqlite;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteException;

/** Runs one statement in its process and writes the result. */
final class SqliteStatement {
    private static final int MESSAGE = 2000;

    /** Assigns the roles of columns. */
    interface ColumnRoles {
        Map<String, String> next() throws InterruptedException;
    }

    private final Map<String, String> request;
    private final JsonGenerator out;

    SqliteStatement(Map<String, String> request, JsonGenerator out) {
        this.request = request;
        this.out = out;
    }

    void run(ColumnRoles choice) throws IOException, InterruptedException {
        try (VerifiedDatabaseFile database = VerifiedDatabaseFile.open(
                        Path.of(request.getOrDefault(SqliteProtocol.ROOT, "")),
                        Path.of(request.getOrDefault(SqliteProtocol.FILE, "")),
                        number(request, SqliteProtocol.VALUE_BYTES));
                PreparedStatement statement = database.connection().prepareStatement(request.get(SqliteProtocol.SQL))) {
            columns(statement.getMetaData());
            rows(statement, choice.next());
            SqliteProtocol.write(out, Map.of());
        } catch (SQLException e) {
            SqliteProtocol.write(
                    out,
                    Map.of(
                            SqliteProtocol.ERROR,
                            shortened(String.valueOf(e.getMessage()), MESSAGE),
                            SqliteProtocol.CODE,
                            e instanceof SQLiteException known
                                    ? known.getResultCode().name()
                                    : unloaded(e) ? SqliteProtocol.NO_LIBRARY : ""));
        }
    }

    private static boolean unloaded(SQLException failure) {
        return failure.getCause() instanceof NativeLibraryNotFoundException
                || failure.getCause() instanceof IOException
                || failure.getCause() instanceof UnsatisfiedLinkError;
    }

    private void columns(ResultSetMetaData meta) throws SQLException, IOException {
        out.writeStartArray();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
            out.writeString(shortened(meta.getColumnLabel(i), SqliteProtocol.SHORT));
        }
        out.writeEndArray();
        out.flush();
    }

    private void rows(PreparedStatement statement, Map<String, String> chosen) throws SQLException, IOException {
        int id = number(chosen, SqliteProtocol.ID);
        int title = number(chosen, SqliteProtocol.TITLE);
        int content = number(chosen, SqliteProtocol.CONTENT);
        int allow = number(chosen, SqliteProtocol.ALLOW);
        int left = number(request, SqliteProtocol.ROWS);
        try (ResultSet result = statement.executeQuery()) {
            int columns = result.getMetaData().getColumnCount();
            while (left-- > 0 && result.next()) {
                out.writeStartArray();
                text(id == 0 ? null : result.getString(id), SqliteProtocol.SHORT);
                text(title == 0 ? null : result.getString(title), SqliteProtocol.SHORT);
                text(result.getString(content), Integer.MAX_VALUE);
                text(allow == 0 ? null : result.getString(allow), Integer.MAX_VALUE);
                int facts = SqliteProtocol.FACTS;
                for (int i = 1; i <= columns; i++) {
                    boolean role = i == title || i == content || i == allow;
                    boolean fact = facts > 0 && !role && fact(result.getObject(i));
                    if (fact) {
                        facts--;
                    } else {
                        out.writeNull();
                    }
                }
                out.writeEndArray();
            }
        }
    }

    private void text(@Nullable String text, int longest) throws IOException {
        if (text == null) {
            out.writeNull();
        } else {
            out.writeString(shortened(text, longest));
        }
    }

    /** Writes a value that is short and no blob. */
    private boolean fact(@Nullable Object value) throws IOException {
        switch (value) {
            case Integer number -> out.writeNumber(number);
            case Long number -> out.writeNumber(number);
            case Double number when Double.isFinite(number) -> out.writeNumber(number);
            case String text when text.length() <= SqliteProtocol.SHORT -> out.writeString(text);
            case null, default -> {
                return false;
            }
        }
        return true;
    }

    private static int number(Map<String, String> values, String name) {
        return Integer.parseInt(values.getOrDefault(name, "0"));
    }

    private static String shortened(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest);
    }
}
