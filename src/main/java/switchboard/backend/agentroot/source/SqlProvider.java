package switchboard.backend.agentroot.source;

import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import switchboard.backend.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.Verb;

/** The rows of a table or query of an SQLite file below the operator's roots; the file is opened read-only. */
public final class SqlProvider implements Provider {
    private final FileTree tree;

    /** A provider of files in {@code tree}. */
    public SqlProvider(FileTree tree) {
        this.tree = tree;
    }

    @Override
    public String type() {
        return "sql";
    }

    @Override
    public String defaultPattern() {
        return "*";
    }

    @Override
    public Set<String> options() {
        return SqliteRows.OPTIONS;
    }

    @Override
    public Verb verb() {
        return Verb.FILES;
    }

    @Override
    public Future<Origin> check(Origin origin, CallContext context) {
        return tree.run(context, () -> {
            Path file = file(origin);
            open(file, origin, context).check();
            return new Origin(file.toString(), origin.pattern(), origin.options());
        });
    }

    @Override
    public Future<Scan> scan(Origin origin, CallContext context) {
        return tree.run(context, () -> {
            Path file = file(origin);
            Rows rows = new Rows(tree.limits());
            open(file, origin, context).read(rows, FileTree.modified(file));
            return rows.scan();
        });
    }

    private Path file(Origin origin) {
        Path file = tree.locate(origin.path());
        if (!Files.isRegularFile(file)) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "path must be an SQLite file, not a folder");
        }
        return file;
    }

    private SqliteRows open(Path file, Origin origin, CallContext context) throws SQLException {
        return new SqliteRows(file, origin, tree.limits(), context::cancelled);
    }
}
