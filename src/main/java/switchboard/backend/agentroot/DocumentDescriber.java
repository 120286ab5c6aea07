package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import switchboard.backend.agentroot.text.LlmMetadata;
import switchboard.call.CallContext;
import switchboard.call.Verb;
import switchboard.llm.ChatModel;
import switchboard.llm.Llm;
import switchboard.llm.LlmQuestion;

/** Asks a language model to describe documents while they are indexed. */
final class DocumentDescriber {
    private static final String TASK =
            "Describe the document for a search index: one sentence of summary; its category in"
                    + " one word (such as tutorial, guide, reference, code, test, configuration, documentation); its difficulty"
                    + " (beginner, intermediate or advanced); five to ten keywords; up to five concepts it is about.";
    private static final ObjectNode SCHEMA = LlmSchemas.object(
            "summary", LlmSchemas.TEXT,
            "category", LlmSchemas.TEXT,
            "difficulty", LlmSchemas.TEXT,
            "keywords", LlmSchemas.TEXTS,
            "concepts", LlmSchemas.TEXTS);
    private static final int MAX_WORDS = 20;
    private static final int MAX_SUMMARY = 500;

    private final Optional<ChatModel> model;

    DocumentDescriber(Optional<Llm> llm) {
        this.model = llm.filter(Llm::indexing).map(Llm::model);
    }

    /** The model that describes documents of {@code collection} in this call; empty for none. */
    String model(String collection, CallContext context) {
        return model.filter(_ -> context.caller().may(Verb.LLM, collection))
                .map(ChatModel::name)
                .orElse("");
    }

    /** The model's description of {@code text} at {@code path}. */
    Future<DocumentPreparation.ModelDescription> ask(String path, String text, CallContext context) {
        ChatModel asked = model.orElseThrow();
        return asked.ask(new LlmQuestion(TASK, path + "\n\n" + text, "document_facts", SCHEMA), context)
                .map(answer -> new DocumentPreparation.ModelDescription(
                        asked.name(),
                        new LlmMetadata(
                                word(answer, "summary", MAX_SUMMARY),
                                word(answer, "category", 40),
                                word(answer, "difficulty", 40),
                                words(answer, "keywords"),
                                words(answer, "concepts"))));
    }

    private static Optional<String> word(JsonNode answer, String name, int most) {
        return Optional.of(answer.path(name).asText().strip()).filter(text -> !text.isEmpty() && text.length() <= most);
    }

    private static List<String> words(JsonNode answer, String name) {
        List<String> words = new ArrayList<>();
        for (JsonNode word : answer.path(name)) {
            if (word.isTextual() && !word.asText().isBlank() && words.size() < MAX_WORDS) {
                words.add(word.asText().strip());
            }
        }
        return words;
    }
}
