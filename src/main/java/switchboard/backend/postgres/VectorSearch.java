package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.postgres.sql.Identifiers;

/**
 * A search for the nearest vectors of one column.
 *
 * <p>An approximate index stops after a number of candidates, and filters are applied afterwards. So that number grows
 * with {@code topK}, the index continues until there are enough rows, and if there are still too few, the search is
 * repeated without the index. So {@code topK} rows are returned whenever the table has them.
 *
 * @param vector the query's vector
 * @param topK number of rows
 * @param filter conditions whose parameters begin at {@value #FIRST_FREE}
 * @param condition a checked boolean expression of the caller, or null
 */
record VectorSearch(
        TableInfo table,
        TableInfo.Column column,
        QueryVector vector,
        DistanceMetric metric,
        int topK,
        StructuredFilter filter,
        @Nullable String condition) {
    /** The number of the first parameter after the vector. */
    static final int FIRST_FREE = 2;

    private static final int MAX_CANDIDATES = 1_000;
    private static final int DEFAULT_CANDIDATES = 40;

    /** The result of a search. */
    record Result(VectorSearch search, RowPage page) {
        /** Whether there are too few rows although no index was known that had to be told to continue. */
        boolean mayLackRows() {
            return search.tooFew(page) && !search.approximate();
        }
    }

    /** The name of the distance's column: {@code distance}, unless the table has such a column. */
    String distanceName() {
        return table.column("distance").isEmpty() ? "distance" : "__distance";
    }

    /** The cosine of a row's vector and the query's; null for another metric. */
    @Nullable
    Double similarity(JsonNode row) {
        return metric == DistanceMetric.COSINE ? 1 - row.path(distanceName()).asDouble() : null;
    }

    /** Runs it: one statement, unless the caller wrote a part of it or it has to be repeated. */
    Future<Result> run(DatabaseAccess.DatabaseSession session, long maxBytes) {
        Future<RowPage> searched = condition == null
                ? session.runStatement((connection, database) ->
                                new QueryRunner(connection, database, topK, maxBytes).json(sql(), parameters(), 0))
                        .map(answer -> sorted(QueryRunner.page(columns(), answer, topK)))
                : session.run((connection, database) -> checked(new QueryRunner(connection, database, topK, maxBytes)));
        return searched.compose(page -> approximate() && tooFew(page)
                        ? session.run((connection, database) -> connection
                                .query("SET LOCAL enable_indexscan = off")
                                .execute()
                                .compose(_ -> rows(new QueryRunner(connection, database, topK, maxBytes))))
                        : Future.succeededFuture(page))
                .map(page -> new Result(this, page));
    }

    private boolean tooFew(RowPage page) {
        return !page.truncated() && page.rows().size() < topK;
    }

    private Future<RowPage> checked(QueryRunner runner) {
        String sql = sql();
        return runner.check(sql, sql.indexOf("(\n" + condition + "\n)") + 2).compose(_ -> rows(runner));
    }

    private Future<RowPage> rows(QueryRunner runner) {
        return runner.rows(sql(), parameters(), columns(), 0).map(this::sorted);
    }

    private Tuple parameters() {
        Tuple parameters = Tuple.of(vectorType().equals("sparsevec") ? vector.sparse() : vector.dense());
        filter.values().forEach(parameters::addString);
        return parameters;
    }

    /** Sorts the rows: an index in relaxed order may return them slightly out of order. Equal ones keep their order. */
    private RowPage sorted(RowPage page) {
        int last = page.columns().size() - 1;
        List<List<JsonNode>> rows = new ArrayList<>(page.rows());
        rows.sort(Comparator.comparingDouble(row -> row.get(last).asDouble(Double.MAX_VALUE)));
        return new RowPage(page.columns(), rows, page.truncated(), page.oversizedBytes());
    }

    private String sql() {
        String type = Identifiers.quote(vectorSchema(), vectorType());
        // By its own name, so that a condition may say it.
        String name = table.sql(column);
        // The parameter is read once, in a query of its own: a cast in place is repeated for every row. It is what the
        // index waits for, so whatever is set there counts for this search.
        String distance = name + " OPERATOR(" + Identifiers.quote(vectorSchema()) + "." + metric.operator()
                + ") (SELECT $1::text::" + type + indexSettings() + ")";
        List<String> selected = new ArrayList<>();
        table.plainColumns().forEach(plain -> selected.add(table.sql(plain)));
        selected.add("(" + distance + ") AS " + Identifiers.quote(distanceName()));
        return "SELECT " + String.join(", ", selected) + " FROM " + table.sql() + " WHERE " + name
                + " IS NOT NULL AND " + filter.condition()
                + (condition == null ? "" : " AND (\n" + condition + "\n)") + " ORDER BY " + distance + tieBreak()
                + " LIMIT " + topK;
    }

    private String tieBreak() {
        List<String> names =
                table.plainColumns().stream().map(TableInfo.Column::name).toList();
        if (!table.key().isEmpty() && names.containsAll(table.key())) {
            return table.key().stream()
                    .map(name -> ", " + Identifiers.quote(table.name(), name))
                    .reduce("", String::concat);
        }
        return switch (table.kind()) {
            case "r", "m" -> table.whole() ? ", " + own("ctid") : "";
            case "p" -> table.whole() ? ", " + own("tableoid") + ", " + own("ctid") : "";
            default -> "";
        };
    }

    private String own(String systemColumn) {
        return Identifiers.quote(table.name(), systemColumn);
    }

    private List<RowPage.Column> columns() {
        List<RowPage.Column> columns = new ArrayList<>();
        table.plainColumns().forEach(plain -> columns.add(new RowPage.Column(plain.name(), plain.baseType())));
        columns.add(new RowPage.Column(distanceName(), "double precision"));
        return columns;
    }

    private boolean approximate() {
        return indexes().findAny().isPresent();
    }

    private Stream<TableInfo.Index> indexes() {
        return table.indexes().stream().filter(index -> index.nearest(column.name()));
    }

    /**
     * The settings for its indexes until the transaction ends, as a condition that is always true; empty without an
     * index.
     */
    private String indexSettings() {
        return indexes()
                .map(TableInfo.Index::method)
                .distinct()
                .flatMap(method -> method.equals("hnsw") ? hnswSettings() : ivfflatSettings())
                .collect(Collectors.joining(" AND ", approximate() ? " WHERE " : "", ""));
    }

    private Stream<String> hnswSettings() {
        int candidates = Math.min(MAX_CANDIDATES, Math.max(DEFAULT_CANDIDATES, 2 * topK));
        Stream<String> settings = Stream.of(set("hnsw.ef_search", String.valueOf(candidates)));
        return goesOn()
                ? Stream.concat(
                        settings,
                        Stream.of(
                                set("hnsw.iterative_scan", "strict_order"), set("hnsw.max_scan_tuples", "2000000000")))
                : settings;
    }

    private Stream<String> ivfflatSettings() {
        Stream<String> settings = Stream.of(set("ivfflat.probes", "16"));
        return goesOn()
                ? Stream.concat(
                        settings,
                        Stream.of(set("ivfflat.iterative_scan", "relaxed_order"), set("ivfflat.max_probes", "32768")))
                : settings;
    }

    /** Numbers and fixed words only: nothing to escape. */
    private static String set(String setting, String value) {
        return "pg_catalog.set_config('" + setting + "', '" + value + "', true) IS NOT NULL";
    }

    /** Whether this pgvector can continue if a filter leaves too few rows: 0.8 and later. */
    private boolean goesOn() {
        String version = table.vectorVersion();
        if (version == null) {
            return false;
        }
        String[] parts = version.split("\\.", -1);
        return Integer.parseInt(parts[0]) > 0 || (parts.length > 1 && Integer.parseInt(parts[1]) >= 8);
    }

    private String vectorType() {
        return column.vector() == null ? "vector" : column.vector();
    }

    private String vectorSchema() {
        return column.vectorSchema() == null ? "public" : column.vectorSchema();
    }
}
