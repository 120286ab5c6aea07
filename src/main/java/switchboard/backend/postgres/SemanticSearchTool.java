package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.postgres.sql.CallerStatement;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** {@code semantic_search}: the nearest rows of one table by one vector column. */
record SemanticSearchTool(SemanticSearch semanticSearch, TableCache tables)
        implements ToolHandler<SemanticSearchTool.Args> {
    record Args(
            String table_name,
            String vector_column,
            @Nullable List<BigDecimal> query_vector,
            @Nullable String text_query,
            int top_k,
            String distance_metric,
            @Nullable String filter_conditions,
            @Nullable ObjectNode filter,
            @Nullable String database) {}

    @Override
    public String name() {
        return "semantic_search";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        checkOneQuery(args);
        DistanceMetric.of(args.distance_metric());
        if (args.query_vector() == null) {
            semanticSearch.requireEmbedder();
        }
        return session(args, context)
                .compose(session -> tables.search(
                        session, context.caller(), args.table_name(), table -> search(args, table, session)))
                .map(found -> SemanticSearch.answer(
                        "", new SemanticSearch.AskedRows(args.text_query(), args.database()), found, context));
    }

    /** With a condition that the caller wrote, it is the caller's SQL; without, it is the gateway's. */
    private Future<DatabaseAccess.DatabaseSession> session(Args args, CallContext context) {
        if (args.filter_conditions() == null) {
            return semanticSearch.databaseAccess().own(args.database(), context, Set.of(DatabaseAccess.SCHEMAS));
        }
        CallerStatement.checkExpression(args.filter_conditions());
        return semanticSearch.databaseAccess().caller(args.database(), context);
    }

    /** Everything else is checked before an embedding is paid for, and no transaction waits for one. */
    private Future<VectorSearch.Result> search(Args args, TableInfo table, DatabaseAccess.DatabaseSession session) {
        TableInfo.Column column = SemanticSearch.vectorColumn(table, args.vector_column());
        List<BigDecimal> given = args.query_vector();
        SemanticSearch.checkDimensions(
                given == null ? semanticSearch.embedder(table, column).dimension() : given.size(), table, column);
        StructuredFilter filter = args.filter() == null
                ? StructuredFilter.NONE
                : StructuredFilter.compile(args.filter(), table, VectorSearch.FIRST_FREE);
        Future<QueryVector> vector = given == null
                ? SemanticSearch.vector(semanticSearch.embedder(table, column), String.valueOf(args.text_query()))
                : Future.succeededFuture(QueryVector.of(given));
        return vector.map(values -> new VectorSearch(
                        table,
                        column,
                        values,
                        DistanceMetric.of(args.distance_metric()),
                        args.top_k(),
                        filter,
                        args.filter_conditions()))
                .compose(search -> search.run(
                        session,
                        semanticSearch.databaseAccess().limits().bytes().bytes()));
    }

    private static void checkOneQuery(Args args) {
        if (args.query_vector() == null && args.text_query() == null) {
            throw invalid("Either 'query_vector' or 'text_query' parameter must be provided");
        }
        if (args.query_vector() != null && args.text_query() != null) {
            throw invalid("Only one of 'query_vector' or 'text_query' can be provided, not both");
        }
        if (args.text_query() != null && args.text_query().isBlank()) {
            throw invalid("'text_query' parameter cannot be empty or whitespace-only. Say what to look for.");
        }
        if (args.query_vector() != null && args.query_vector().isEmpty()) {
            throw invalid("'query_vector' cannot be empty");
        }
    }

    private static ToolException invalid(String message) {
        return new ToolException(FailureKind.INVALID_ARGUMENT, message);
    }
}
