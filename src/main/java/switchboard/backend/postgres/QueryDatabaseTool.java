package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.postgres.sql.CallerStatement;
import switchboard.backend.postgres.sql.QueryText;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.SessionValues;
import switchboard.call.ToolReply;

/** {@code query_database}: one statement that a caller wrote. */
record QueryDatabaseTool(DatabaseAccess databaseAccess) implements ToolHandler<QueryDatabaseTool.Args> {
    record Args(
            String query,
            @Nullable String database,
            @Nullable Integer limit,
            long offset) {}

    /** Members that the text for people does not contain. */
    private static final List<String> ONLY_STRUCTURED =
            List.of("database", "columns", "row_count", "truncated", "next_offset");

    @Override
    public String name() {
        return "query_database";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return switch (QueryText.parse(args.query())) {
            case QueryText.Plain plain -> run(plain.sql(), args.database(), args, context);
            case QueryText.OnDatabase at -> at(at, args, context);
            case QueryText.SetDefault set -> setDefault(set.target(), context);
        };
    }

    /** The choice is kept with the caller's session, after the database has answered once. */
    private Future<ToolReply> setDefault(String target, CallContext context) {
        if (context.session() == null || target.isEmpty()) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT,
                    (target.isEmpty()
                                    ? "SET DEFAULT DATABASE needs a database."
                                    : "This call belongs to no session that could keep a default database.")
                            + " Name it in each call: 'database' is one of "
                            + databaseAccess.targets().names() + "."));
        }
        String database = databaseAccess.targets().target(target);
        return databaseAccess.own(
                database, context, Set.of(DatabaseAccess.SCHEMAS), (connection, chosen) -> new CatalogReader(
                                connection,
                                databaseAccess.schemas(context.caller()),
                                table -> databaseAccess.visible(context.caller(), table.schema(), table.name()))
                        .tables(null, false)
                        .map(tables -> noRows(
                                        "Successfully set default database connection to:\n" + chosen.label()
                                                + "\n\nMetadata loaded: " + tables.size() + " tables/views available.",
                                        chosen.shortName())
                                .keeping(SessionValues.of(DatabaseAccess.DATABASE, database))));
    }

    private static ToolReply.Ok noRows(String said, String database) {
        ObjectNode structured = Json.object().put("database", database);
        new RowPage(List.of(), List.of(), false, null).describe(structured);
        return ToolReply.withText(said, structured.put("note", said), ONLY_STRUCTURED);
    }

    private Future<ToolReply> at(QueryText.OnDatabase at, Args args, CallContext context) {
        String database = databaseAccess.targets().named(at.url());
        if (args.database() != null && !args.database().equals(database)) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT,
                    "'query' names the database \"" + database + "\" and 'database' names \"" + args.database()
                            + "\". Name one of them only."));
        }
        if (at.sql().isEmpty()) {
            return Future.succeededFuture(
                    noRows("Connection command executed successfully. No query to run.", database));
        }
        return run(at.sql(), database, args, context);
    }

    private Future<ToolReply> run(String sql, @Nullable String database, Args args, CallContext context) {
        CallerStatement statement = CallerStatement.check(sql);
        int rows = args.limit() == null
                ? databaseAccess.limits().rows()
                : Math.min(args.limit(), databaseAccess.limits().rows());
        return databaseAccess.caller(database, context, (connection, target) -> new QueryRunner(
                        connection,
                        target,
                        rows,
                        databaseAccess.limits().bytes().bytes())
                .run(statement, args.offset())
                .map(page -> answer(statement, database, target, page, args.offset())));
    }

    private static ToolReply answer(
            CallerStatement statement,
            @Nullable String database,
            ConnectionProfile.Database target,
            RowPage page,
            long offset) {
        StringBuilder text = new StringBuilder();
        if (database != null) {
            text.append("Using connection: ").append(target.label()).append("\n\n");
        }
        text.append("SQL Query:\n").append(statement.sql());
        text.append("\n\nResults (").append(page.rows().size()).append(" rows):\n");
        text.append(ResultJson.pretty(page.objects()));
        ObjectNode structured = Json.object().put("database", target.shortName());
        if (database != null) {
            structured.put("connection", target.label());
        }
        page.describe(structured.put("query", statement.sql()));
        if (page.truncated()) {
            String more = continuation(statement, page, offset);
            text.append("\n\n").append(more);
            structured.put("note", more);
            if (page.oversizedBytes() == null) {
                structured.put("next_offset", offset + page.rows().size());
            }
        }
        return ToolReply.withText(text.toString(), structured, ONLY_STRUCTURED);
    }

    private static String continuation(CallerStatement statement, RowPage page, long offset) {
        if (page.oversizedBytes() != null) {
            return "Truncated: the next row alone has " + page.oversizedBytes()
                    + " bytes, more than an answer may have. Select fewer columns, or parts of them (left, substring).";
        }
        if (statement.shape() == CallerStatement.ResultType.REPORT) {
            return "Truncated: there are more lines.";
        }
        return "Truncated: there are more rows. Call again with offset: "
                + (offset + page.rows().size())
                + " for the next ones (with an ORDER BY that is unique, or the pages may overlap), or ask for less.";
    }
}
