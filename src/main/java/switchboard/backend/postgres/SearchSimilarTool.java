package switchboard.backend.postgres;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.embed.Embedder;

/** {@code search_similar}: a semantic search in the first table, by name, whose vectors match the embedder. */
record SearchSimilarTool(SemanticSearch semanticSearch) implements ToolHandler<SearchSimilarTool.Args> {
    record Args(String text_query, int top_k, @Nullable String database) {}

    /** A column that can be searched. */
    private record Candidate(TableInfo table, TableInfo.Column column) {
        Embedder embedder(SemanticSearch semanticSearch) {
            return semanticSearch.embedder(table, column);
        }

        String label() {
            return table.fullName() + " (column: " + column.name() + ", dimensions: " + column.dimensions() + ")";
        }
    }

    @Override
    public String name() {
        return "search_similar";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        if (args.text_query().isBlank()) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "'text_query' is required: say what to look for.");
        }
        semanticSearch.requireEmbedder();
        return candidates(args, context).compose(candidates -> SemanticSearch.vector(
                        candidates.getFirst().embedder(semanticSearch), args.text_query())
                .compose(vector -> search(args, context, vector, candidates)));
    }

    private Future<List<Candidate>> candidates(Args args, CallContext context) {
        DatabaseAccess databaseAccess = semanticSearch.databaseAccess();
        List<String> schemas = databaseAccess.schemas(context.caller());
        return databaseAccess.own(
                args.database(), context, Set.of(DatabaseAccess.SCHEMAS), (connection, database) -> new CatalogReader(
                                connection,
                                schemas,
                                table -> databaseAccess.visible(context.caller(), table.schema(), table.name()))
                        .tables(null, true)
                        .map(this::fitting));
    }

    private List<Candidate> fitting(List<TableInfo> tables) {
        List<Candidate> all = new ArrayList<>();
        tables.forEach(table -> table.vectors().forEach(column -> all.add(new Candidate(table, column))));
        if (all.isEmpty()) {
            throw new ToolException(
                    FailureKind.NOT_FOUND,
                    "No tables with vector columns found in database. Cannot perform semantic search. Use query_database, or ask"
                            + " the operator for a table with vectors.");
        }
        List<Candidate> fitting = all.stream()
                .filter(candidate -> semanticSearch.embedders().fits(candidate.table(), candidate.column()))
                .toList();
        if (fitting.isEmpty()) {
            Candidate first = all.getFirst();
            int dimensions = first.embedder(semanticSearch).dimension();
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "Embedding dimensions (" + dimensions + ") don't match table vector column dimensions ("
                            + first.column().dimensions() + ") of "
                            + first.table().fullName() + "."
                            + first.column().name() + (all.size() > 1 ? ", nor those of any other vector column" : "")
                            + ". The operator has to configure an embedder that fits.");
        }
        return fitting;
    }

    private Future<ToolReply> search(Args args, CallContext context, QueryVector vector, List<Candidate> candidates) {
        Candidate chosen = candidates.getFirst();
        VectorSearch search = new VectorSearch(
                chosen.table(),
                chosen.column(),
                vector,
                DistanceMetric.COSINE,
                args.top_k(),
                StructuredFilter.NONE,
                null);
        DatabaseAccess databaseAccess = semanticSearch.databaseAccess();
        return databaseAccess
                .own(args.database(), context, Set.of(DatabaseAccess.SCHEMAS))
                .compose(session ->
                        search.run(session, databaseAccess.limits().bytes().bytes()))
                .map(found -> SemanticSearch.answer(
                        preface(candidates),
                        new SemanticSearch.AskedRows(args.text_query(), args.database()),
                        found,
                        context));
    }

    private static String preface(List<Candidate> candidates) {
        StringBuilder text = new StringBuilder("Auto-discovered vector table: ")
                .append(candidates.getFirst().label())
                .append('\n');
        if (candidates.size() > 1) {
            text.append("Also searchable with semantic_search: ")
                    .append(String.join(
                            "; ",
                            candidates.stream().skip(1).map(Candidate::label).toList()))
                    .append('\n');
        }
        return text.append('\n').toString();
    }
}
