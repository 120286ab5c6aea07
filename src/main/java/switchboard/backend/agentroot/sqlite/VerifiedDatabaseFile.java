package switchboard.backend.agentroot.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import switchboard.files.OpenFolder;

/**
 * An SQLite file that was reached from a folder step by step without following links. SQLite opens files by their paths
 * only, and each part of a path may be swapped for a link meanwhile. So it is first let begin a transaction, with which it
 * has opened everything that it reads: the file, its journal, the log of writes and that log's index. Then all that this
 * process has opened is compared with what is in the folder that was walked to, and nothing is read that is not the same.
 * Where a process can't see what it has open, the path is looked at again instead. Blocks.
 */
final class VerifiedDatabaseFile implements AutoCloseable {
    private static final Path HANDLES = Path.of("/proc/self/fd");
    private static final Path SYSTEM = Path.of("/proc");
    private static final List<String> NEIGHBOURS = List.of("-journal", "-wal", "-shm");

    private final Path real;
    private final OpenFolder folder;
    /** Keeps the file's inode number from being reused; closed last, because that releases its locks. */
    private final InputStream held;

    private final Connection connection;

    private VerifiedDatabaseFile(Path real, OpenFolder folder, InputStream held, Connection connection) {
        this.real = real;
        this.folder = folder;
        this.held = held;
        this.connection = connection;
    }

    /**
     * Opens {@code real} and begins a transaction.
     *
     * @param root a real path above it that only the operator can change
     * @param real a path without symbolic links when it was checked
     * @param largest maximum size of a value in bytes
     * @throws SQLException if it is not an SQLite file, or not the one that is reached without links
     */
    static VerifiedDatabaseFile open(Path root, Path real, int largest) throws SQLException, IOException {
        Path above = real.getParent();
        if (above == null || !above.startsWith(root)) {
            throw changed();
        }
        Sqlite.load();
        Set<Object> before = handles();
        OpenFolder folder = walk(root, above);
        try {
            InputStream held = file(folder, real.getFileName());
            try {
                VerifiedDatabaseFile database =
                        new VerifiedDatabaseFile(real, folder, held, Sqlite.open(real, largest));
                try {
                    database.begin(before);
                    return database;
                } catch (SQLException | IOException | RuntimeException e) {
                    database.connection.close();
                    throw e;
                }
            } catch (SQLException | IOException | RuntimeException e) {
                held.close();
                throw e;
            }
        } catch (SQLException | IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private static OpenFolder walk(Path root, Path above) throws SQLException {
        try {
            return OpenFolder.open(root, above);
        } catch (IOException _) {
            throw changed();
        }
    }

    private static InputStream file(OpenFolder folder, Path name) throws SQLException {
        try {
            if (folder.attributes(name).isRegularFile()) {
                return folder.file(name);
            }
        } catch (IOException _) {
            // Not there any more.
        }
        throw changed();
    }

    private void begin(Set<Object> before) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            statement.executeQuery("SELECT count(*) FROM sqlite_schema").close();
        }
        Set<Object> walked = walked();
        if (Files.isDirectory(HANDLES)) {
            Set<Object> opened = handles();
            opened.removeAll(before);
            if (!walked.containsAll(opened)) {
                throw changed();
            }
        } else if (!real.toRealPath().equals(real)
                || !walked.contains(key(Files.readAttributes(real, BasicFileAttributes.class)))) {
            throw changed();
        }
    }

    /** The identities of the file and its neighbours in the folder that was reached without links. */
    private Set<Object> walked() throws IOException {
        Set<Object> keys = new HashSet<>();
        keys.add(key(folder.attributes(real.getFileName())));
        for (String neighbour : NEIGHBOURS) {
            try {
                keys.add(key(folder.attributes(Path.of(real.getFileName() + neighbour))));
            } catch (NoSuchFileException _) {
                // It has none.
            }
        }
        return keys;
    }

    /**
     * The identities of all regular files that this process has open, except those of the system such as {@code
     * /proc}.
     */
    private static Set<Object> handles() throws IOException {
        Set<Object> keys = new HashSet<>();
        if (!Files.isDirectory(HANDLES)) {
            return keys;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(HANDLES)) {
            for (Path handle : all) {
                try {
                    BasicFileAttributes attributes = Files.readAttributes(handle, BasicFileAttributes.class);
                    if (attributes.isRegularFile()
                            && !Files.readSymbolicLink(handle).startsWith(SYSTEM)) {
                        keys.add(key(attributes));
                    }
                } catch (NoSuchFileException _) {
                    // Closed meanwhile.
                }
            }
        }
        return keys;
    }

    private static Object key(BasicFileAttributes attributes) {
        return Optional.ofNullable(attributes.fileKey())
                .orElseGet(() -> Objects.hash(attributes.creationTime(), attributes.size()));
    }

    private static SQLException changed() {
        return new SQLException("the file was moved or replaced while it was opened; try again");
    }

    /** A connection in the transaction in which everything has been compared; closed with this object. */
    Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException, IOException {
        try (folder;
                held;
                connection) {
            // Closed in the opposite order.
        }
    }
}
