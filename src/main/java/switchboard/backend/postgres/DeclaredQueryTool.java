package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.data.Numeric;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.backend.DeclaredTool;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.FilterTimestamp;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.call.Verb;
import switchboard.catalog.ToolDescriptor;

/** A declared query as a tool. */
final class DeclaredQueryTool implements ToolHandler<DeclaredTool.OpenArguments> {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int MAX_RESULT_BYTES = 4 * 1024 * 1024;

    private final DatabaseAccess databaseAccess;
    private final SemanticSearch semanticSearch;
    private final DeclaredQuery query;
    private final ColumnCache columns;

    DeclaredQueryTool(SemanticSearch semanticSearch, DeclaredQuery query, Ticker ticker) {
        this.databaseAccess = semanticSearch.databaseAccess();
        this.semanticSearch = semanticSearch;
        this.query = query;
        this.columns = new ColumnCache(query.sql(), ticker);
    }

    @Override
    public String name() {
        return query.name();
    }

    @Override
    public Class<DeclaredTool.OpenArguments> argsType() {
        return DeclaredTool.OpenArguments.class;
    }

    /** The configured name of its database, or null for the default one. */
    @Nullable
    String database() {
        return query.settings().database();
    }

    /** Its descriptor for the catalog. */
    ToolDescriptor descriptor() {
        PostgresSettings.Query settings = query.settings();
        Set<Verb> verbs = EnumSet.of(query.verb());
        if (query.embeds()) {
            verbs.add(Verb.EMBED);
        }
        String title = settings.title();
        return new ToolDescriptor(
                query.name(),
                new ToolDescriptor.Texts(title == null ? query.name() : title, settings.description()),
                new ToolDescriptor.Schemas(query.inputSchema(), Json.object().put("type", "object")),
                new ToolDescriptor.Effects(verbs, null, true),
                new ToolDescriptor.Limits(TIMEOUT, MAX_RESULT_BYTES),
                ToolDescriptor.Availability.ALWAYS,
                ToolDescriptor.AnswerFormat.PLAIN,
                null);
    }

    /** Prepares it, which fails when the database does not know its tables, columns or types. */
    Future<Void> check(SqlConnection connection) {
        return connection.prepare(query.sql()).compose(statement -> statement.close());
    }

    @Override
    public Future<ToolReply> call(DeclaredTool.OpenArguments args, CallContext context) {
        return values(args.values(), context)
                .compose(values -> databaseAccess
                        .own(fixedDatabase(), context, query.bindings())
                        .compose(session -> columns.query(
                                session, rows(), databaseAccess.limits().bytes().bytes(), values)))
                .map(this::answer);
    }

    /** The configured database, whatever default a session has chosen. */
    private String fixedDatabase() {
        String database = query.settings().database();
        return database == null ? ConnectionProfiles.DEFAULT : database;
    }

    private int rows() {
        Integer own = query.settings().rows();
        int limit = databaseAccess.limits().rows();
        return own == null ? limit : Math.min(own, limit);
    }

    /** The values to bind, one after the other: a text that becomes a vector takes its time. */
    private Future<Tuple> values(ObjectNode arguments, CallContext context) {
        Future<Tuple> values = Future.succeededFuture(Tuple.tuple());
        for (String parameter : query.order()) {
            values =
                    values.compose(tuple -> value(parameter, arguments, context).map(tuple::addValue));
        }
        return values;
    }

    private Future<@Nullable Object> value(String parameter, ObjectNode arguments, CallContext context) {
        PostgresSettings.Parameter settings = query.settings().parameters().get(parameter);
        if (settings == null) {
            throw new IllegalStateException("the query has no parameter " + parameter);
        }
        JsonNode node = arguments.path(parameter);
        String from = settings.from();
        String text = from == null ? node.asText() : DeclaredQuery.given(from, settings, context.caller());
        if (from == null && (node.isMissingNode() || node.isNull())) {
            return Future.succeededFuture(null);
        }
        try {
            return switch (DeclaredQuery.type(query.name(), parameter, settings)) {
                case STRING, DATE -> Future.succeededFuture(text);
                case TIMESTAMP ->
                    Future.succeededFuture(
                            FilterTimestamp.of(text).map(FilterTimestamp::text).orElse(text));
                case STRINGS, INTEGERS, NUMBERS, DATES -> Future.succeededFuture(texts(node));
                case INTEGER -> Future.succeededFuture(Long.valueOf(text));
                case NUMBER -> Future.succeededFuture(Numeric.parse(text));
                case BOOLEAN -> Future.succeededFuture(Boolean.valueOf(text));
                case EMBEDDING -> semanticSearch.vector(text).map(QueryVector::dense);
            };
        } catch (NumberFormatException _) {
            return Future.failedFuture(
                    from == null
                            ? new ToolException(
                                    FailureKind.INVALID_ARGUMENT,
                                    "'" + parameter
                                            + "' is not a number of the right size. Give one that its type can hold.")
                            : new ToolException(
                                    FailureKind.DENIED,
                                    "This tool needs a number that is fixed for you, and your value is not a number. Ask the operator to correct your claims."));
        }
    }

    /** Writes a whole number without point and exponent, which the server would not read. */
    private static String[] texts(JsonNode list) {
        return list.valueStream()
                .map(element -> element.isNumber()
                        ? element.decimalValue().stripTrailingZeros().toPlainString()
                        : element.asText())
                .toArray(String[]::new);
    }

    private ToolReply answer(RowPage page) {
        ObjectNode structured = Json.object();
        page.describe(structured);
        StringBuilder text = new StringBuilder("Results (")
                .append(page.rows().size())
                .append(" rows):\n")
                .append(ResultJson.pretty(page.objects()));
        if (page.truncated()) {
            text.append("\n\nTruncated: there are more rows than this tool returns. Narrow the arguments.");
        }
        return ToolReply.withText(text.toString(), structured, List.of("columns", "row_count", "truncated"));
    }
}
