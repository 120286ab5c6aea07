package switchboard.catalog;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Arguments;
import switchboard.call.Json;

/**
 * The arguments for the size of an answer, which every tool with a ranked list of results accepts. The gateway handles
 * them; backends never get them.
 *
 * @param budgetTokens maximum size of the answer in tokens, or null for no limit
 * @param skip how many of the best results to leave out
 */
public record AnswerArguments(@Nullable Integer budgetTokens, int skip) {
    /** The maximum budget. */
    public static final int MOST_TOKENS = 200_000;

    /** The name of the budget. */
    static final String BUDGET = "budget_tokens";

    private static final String SKIP = "skip_results";
    private static final JsonPointer BUDGET_AT = JsonPointer.valueOf("/" + BUDGET);
    private static final JsonPointer SKIP_AT = JsonPointer.valueOf("/" + SKIP);
    private static final String TRUNCATED = "truncated";

    /** The arguments' names. */
    public static final Set<String> NAMES = Set.of(BUDGET, SKIP);

    private static final String SCHEMA = """
            {"budget_tokens": {"type": ["integer", "null"], "minimum": 50, "maximum": %d, "default": null,
               "description": "Maximum size of the answer in tokens (o200k_base). Long texts are cut to the part that matches, the lowest results left out; truncated says so, with the arguments for the rest."},
             "skip_results": {"type": "integer", "minimum": 0, "maximum": 10000, "default": 0,
               "description": "Number of best results to leave out; see truncated.next."}}""".formatted(MOST_TOKENS);
    private static final String OUTPUT = """
            {"description": "Present when the answer was cut: how many results were left out at the end (omitted) or have shortened texts (shortened), which fields shortened results lack (dropped), and the arguments with which the same call gets the rest (next): it begins with the first result that was shortened, in full, with a greater budget_tokens if that needs it; then come those that were left out.",
             "properties": {"omitted": {"type": "integer"}, "shortened": {"type": "integer"}, "dropped": {"type": "array", "items": {"type": "string"}}, "next": {"type": "object"}}}""";

    /** Reads {@code arguments}. */
    public static AnswerArguments of(Arguments arguments) {
        return new AnswerArguments(
                arguments.at(BUDGET_AT).map(JsonNode::intValue).orElse(null),
                arguments.at(SKIP_AT).map(JsonNode::intValue).orElse(0));
    }

    /** The arguments that get the rest of the results. */
    public static ObjectNode next(int skip) {
        return Json.object().put(SKIP, skip);
    }

    /** The same with a larger budget. */
    public static ObjectNode next(int skip, int budgetTokens) {
        return (skip == 0 ? Json.object() : next(skip)).put(BUDGET, budgetTokens);
    }

    /** Adds the arguments to an input schema. */
    static ObjectNode input(ObjectNode schema) {
        ObjectNode extended = schema.deepCopy();
        extended.withObjectProperty("properties").setAll(read(SCHEMA));
        return extended;
    }

    /** Adds the description of cut answers to an output schema. A tool may have a {@code truncated} of its own. */
    static ObjectNode output(ObjectNode schema) {
        ObjectNode extended = schema.deepCopy();
        ObjectNode truncated = extended.withObjectProperty("properties").withObjectProperty(TRUNCATED);
        if (truncated.path("type").isTextual()) {
            ArrayNode types = Json.array().add(truncated.path("type")).add("object");
            truncated.set("type", types);
        } else {
            truncated.put("type", "object");
        }
        String own = truncated.path("description").asText("");
        truncated.setAll(read(OUTPUT));
        if (!own.isEmpty()) {
            truncated.put(
                    "description", own + " " + truncated.path("description").asText());
        }
        return extended;
    }

    private static ObjectNode read(String json) {
        try {
            return (ObjectNode) Json.parse(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
