package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.embedded.StoredDocumentsGiven;
import switchboard.call.CallContext;
import switchboard.call.ContentBlock;
import switchboard.call.GivenDocuments;
import switchboard.call.Json;
import switchboard.call.PassageRefs;
import switchboard.call.ToolReply;
import switchboard.store.Namespace;

/** The answers of the tools that search documents. */
record SearchAnswers(ResultFormatter results, SessionDemotion sessionDemotion) {
    /**
     * What was searched for, and how results are shown.
     *
     * @param detail see {@link ResultFormatter.Detail}
     * @param session the session that remembers the search, if any
     */
    record Asked(String query, String detail, @Nullable String session) {}

    /**
     * What was found.
     *
     * @param reply the answer as JSON, which a tool may add to
     * @param given the same for the search log
     */
    record FoundAnswer(ObjectNode reply, GivenDocuments.GivenSearch given) {}

    /**
     * The answer for what was found in {@code namespaces}.
     *
     * @param mode {@code keyword}, {@code vector} or {@code hybrid}
     */
    Future<FoundAnswer> of(
            Asked asked, List<Namespace> namespaces, String mode, Ranking.RankedDocuments found, CallContext context) {
        return sessionDemotion
                .apply(asked.session(), context.caller(), asked.query(), ResultFormatter.items(found.documents()))
                .compose(items -> results.json(
                                asked.query(), items, ResultFormatter.Detail.of(asked.detail()), context.caller())
                        .map(array -> {
                            ObjectNode reply = Json.object()
                                    .put("query", SearchQuery.shown(asked.query()))
                                    .put("count", array.size())
                                    .put("mode", mode);
                            found.reason().ifPresent(reason -> reply.put("reason", reason));
                            reply.set("results", array);
                            return new FoundAnswer(
                                    reply,
                                    StoredDocumentsGiven.search(
                                            asked.query(), namespaces, items, SearchAnswers::given));
                        }));
    }

    private static GivenDocuments.GivenHit given(ResultFormatter.DocumentResult item) {
        return new GivenDocuments.GivenHit(
                StoredDocumentsGiven.document(item.ranked().document()), ResultFormatter.rounded(item.score()), null);
    }

    /** The reply: the line that agentroot shows, and the JSON. */
    static ToolReply shown(FoundAnswer answer, CallContext context) {
        ObjectNode reply = answer.reply();
        PassageRefs.of(context).reduce(reply.path("results"), reply);
        return counted(
                        "results",
                        ResultSignals.fenced(reply, reply.path("results").size()))
                .giving(context, () -> GivenDocuments.found(answer.given()));
    }

    /** The same for an answer that has other {@code things} than documents. */
    static ToolReply.Ok counted(String things, ObjectNode reply) {
        String line = "Found " + reply.path("count").asInt() + " " + things + " for \""
                + reply.path("query").asText() + "\"";
        return new ToolReply.Ok(
                List.of(new ContentBlock.TextBlock(line), new ContentBlock.TextBlock(Json.text(reply))), reply);
    }
}
