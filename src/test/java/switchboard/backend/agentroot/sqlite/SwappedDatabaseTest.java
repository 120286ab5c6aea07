package switchboard.backend.agentroot.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody swaps the folder of an SQLite file, or what lies beside it, for links as fast as they can while it is opened. */
class SwappedDatabaseTest {
    private static final String SECRET = "the secret of outside";
    private static final int LARGEST = 1 << 20;
    private static final int ROUNDS = 1500;

    @TempDir
    Path disk;

    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger swaps = new AtomicInteger();
    private final ExecutorService attacker = Executors.newSingleThreadExecutor();
    private Path open;
    private Path outside;
    private Path file;

    @BeforeEach
    void files() throws IOException, SQLException {
        Path real = disk.toRealPath();
        open = Files.createDirectories(real.resolve("open"));
        outside = Files.createDirectories(real.resolve("outside"));
        file = Files.createDirectories(open.resolve("sub")).resolve("data.db");
        Files.createDirectories(open.resolve("spare"));
        database(file, "inside");
        database(outside.resolve("data.db"), SECRET);
    }

    @AfterEach
    void end() throws InterruptedException {
        stop.set(true);
        attacker.shutdown();
        assertTrue(attacker.awaitTermination(60, TimeUnit.SECONDS));
    }

    private static void database(Path path, String text) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (content)");
            statement.execute("INSERT INTO t VALUES ('" + text + "')");
        }
    }

    private Future<?> swap(Path path, Path target) {
        Path away = open.resolve("spare/away");
        return attacker.submit(() -> {
            try {
                Path link = Files.createSymbolicLink(open.resolve("spare/link"), target);
                while (!stop.get()) {
                    Files.move(path, away, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(link, path, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(path, link, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(away, path, StandardCopyOption.ATOMIC_MOVE);
                    swaps.incrementAndGet();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private String content() throws SQLException, IOException {
        try (VerifiedDatabaseFile database = VerifiedDatabaseFile.open(open, file, LARGEST);
                Statement statement = database.connection().createStatement();
                ResultSet rows = statement.executeQuery("SELECT content FROM t")) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    @Test
    void neverARowOfAFileOutside() throws Exception {
        Future<?> attack = swap(file.getParent(), outside);
        int read = 0;
        for (int round = 0; round < ROUNDS || swaps.get() < ROUNDS || read == 0; round++) {
            try {
                assertEquals("inside", content());
                read++;
            } catch (SQLException _) {
                // It was away just then.
            }
        }
        stop.set(true);
        attack.get();
        assertEquals("inside", content());
    }

    /** What was written to the outside file last is in its log, which must not be taken for that of the file inside. */
    @Test
    void norOfItsLog() throws Exception {
        Path made = Files.createDirectories(outside.resolve("made")).resolve("data.db");
        database(made, "inside");
        try (Connection writer = DriverManager.getConnection("jdbc:sqlite:" + made);
                Statement statement = writer.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA wal_autocheckpoint = 0");
            Files.copy(made, file, StandardCopyOption.REPLACE_EXISTING);
            statement.execute("UPDATE t SET content = '" + SECRET + "'");
            // Nobody has it open in this process, as in the one that reads.
            for (String end : List.of("", "-wal")) {
                Files.copy(
                        made.resolveSibling("data.db" + end),
                        outside.resolve("data.db" + end),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
        neverARowOfAFileOutside();
    }

    @Test
    void aLinkIsNoFileInside() throws IOException {
        Files.move(file, open.resolve("spare/data.db"));
        Files.createSymbolicLink(file, outside.resolve("data.db"));
        assertThrows(SQLException.class, this::content);
    }

    /** What was written to the file itself last, and is still in its own log, is read. */
    @Test
    void aFilesOwnLogIsRead() throws Exception {
        try (Connection writer = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = writer.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA wal_autocheckpoint = 0");
            statement.execute("UPDATE t SET content = 'newer'");
            assertEquals("newer", content());
        }
    }
}
