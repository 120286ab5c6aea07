package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import switchboard.backend.CallContext;
import switchboard.backend.ToolHandler;
import switchboard.backend.postgres.sql.CallerStatement;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** {@code semantic_search}: the nearest rows of one table by one vector column. */
final class SemanticSearchTool implements ToolHandler<SemanticSearchTool.Args> {
    /** The arguments. */
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

    /** Where a search goes, known to be right. */
    private record Place(TableInfo table, TableInfo.Column column) {}

    private final SearchTools tools;

    SemanticSearchTool(SearchTools tools) {
        this.tools = tools;
    }

    @Override
    public String name() {
        return "semantic_search";
    }

    @Override
    public Class<Args> argsType() {
        return Args.class;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        checkOneQuery(args);
        List<BigDecimal> given = args.query_vector();
        if (given != null) {
            return with(args, context, (connection, place) -> place(connection, args, given, context)
                    .compose(found -> search(args, found, given, connection, place)));
        }
        // Everything else is checked before an embedding is paid for, and no transaction waits for one.
        tools.requireEmbedder();
        return this.<Place>with(args, context, (connection, place) -> place(connection, args, null, context))
                .compose(found -> SearchTools.vector(
                                tools.embedder(found.table(), found.column()), String.valueOf(args.text_query()))
                        .compose(vector -> with(
                                args, context, (connection, place) -> search(args, found, vector, connection, place))));
    }

    private Future<ToolReply> search(
            Args args, Place found, List<BigDecimal> vector, SqlConnection connection, Target.Place place) {
        VectorSearch search = new VectorSearch(
                found.table(),
                found.column(),
                vector,
                Metric.of(args.distance_metric()),
                args.top_k(),
                args.filter(),
                args.filter_conditions());
        return search.run(connection, place, tools.engine().limits().bytes().bytes())
                .map(page -> SearchTools.answer("", search, page));
    }

    /** With a condition that the caller wrote, it is the caller's SQL; without, it is the gateway's. */
    private <T> Future<T> with(
            Args args, CallContext context, BiFunction<SqlConnection, Target.Place, Future<T>> work) {
        if (args.filter_conditions() == null) {
            return tools.engine().own(args.database(), context, Set.of(Engine.SCHEMAS), work);
        }
        CallerStatement.checkExpression(args.filter_conditions());
        return tools.engine().caller(args.database(), context, work);
    }

    /** Where {@code vector} is searched for, or else the vector that the column's embedder will give. */
    private Future<Place> place(
            SqlConnection connection, Args args, @Nullable List<BigDecimal> vector, CallContext context) {
        Engine engine = tools.engine();
        return new Catalogue(
                        connection,
                        engine.schemas(context.caller()),
                        table -> engine.visible(context.caller(), table.schema(), table.name()))
                .table(args.table_name())
                .map(table -> {
                    TableInfo.Column column = SearchTools.vectorColumn(table, args.vector_column());
                    SearchTools.checkDimensions(
                            vector == null ? tools.embedder(table, column).dimension() : vector.size(), table, column);
                    if (args.filter() != null) {
                        StructuredFilter.compile(args.filter(), table, 2);
                    }
                    return new Place(table, column);
                });
    }

    private static void checkOneQuery(Args args) {
        if (args.query_vector() == null && args.text_query() == null) {
            throw invalid("Either 'query_vector' or 'text_query' parameter must be provided");
        }
        if (args.query_vector() != null && args.text_query() != null) {
            throw invalid("Only one of 'query_vector' or 'text_query' can be provided, not both");
        }
        if (args.text_query() != null && args.text_query().isBlank()) {
            throw invalid("'text_query' parameter cannot be empty or whitespace-only");
        }
        if (args.query_vector() != null && args.query_vector().isEmpty()) {
            throw invalid("'query_vector' cannot be empty");
        }
    }

    private static ToolException invalid(String message) {
        return new ToolException(FailureKind.INVALID_ARGUMENT, message);
    }
}
