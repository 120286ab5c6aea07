package switchboard.backend.agentroot;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code vsearch}: documents by their vectors. */
record VsearchTool(CollectionRegistry registry, Ranking ranking, SearchAnswers answers)
        implements ToolHandler<VsearchTool.Args> {
    private static final double USUAL_MIN_SCORE = 0.3;

    record Args(
            String query,
            int limit,
            @Nullable Double minScore,
            @Nullable String collection,
            @Nullable String provider,
            @Nullable String category,
            @Nullable String difficulty,
            @Nullable String concept,
            String detail,
            @Nullable String session_id) {}

    @Override
    public String name() {
        return "vsearch";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        var facts = new MetadataFilters(args.provider(), args.category(), args.difficulty(), args.concept());
        double minScore = args.minScore() == null ? USUAL_MIN_SCORE : args.minScore();
        return registry.reading(args.collection(), context.caller())
                .map(namespaces -> Ranking.Query.of(
                        args.query(), facts.filters(), namespaces, args.limit(), minScore, context.caller()))
                .compose(query -> found(query, args, context))
                .map(reply -> SearchAnswers.shown(reply, context));
    }

    private Future<SearchAnswers.FoundAnswer> found(Ranking.Query query, Args args, CallContext context) {
        var asked = new SearchAnswers.Asked(args.query(), args.detail(), args.session_id());
        return ranking.byVectors(query).compose(found -> {
            if (!found.documents().isEmpty() || found.reason().isEmpty()) {
                return answers.of(asked, query.namespaces(), "vector", found, context);
            }
            // The usual least score is meant for cosines; scores by words only have the caller's own.
            return ranking.byWords(query.atLeast(args.minScore() == null ? 0 : args.minScore()))
                    .compose(words ->
                            answers.of(asked, query.namespaces(), "keyword", words.because(found.reason()), context));
        });
    }
}
