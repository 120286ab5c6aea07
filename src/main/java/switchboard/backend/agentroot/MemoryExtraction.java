package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.llm.ChatModel;
import switchboard.llm.Llm;
import switchboard.llm.LlmQuestion;

/** Asks a language model what of a session is worth remembering. */
final class MemoryExtraction {
    /** The kinds of memories. */
    static final Set<String> CATEGORIES = Set.of("preference", "entity", "pattern", "fact");

    private static final int MAX_MEMORIES = 50;
    private static final int MAX_CONTENT = 10_000;
    private static final String TASK = "Here are the context and the queries of a search session. Extract what will be"
            + " useful in later sessions: preferences of the user, entities, patterns of work, facts. Each memory has"
            + " content (one sentence), category (preference, entity, pattern or fact) and confidence (0 to 1). Give none"
            + " where there is nothing worth it.";
    private static final ObjectNode SCHEMA = LlmSchemas.object(
            "memories",
            LlmSchemas.array(LlmSchemas.object(
                    "content", LlmSchemas.TEXT, "category", LlmSchemas.TEXT, "confidence", LlmSchemas.NUMBER)));

    private final Optional<ChatModel> model;

    MemoryExtraction(Optional<Llm> llm) {
        this.model = llm.map(Llm::model);
    }

    /** The memories in a session. Entries that are not well-formed are left out. */
    Future<List<Memories.NewMemory>> of(Sessions.SessionView session, CallContext context) {
        if (model.isEmpty()) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    "Memories can't be extracted: this gateway is configured without a language model (llm). Store what"
                            + " matters with memory_store.");
        }
        StringBuilder text = new StringBuilder();
        session.context()
                .forEach((key, value) ->
                        text.append(key).append(": ").append(value).append('\n'));
        session.queries().forEach(asked -> text.append("query: ")
                .append(asked.query())
                .append(" (")
                .append(asked.results())
                .append(" results)\n"));
        return model.get()
                .ask(new LlmQuestion(TASK, text.toString(), "memories", SCHEMA), context)
                .map(answer -> drafts(answer.isArray() ? answer : answer.path("memories"), session.id()));
    }

    private static List<Memories.NewMemory> drafts(JsonNode memories, String session) {
        List<Memories.NewMemory> drafts = new ArrayList<>();
        for (JsonNode one : memories) {
            String content = one.path("content").asText().strip();
            String category = one.path("category").asText();
            double confidence = one.path("confidence").asDouble(1);
            boolean fits = !content.isEmpty()
                    && content.length() <= MAX_CONTENT
                    && CATEGORIES.contains(category)
                    && confidence >= 0
                    && confidence <= 1;
            if (fits && drafts.size() < MAX_MEMORIES) {
                drafts.add(new Memories.NewMemory(content, category, confidence, session, null));
            }
        }
        return drafts;
    }
}
