package switchboard.backend.agentroot.sqlite;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.call.DiskError;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.files.PrivateFiles;

/** One statement in its own process. Everything blocks, except {@link #kill}, which any thread may call. */
public final class SqliteProcess implements AutoCloseable {
    /** Size of the unpacked library, with some reserve. */
    private static final long LIBRARY_BYTES = 4 << 20;

    private final SqliteLimits limits;
    private final Path folder;
    private final Process process;
    private final AtomicReference<@Nullable ToolException> killed = new AtomicReference<>();

    /** A row: the values of the chosen columns, and further values in the order of the columns, null where there is none. */
    public record ResultRow(
            @Nullable String id,
            @Nullable String title,
            @Nullable String text,
            @Nullable String allow,
            List<@Nullable Object> facts) {}

    /** The roles of columns, by number from 1; 0 for none. */
    public record ColumnNumbers(int id, int title, int content, int allow) {}

    private SqliteProcess(SqliteLimits limits, Path folder, Process process) {
        this.limits = limits;
        this.folder = folder;
        this.process = process;
    }

    static SqliteProcess start(SqliteLimits limits) {
        try {
            Path folder = PrivateFolder.create();
            try {
                return new SqliteProcess(
                        limits,
                        folder,
                        new ChildCommand(limits, folder).builder().start());
            } catch (IOException e) {
                PrivateFolder.clear(folder.toString());
                throw e;
            }
        } catch (IOException e) {
            Optional<DiskError> disk = DiskError.in(e);
            if (disk.isPresent()) {
                throw new ToolException(disk.get().failed("The process that reads SQLite files can't be started"));
            }
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    "The process that reads SQLite files can't be started: "
                            + e.getClass().getSimpleName() + ". Ask the operator.");
        }
    }

    /** Receives a row of a result with the columns {@code names}, by number from 1; returns false for no more rows. */
    public interface RowConsumer {
        boolean row(List<String> names, ResultRow row, int number);
    }

    /**
     * A file that is opened from a folder without following links, even if somebody replaces a part of its path by
     * one.
     *
     * @param root a real path that only the operator can change
     * @param real a path below it without links when it was checked
     */
    public record DatabaseFile(Path root, Path real) {}

    /** Runs the statement {@code sql} on {@code file}. */
    public void run(DatabaseFile file, String sql, Function<List<String>, ColumnNumbers> choose, RowConsumer rows) {
        talk(file, sql, (in, out) -> {
            List<String> names = columns(in);
            ColumnNumbers chosen = choose.apply(names);
            SqliteProtocol.write(
                    out,
                    Map.of(
                            SqliteProtocol.ID, String.valueOf(chosen.id()),
                            SqliteProtocol.TITLE, String.valueOf(chosen.title()),
                            SqliteProtocol.CONTENT, String.valueOf(chosen.content()),
                            SqliteProtocol.ALLOW, String.valueOf(chosen.allow())));
            boolean more = true;
            int number = 1;
            while (more && in.nextToken() == JsonToken.START_ARRAY) {
                more = rows.row(names, row(in), number++);
            }
            if (more) {
                end(in);
            }
        });
    }

    private interface Talk {
        void with(JsonParser in, JsonGenerator out) throws IOException;
    }

    private void talk(DatabaseFile file, String sql, Talk talk) {
        JsonFactory json = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Math.max(limits.valueBytes(), SqliteProtocol.COLUMNS * SqliteProtocol.SHORT))
                        .maxNestingDepth(2)
                        .build())
                .build();
        try (JsonGenerator out = json.createGenerator(process.getOutputStream())) {
            SqliteProtocol.write(
                    out,
                    Map.of(
                            SqliteProtocol.ROOT, file.root().toString(),
                            SqliteProtocol.FILE, file.real().toString(),
                            SqliteProtocol.SQL, sql,
                            SqliteProtocol.VALUE_BYTES, String.valueOf(limits.valueBytes()),
                            SqliteProtocol.ROWS, String.valueOf(limits.rows()),
                            SqliteProtocol.MILLIS, String.valueOf(limits.time().toMillis()),
                            SqliteProtocol.MEMORY, String.valueOf(limits.memory()),
                            SqliteProtocol.TEMP_SPACE, String.valueOf(limits.tempSpace())));
            // Not before: a parser reads a little at once.
            try (JsonParser in = json.createParser(process.getInputStream())) {
                talk.with(in, out);
            }
        } catch (IOException e) {
            throw ended();
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> columns(JsonParser in) throws IOException {
        if (in.nextToken() != JsonToken.START_ARRAY) {
            end(in);
        }
        List<String> columns = new ArrayList<>();
        while (in.nextToken() == JsonToken.VALUE_STRING) {
            columns.add(in.getText());
        }
        return columns;
    }

    private static ResultRow row(JsonParser in) throws IOException {
        String id = in.nextTextValue();
        String title = in.nextTextValue();
        String text = in.nextTextValue();
        String allow = in.nextTextValue();
        List<@Nullable Object> facts = new ArrayList<>();
        for (JsonToken token = in.nextToken(); token != JsonToken.END_ARRAY; token = in.nextToken()) {
            facts.add(
                    switch (token) {
                        case VALUE_STRING -> in.getText();
                        case VALUE_NUMBER_INT -> in.getLongValue();
                        case VALUE_NUMBER_FLOAT -> in.getDoubleValue();
                        case VALUE_NULL -> null;
                        case null, default -> throw new IOException("cut off");
                    });
        }
        return new ResultRow(id, title, text, allow, facts);
    }

    /** The object at the end, or the failure of a process that ended without one. */
    private void end(JsonParser in) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw ended();
        }
        Map<String, String> end = SqliteProtocol.object(in);
        String error = end.get(SqliteProtocol.ERROR);
        if (error != null) {
            throw said(error, end.getOrDefault(SqliteProtocol.CODE, ""));
        }
    }

    /** SQLite's message about the statement, as a failure for the caller. */
    private ToolException said(String error, String code) {
        String plain = error.replaceAll("^\\[SQLITE_\\w+]\\s*", "");
        return switch (code) {
            case "SQLITE_NOMEM" -> tooMuchMemory();
            // What the bound on file sizes gives is SQLITE_IOERR_WRITE; the other one is a disk without room.
            case "SQLITE_FULL" -> full();
            case "SQLITE_IOERR_WRITE" -> tooMuchSpace();
            case SqliteProtocol.NO_LIBRARY -> noLibrary(plain);
            case "SQLITE_TOOBIG" ->
                invalid("SQLite: " + plain + ": a value has more than " + limits.valueBytes()
                        + " bytes, or the statement is too long. Select less of it, with substr() for instance.");
            case "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_IOERR_GETTEMPPATH" ->
                hasRoom() ? invalid("SQLite: " + plain) : full();
            default -> invalid("SQLite: " + plain);
        };
    }

    /** Why a process ended without saying so itself. */
    private ToolException ended() {
        process.destroyForcibly();
        int status = 0;
        try {
            status = process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : 0;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        ToolException reason = killed.get();
        if (reason != null) {
            return reason;
        }
        if (status != SqliteProtocol.SPACE_UP && !hasRoom()) {
            return full();
        }
        return switch (status) {
            case SqliteProtocol.TIME_UP -> tooLate();
            case SqliteProtocol.SPACE_UP -> tooMuchSpace();
            case SqliteProtocol.MEMORY_UP, SqliteProtocol.HEAP_FULL -> tooMuchMemory();
            default ->
                new ToolException(
                        FailureKind.UNAVAILABLE,
                        "The process that ran the statement ended without an answer (status " + status
                                + "). Simplify the statement, or try again.");
        };
    }

    private static ToolException full() {
        return new ToolException(
                DiskError.FULL.failed("The statement has no room for temporary files, to sort or to join"));
    }

    /** The library is unpacked into the folder for temporary files. */
    private ToolException noLibrary(String problem) {
        return hasRoom()
                ? new ToolException(
                        FailureKind.UNAVAILABLE, "SQLite can't be loaded: " + problem + ". Ask the operator.")
                : full();
    }

    private boolean hasRoom() {
        try {
            PrivateFiles.checkRoom(folder);
            return Files.getFileStore(folder).getUsableSpace() > LIBRARY_BYTES;
        } catch (IOException _) {
            return false;
        }
    }

    private ToolException tooMuchSpace() {
        return invalid("The statement needs more than " + mebibytes(limits.tempSpace())
                + " of temporary space, to sort or to join. Add an index for it, select fewer columns, or use WHERE or"
                + " LIMIT.");
    }

    private ToolException tooMuchMemory() {
        return invalid("The statement needs more than " + mebibytes(limits.memory())
                + " of memory. Select less: fewer or shorter values, with WHERE, LIMIT or substr().");
    }

    ToolException tooLate() {
        return new ToolException(
                FailureKind.TIMEOUT,
                String.format(
                        Locale.ROOT,
                        "The statement was stopped after %.1f s, its time limit. Make it cheaper: an index on what"
                                + " it filters, joins and sorts by, a narrower WHERE, or a LIMIT.",
                        limits.time().toMillis() / 1000.0));
    }

    private static ToolException invalid(String message) {
        return new ToolException(FailureKind.INVALID_ARGUMENT, message);
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + " MiB";
    }

    /** Ends it at once; who waits for it gets {@code reason}. */
    void kill(ToolException reason) {
        killed.compareAndSet(null, reason);
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        PrivateFolder.clear(folder.toString());
    }
}
