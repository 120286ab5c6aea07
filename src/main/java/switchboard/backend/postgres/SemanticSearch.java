package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.GivenDocuments;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.embed.Embedder;

/** What the tools that compare texts with vectors share: vectors of texts, checks of a column, the answer. */
record SemanticSearch(DatabaseAccess databaseAccess, TableEmbedders embedders) {
    /**
     * The embedder of {@code column}.
     *
     * @throws ToolException if it has none
     */
    Embedder embedder(TableInfo table, TableInfo.Column column) {
        return embedders.of(table, column).orElseThrow(SemanticSearch::off).embedder();
    }

    /**
     * Checks that there is an embedder before the database is used.
     *
     * @throws ToolException if vectors are switched off
     */
    void requireEmbedder() {
        if (embedders.none()) {
            throw off();
        }
    }

    private static ToolException off() {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                "Embedding generation not enabled in server configuration. Pass 'query_vector' to semantic_search"
                        + " instead.");
    }

    /** The vector of a query's text by the backend's own embedder. */
    Future<QueryVector> vector(String text) {
        return vector(embedders.usual().orElseThrow(SemanticSearch::off).embedder(), text);
    }

    /** The vector of a query's text. */
    static Future<QueryVector> vector(Embedder embedder, String text) {
        return embedder.embedQuery(text).map(QueryVector::of);
    }

    /** The vector column of that name. */
    static TableInfo.Column vectorColumn(TableInfo table, String name) {
        TableInfo.Column column =
                table.column(name).orElseThrow(() -> table.unknownColumn(name, FailureKind.NOT_FOUND));
        if (column.vector() == null) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "Column '" + name + "' in table '" + table.fullName() + "' is not a pgvector column (type: "
                            + column.type() + "). get_schema_info shows the columns and their types.");
        }
        return column;
    }

    /** Checks that vectors of {@code dimensions} can be compared with a column; a column without dimensions takes any. */
    static void checkDimensions(int dimensions, TableInfo table, TableInfo.Column column) {
        if (column.dimensions() != 0 && column.dimensions() != dimensions) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "Query vector dimensions (" + dimensions + ") don't match column dimensions (" + column.dimensions()
                            + ") for '" + table.fullName() + "." + column.name()
                            + "'. Pass a vector of that length, or another"
                            + " column.");
        }
    }

    /**
     * What was asked.
     *
     * @param text null if there is only a vector
     * @param database the database that the caller named, or null
     */
    record AskedRows(@Nullable String text, @Nullable String database) {
        /** For the search log. An address has no database, so rows of one that was named have none. */
        private GivenDocuments given(VectorSearch search, JsonNode rows) {
            TableInfo table = search.table();
            return GivenDocuments.found(new GivenDocuments.GivenSearch(
                    text == null ? "" : text,
                    List.of(table.fullName()),
                    rows.valueStream()
                            .map(row -> new GivenDocuments.GivenHit(
                                    new GivenDocuments.GivenDocument(
                                            table.fullName(),
                                            database == null ? table.keyOf(row).orElse(null) : null),
                                    search.similarity(row),
                                    null))
                            .toList()));
        }
    }

    /** The answer, after {@code preface}. */
    static ToolReply answer(String preface, AskedRows asked, VectorSearch.Result found, CallContext context) {
        VectorSearch search = found.search();
        RowPage page = found.page();
        ObjectNode structured = Json.object()
                .put("table", search.table().fullName())
                .put("vector_column", search.column().name())
                .put("dimensions", search.vector().dimensions())
                .put("distance_metric", search.metric().word())
                .put("distance_column", search.distanceName())
                .put("top_k", search.topK());
        ArrayNode rows = page.objects();
        structured.set("rows", rows);
        structured.put("row_count", page.rows().size());
        structured.put("truncated", page.truncated());
        if (!preface.isBlank()) {
            structured.put("note", preface.strip());
        }
        if (search.condition() != null) {
            structured.put("filter", search.condition());
        }
        return ToolReply.withText(
                        preface + text(search, page, rows),
                        structured,
                        List.of("distance_metric", "distance_column", "row_count", "truncated"))
                .giving(context, () -> asked.given(search, rows));
    }

    private static String text(VectorSearch search, RowPage page, ArrayNode rows) {
        StringBuilder text = new StringBuilder("Semantic Search Results:\nTable: ")
                .append(search.table().fullName())
                .append("\nVector Column: ")
                .append(search.column().name())
                .append(" (dimensions: ")
                .append(search.vector().dimensions())
                .append(")\nDistance Metric: ")
                .append(search.metric().title())
                .append("\nTop K: ")
                .append(search.topK())
                .append('\n');
        if (search.condition() != null) {
            text.append("Filter: ").append(search.condition()).append('\n');
        }
        text.append("\nResults (").append(page.rows().size()).append(" rows):\n");
        text.append(ResultJson.pretty(rows));
        if (page.truncated()) {
            text.append("\n\nTruncated: the answer reached its limit of bytes. Ask for a smaller top_k.");
        }
        return text.toString();
    }
}
