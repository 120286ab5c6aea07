package switchboard.backend.agentroot;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code query}: documents by words and vectors. */
record QueryTool(CollectionRegistry registry, Ranking ranking, SearchAnswers answers)
        implements ToolHandler<QueryTool.Args> {
    record Args(
            String query,
            int limit,
            @Nullable String collection,
            @Nullable String provider,
            @Nullable String category,
            @Nullable String difficulty,
            @Nullable String concept,
            String detail,
            @Nullable String session_id) {}

    @Override
    public String name() {
        return "query";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        var facts = new MetadataFilters(args.provider(), args.category(), args.difficulty(), args.concept());
        var asked = new SearchAnswers.Asked(args.query(), args.detail(), args.session_id());
        return registry.reading(args.collection(), context.caller())
                .compose(namespaces -> ranking.byBoth(Ranking.Query.of(
                                args.query(), facts.filters(), namespaces, args.limit(), 0, context.caller()))
                        .compose(found -> answers.of(asked, namespaces, found.mode(), found, context)))
                .map(reply -> SearchAnswers.shown(reply, context));
    }
}
