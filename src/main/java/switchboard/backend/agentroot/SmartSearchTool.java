package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.ToolReply;
import switchboard.store.Namespace;

/** {@code smart_search}: documents for a request in natural language. */
record SmartSearchTool(
        CollectionRegistry registry, Ranking ranking, QueryInterpreter queryInterpreter, SearchAnswers answers)
        implements ToolHandler<SmartSearchTool.Args> {
    record Args(
            String query,
            int limit,
            @Nullable Double minScore,
            @Nullable String collection,
            String detail,
            @Nullable String session_id) {}

    @Override
    public String name() {
        return "smart_search";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        var asked = new SearchAnswers.Asked(args.query(), args.detail(), args.session_id());
        return registry.reading(args.collection(), context.caller()).compose(namespaces -> queryInterpreter
                .of(args.query(), namespaces.stream().map(Namespace::name).toList(), context)
                .compose(meaning -> found(args, namespaces, meaning.understood(), context.caller())
                        .compose(found -> answers.of(asked, namespaces, found.mode(), found, context))
                        .map(answer -> {
                            ObjectNode reply = answer.reply();
                            reply.put("parser", meaning.parser());
                            meaning.reason().ifPresent(reason -> reply.put("parserReason", reason));
                            reply.set("understood", meaning.understood().json());
                            return SearchAnswers.shown(answer, context);
                        })));
    }

    private Future<Ranking.RankedDocuments> found(
            Args args, List<Namespace> namespaces, HeuristicQueryParser.ParsedRequest meaning, Caller caller) {
        double minScore = args.minScore() == null ? 0 : args.minScore();
        return ranking.byBoth(Ranking.Query.of(meaning.words(), meaning.filters(), namespaces, args.limit(), 0, caller))
                .map(found -> found.with(found.documents().stream()
                        .map(one -> found.byWordsAlone() ? one : one.scored(one.score() / ranking.most()))
                        .filter(one -> one.score() >= minScore)
                        .toList()));
    }
}
