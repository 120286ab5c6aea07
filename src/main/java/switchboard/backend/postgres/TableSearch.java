package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import switchboard.backend.FieldGuesser;
import switchboard.backend.SearchProvider;
import switchboard.backend.postgres.sql.Identifiers;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.SearchableSource;
import switchboard.call.SourceQuery;
import switchboard.call.ToolException;

/**
 * Makes tables searchable together with sources of other backends: those of the default database with a primary key
 * and a vector column that an embedder matches.
 */
record TableSearch(SemanticSearch semanticSearch, TableCache tables) implements SearchProvider {
    @Override
    public Future<BackendReply.Sources> sources(BackendRequest.ListSources request, CallContext context) {
        return run(context, (connection, database) -> catalogue(connection, context)
                .tables(null, true)
                .compose(all -> {
                    List<TableInfo> tables = all.stream()
                            .filter(table ->
                                    column(table).isPresent() && !table.key().isEmpty())
                            .toList();
                    return new TableFreshness(connection)
                            .of(tables)
                            .map(times -> new BackendReply.Sources(tables.stream()
                                    .map(table -> source(table, times.get(table.fullName())))
                                    .toList()));
                }));
    }

    @Override
    public Future<BackendReply.Passages> search(BackendRequest.SearchSource request, CallContext context) {
        return semanticSearch
                .databaseAccess()
                .own(null, context, Set.of(DatabaseAccess.SCHEMAS))
                .compose(session -> tables.search(
                        session, context.caller(), request.source(), table -> search(request.query(), table, session)))
                .map(found -> BackendReply.Passages.of(
                        request.query(),
                        passages(found.search(), found.page()),
                        found.page().truncated() ? "the answer reached its limit of bytes" : null));
    }

    private Future<VectorSearch.Result> search(
            SourceQuery query, TableInfo table, DatabaseAccess.DatabaseSession session) {
        TableInfo.Column column = searched(table);
        StructuredFilter filter = new TableFields(table).filter(query.conditions());
        return SemanticSearch.vector(semanticSearch.embedder(table, column), query.brief())
                .map(vector ->
                        new VectorSearch(table, column, vector, DistanceMetric.COSINE, query.limit(), filter, null))
                .compose(search -> search.run(session, limit()));
    }

    @Override
    public Future<BackendReply.DocumentPart> read(BackendRequest.ReadDocument request, CallContext context) {
        return run(context, (connection, database) -> catalogue(connection, context)
                .table(request.source())
                .compose(table -> row(connection, database, table, request.document()))
                .map(row -> new FieldGuesser(row, request.named()).part(request.offset(), request.maxChars())));
    }

    private <T> Future<T> run(
            CallContext context, BiFunction<SqlConnection, ConnectionProfile.Database, Future<T>> work) {
        return semanticSearch.databaseAccess().own(null, context, Set.of(DatabaseAccess.SCHEMAS), work);
    }

    private CatalogReader catalogue(SqlConnection connection, CallContext context) {
        DatabaseAccess databaseAccess = semanticSearch.databaseAccess();
        return new CatalogReader(
                connection,
                databaseAccess.schemas(context.caller()),
                table -> databaseAccess.visible(context.caller(), table.schema(), table.name()));
    }

    private long limit() {
        return semanticSearch.databaseAccess().limits().bytes().bytes();
    }

    private Optional<TableInfo.Column> column(TableInfo table) {
        return table.vectors().stream()
                .filter(column -> semanticSearch.embedders().fits(table, column))
                .findFirst();
    }

    private TableInfo.Column searched(TableInfo table) {
        return column(table).orElseThrow(() -> notASource(table.fullName()));
    }

    private static SearchableSource source(TableInfo table, @Nullable String updated) {
        return new SearchableSource(
                table.fullName(),
                table.comment() == null ? table.kindName().toLowerCase(java.util.Locale.ROOT) : table.comment(),
                table.rows(),
                new TableFields(table).all(),
                updated,
                List.of("vector"));
    }

    private List<Passage> passages(VectorSearch search, RowPage page) {
        String model = semanticSearch.embedder(search.table(), search.column()).model();
        List<Passage> passages = new ArrayList<>();
        for (JsonNode row : page.objects()) {
            ObjectNode object = row.deepCopy();
            double similarity = 1 - object.remove(search.distanceName()).asDouble();
            FieldGuesser fields = new FieldGuesser(object);
            passages.add(new Passage(
                            search.table().keyOf(object).orElse(""),
                            fields.title(),
                            fields.url(),
                            fields.text(),
                            similarity,
                            new Passage.Similarity(model, similarity),
                            fields.others())
                    .at(fields.place()));
        }
        return passages;
    }

    private Future<ObjectNode> row(
            SqlConnection connection, ConnectionProfile.Database database, TableInfo table, String document) {
        List<String> values = values(table, document);
        List<String> conditions = new ArrayList<>();
        Tuple parameters = Tuple.tuple();
        for (int i = 0; i < values.size(); i++) {
            conditions.add("t." + Identifiers.quote(table.key().get(i)) + "::text = $" + (i + 1));
            parameters.addString(values.get(i));
        }
        String columns = String.join(
                ", ",
                table.plainColumns().stream()
                        .map(column -> "t." + Identifiers.quote(column.name()))
                        .toList());
        String sql = "SELECT " + columns + " FROM " + table.sql() + " AS t WHERE " + String.join(" AND ", conditions)
                + " LIMIT 1";
        return new QueryRunner(connection, database, 1, limit())
                .query(sql, parameters, 0, 0)
                .map(page -> {
                    if (page.rows().isEmpty()) {
                        throw new ToolException(
                                FailureKind.NOT_FOUND,
                                "There is no row " + document + " in " + table.fullName() + ". Search again.");
                    }
                    return (ObjectNode) page.objects().get(0);
                });
    }

    private static List<String> values(TableInfo table, String document) {
        if (table.key().size() == 1) {
            return List.of(document);
        }
        try {
            List<String> values = new ArrayList<>();
            Json.parse(document).forEach(value -> values.add(value.asText()));
            if (!table.key().isEmpty() && values.size() == table.key().size()) {
                return values;
            }
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            // said below
        }
        throw new ToolException(
                FailureKind.NOT_FOUND, "There is no row " + document + " in " + table.fullName() + ". Search again.");
    }

    private static ToolException notASource(String name) {
        return new ToolException(
                FailureKind.NOT_FOUND,
                "Table '" + name + "' has no vector column that the embedder fits. list_sources"
                        + " lists what can be searched.");
    }
}
