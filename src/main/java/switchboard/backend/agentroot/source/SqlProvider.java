package switchboard.backend.agentroot.source;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.Set;
import switchboard.backend.agentroot.sqlite.SqliteProcess;
import switchboard.backend.agentroot.sqlite.SqliteReader;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.Verb;

/** The rows of a table or query of an SQLite file below the operator's roots; the file is opened read-only. */
public final class SqlProvider implements DocumentProvider {
    private final FileTree tree;
    private final SqliteReader reader;

    /** A provider of files in {@code tree}, which {@code reader} reads. */
    public SqlProvider(FileTree tree, SqliteReader reader) {
        this.tree = tree;
        this.reader = reader;
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
    public Future<CollectionOrigin> check(CollectionOrigin origin, CallContext context) {
        SqliteRows rows = new SqliteRows(origin);
        return reader.run(context, process -> {
            SqliteProcess.DatabaseFile file = file(origin);
            process.run(file, rows.sql(), rows::choose, (_, _, _) -> false);
            return new CollectionOrigin(file.real().toString(), origin.pattern(), origin.options());
        });
    }

    @Override
    public Future<Void> find(CollectionOrigin origin, CallContext context) {
        return tree.find(origin, context);
    }

    @Override
    public Future<Scan> scan(CollectionOrigin origin, CallContext context) {
        SqliteRows rows = new SqliteRows(origin);
        return reader.run(context, process -> {
            SqliteProcess.DatabaseFile file = file(origin);
            Instant modified = FileTree.modified(file.real());
            FilePermissions permissions = tree.permissions(origin);
            SourcePermission before = permissions.of(file.real());
            RecordRows taken = new RecordRows(tree.limits());
            process.run(file, rows.sql(), rows::choose, (names, row, number) -> {
                RecordRows.DataRecord record = rows.row(row, names, number);
                return taken.add(record.name(), record.within(before), modified);
            });
            return taken.within(permissions.of(file.real()));
        });
    }

    private SqliteProcess.DatabaseFile file(CollectionOrigin origin) {
        return tree.file(origin.path())
                .orElseThrow(() -> new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "path must be an SQLite file, not a folder. Give the path of the file."));
    }
}
