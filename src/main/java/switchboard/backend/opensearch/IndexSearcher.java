package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** Searches an index by keywords, by vector, or both, whose ranks are then fused. */
record IndexSearcher(OpenSearchApi api, Mappings mappings, QueryVectors vectors) {
    /** Searches by vector go no deeper. */
    static final int DEEPEST_BY_VECTOR = 1_000;

    /** Searches by both go no deeper: so many hits of each are fused, whichever page is asked for. */
    static final int FUSED = 200;

    /**
     * The hits of {@code query}. Fails with {@code INVALID_ARGUMENT} if it can't be searched so, with {@code DENIED} if the
     * team's filter can't be made.
     */
    Future<FoundHits> search(IndexQuery query, CallContext context) {
        Optional<ObjectNode> team = TeamFilter.of(context.caller());
        return mappings.of(query.index(), context)
                .compose(mapping -> {
                    List<ObjectNode> filters = new ArrayList<>(new FieldFilter(mapping).of(query.conditions()));
                    team.ifPresent(filters::add);
                    PreparedSearch search = new PreparedSearch(api, query, mapping, new SearchBodies(filters), context);
                    return vectors.of(query, mapping, context).compose(choice -> run(query, choice, search));
                })
                .recover(thrown -> new TeamFilterCheck(api).explained(thrown, query.index(), team, context));
    }

    private static Future<FoundHits> run(IndexQuery query, QueryVectors.Choice choice, PreparedSearch search) {
        Optional<SearchVector> vector = choice.vector();
        if (vector.isEmpty()) {
            return search.byKeywords(choice.note().stream().toList());
        }
        boolean both = query.hasText() && query.mode() == SearchMode.HYBRID;
        int deepest = both ? FUSED : DEEPEST_BY_VECTOR;
        if (query.page().end() > deepest) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "offset and limit together must be at most " + deepest + " for a search by "
                            + (both ? "keywords and vector (hybrid)" : "vector")
                            + "; use mode keyword to go deeper, or narrow the search with filters.");
        }
        return both ? search.hybrid(vector.get()) : search.byVector(vector.get());
    }
}
