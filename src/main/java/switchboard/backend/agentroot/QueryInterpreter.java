package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.agentroot.HeuristicQueryParser.ParsedRequest;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.ToolException;
import switchboard.call.Verb;
import switchboard.llm.ChatModel;
import switchboard.llm.Llm;
import switchboard.llm.LlmQuestion;
import switchboard.store.Filter;

/** Interprets requests in natural language: with a language model if one is available, otherwise with fixed rules. */
final class QueryInterpreter {
    private static final Logger LOG = LoggerFactory.getLogger(QueryInterpreter.class);

    private static final String TASK = "Turn the request to a search engine for documents into a query. words: what to"
            + " look for, without what the other fields say. since and until: bounds of when the documents changed, ISO 8601"
            + " with offset. category: tutorial, guide, reference, code, test, configuration or documentation. language:"
            + " a programming language in lower case. Leave empty what the request does not say. It is now ";
    private static final ObjectNode SCHEMA = LlmSchemas.object(
            "words", LlmSchemas.TEXT,
            "since", LlmSchemas.TEXT,
            "until", LlmSchemas.TEXT,
            "category", LlmSchemas.TEXT,
            "language", LlmSchemas.TEXT);

    private final Optional<ChatModel> model;
    private final HeuristicQueryParser rules;
    private final Clock clock;

    QueryInterpreter(Optional<Llm> llm, Clock clock) {
        this.model = llm.map(Llm::model);
        this.rules = new HeuristicQueryParser(clock);
        this.clock = clock;
    }

    /**
     * The interpretation of a query.
     *
     * @param parser {@code llm} or {@code heuristic}
     * @param reason why the model was not used, if there is one
     */
    record Interpretation(ParsedRequest understood, String parser, Optional<String> reason) {}

    /** Interprets {@code typed} for {@code collections}. The model is used if the caller may use it on each of them. */
    Future<Interpretation> of(String typed, List<String> collections, CallContext context) {
        if (model.isEmpty() || typed.isBlank() || !mayAsk(collections, context.caller())) {
            return Future.succeededFuture(new Interpretation(rules.of(typed), "heuristic", Optional.empty()));
        }
        return model.get()
                .ask(new LlmQuestion(TASK + clock.instant() + ".", typed, "search_query", SCHEMA), context)
                .map(answer -> new Interpretation(understood(answer, typed), "llm", Optional.empty()))
                .recover(failure -> {
                    if (!(failure instanceof ToolException)) {
                        LOG.warn("a request was not understood by the language model", failure);
                    }
                    String reason = failure instanceof ToolException known
                            ? known.failed().message()
                            : "The language model can't be asked.";
                    return Future.succeededFuture(
                            new Interpretation(rules.of(typed), "heuristic", Optional.of(reason)));
                });
    }

    private static boolean mayAsk(List<String> collections, Caller caller) {
        return collections.isEmpty()
                ? caller.mayEverywhere(Verb.LLM)
                : collections.stream().allMatch(collection -> caller.may(Verb.LLM, collection));
    }

    private static ParsedRequest understood(JsonNode answer, String typed) {
        Map<String, String> facts = new LinkedHashMap<>();
        List<Filter> filters = new ArrayList<>();
        time(answer, "since").ifPresent(since -> {
            facts.put("since", since.toString());
            filters.add(DocumentMetadata.modifiedSince(since));
        });
        time(answer, "until").ifPresent(until -> {
            facts.put("until", until.toString());
            filters.add(new Filter.Not(DocumentMetadata.modifiedSince(until)));
        });
        for (String name : List.of("category", "language")) {
            word(answer, name).ifPresent(value -> {
                facts.put(name, value);
                filters.add(DocumentMetadata.equal(name, value));
            });
        }
        String words = answer.path("words").asText().strip();
        return new ParsedRequest(words.isEmpty() && filters.isEmpty() ? typed : words, filters, facts);
    }

    private static Optional<Instant> time(JsonNode answer, String name) {
        return UserMetadata.time(answer.path(name).asText());
    }

    private static Optional<String> word(JsonNode answer, String name) {
        return Optional.of(answer.path(name).asText().strip().toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty() && word.length() <= 40);
    }
}
