package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code explore}: documents by words and vectors, with suggestions where to look next. */
record ExploreTool(CollectionRegistry registry, Ranking ranking, SearchAnswers answers)
        implements ToolHandler<ExploreTool.Args> {
    record Args(
            String query,
            int limit,
            @Nullable String collection,
            String detail,
            @Nullable String session_id) {}

    @Override
    public String name() {
        return "explore";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        var asked = new SearchAnswers.Asked(args.query(), args.detail(), args.session_id());
        return registry.reading(args.collection(), context.caller()).compose(namespaces -> ranking.byBoth(
                        Ranking.Query.of(args.query(), List.of(), namespaces, args.limit(), 0, context.caller()))
                .compose(found -> answers.of(asked, namespaces, found.mode(), found, context)
                        .map(answer -> {
                            answer.reply().set("suggestions", SearchSuggestions.of(args.query(), found.documents()));
                            return SearchAnswers.shown(answer, context);
                        })));
    }
}
