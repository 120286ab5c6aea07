package switchboard.backend.agentroot;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code search}: documents by their words. */
record SearchTool(CollectionRegistry registry, Ranking ranking, SearchAnswers answers)
        implements ToolHandler<SearchTool.Args> {
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
        return "search";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        var facts = new MetadataFilters(args.provider(), args.category(), args.difficulty(), args.concept());
        var asked = new SearchAnswers.Asked(args.query(), args.detail(), args.session_id());
        double minScore = args.minScore() == null ? 0 : args.minScore();
        return registry.reading(args.collection(), context.caller())
                .compose(namespaces -> ranking.byWords(Ranking.Query.of(
                                args.query(), facts.filters(), namespaces, args.limit(), minScore, context.caller()))
                        .compose(found -> answers.of(asked, namespaces, "keyword", found, context)))
                .map(reply -> SearchAnswers.shown(reply, context));
    }
}
