package switchboard.backend.agentroot.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.ToolException;

class SqliteProcessTest {
    private static final SqliteLimits LIMITS =
            new SqliteLimits(Duration.ofMinutes(5), 1 << 20, 10, 256L << 20, 64L << 20);

    @TempDir
    Path temp;

    private Path database(String... statements) throws SQLException, IOException {
        Path file = temp.toRealPath().resolve("naïve ☂.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
        return file;
    }

    private static List<SqliteProcess.ResultRow> rows(Path file, String sql) {
        List<SqliteProcess.ResultRow> rows = new ArrayList<>();
        try (SqliteProcess process = SqliteProcess.start(LIMITS)) {
            process.run(
                    new SqliteProcess.DatabaseFile(file.getRoot(), file),
                    sql,
                    names -> new SqliteProcess.ColumnNumbers(
                            names.indexOf("id") + 1, names.indexOf("title") + 1, names.indexOf("content") + 1, 0),
                    (_, row, _) -> rows.add(row));
        }
        return rows;
    }

    @Test
    void valuesComeAsTheyAre() throws SQLException, IOException {
        Path file = database(
                "CREATE TABLE t (id, title, content, a, b, c, d)",
                "INSERT INTO t VALUES (9007199254740993, 'Ünï ☂\n\"', 'x' || char(0) || 'y', 1.5, NULL, x'00ff',"
                        + " 'two words')",
                "INSERT INTO t VALUES (NULL, NULL, NULL, 1e999, '" + "l".repeat(1001) + "', -1, 0)");
        List<SqliteProcess.ResultRow> rows = rows(file, "SELECT * FROM t");
        assertEquals("9007199254740993", rows.getFirst().id());
        assertEquals("Ünï ☂\n\"", rows.getFirst().title());
        assertEquals("x\0y", rows.getFirst().text());
        List<Object> facts = new ArrayList<>(rows.getFirst().facts());
        assertEquals(java.util.Arrays.asList(9007199254740993L, null, null, 1.5, null, null, "two words"), facts);
        assertEquals(
                java.util.Arrays.asList(null, null, null, null, null, -1L, 0L),
                new ArrayList<>(rows.get(1).facts()));
    }

    @Test
    void noMoreRowsAreReadThanMayBe() throws SQLException, IOException {
        Path file = database("CREATE TABLE t (content)");
        String endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS content FROM n";
        assertEquals(10, rows(file, endless).size());
    }

    @Test
    void aLinkInTheWayIsNotFollowed() throws SQLException, IOException {
        Path file = database("CREATE TABLE t (content)");
        Path folder = Files.createSymbolicLink(temp.toRealPath().resolve("link"), file.getParent());
        Path link = folder.resolve(file.getFileName());
        assertThrows(ToolException.class, () -> rows(link, "SELECT 1 AS content"));
    }

    @Test
    void nothingCanBeAttachedLoadedOrWritten() throws SQLException, IOException {
        Path file = database("CREATE TABLE t (content)");
        for (String sql : List.of(
                "ATTACH '" + temp.resolve("other.db") + "' AS o",
                "SELECT load_extension('x') AS content",
                "INSERT INTO t VALUES (1)",
                "CREATE TEMP TABLE x (content)",
                "VACUUM INTO '" + temp.resolve("copy.db") + "'")) {
            assertThrows(ToolException.class, () -> rows(file, sql), sql);
        }
        assertFalse(Files.exists(temp.resolve("other.db")));
        assertFalse(Files.exists(temp.resolve("copy.db")));
    }

    @Test
    void itEndsWithWhoeverStartedItAndTidiesUp() throws IOException, InterruptedException {
        Path folder = PrivateFolder.create();
        Process process = new ChildCommand(LIMITS, folder).builder().start();
        process.getOutputStream().close();
        assertTrue(process.waitFor(2, TimeUnit.MINUTES));
        assertFalse(Files.exists(folder));
    }
}
