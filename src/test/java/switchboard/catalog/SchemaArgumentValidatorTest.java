package switchboard.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;

class SchemaArgumentValidatorTest {
    private final ArgumentValidator validator = new SchemaArgumentValidator(json("""
            {"type":"object","additionalProperties":false,"required":["query"],"properties":{
              "query":{"type":"string","minLength":1,"maxLength":20},
              "top_k":{"type":"integer","minimum":1,"maximum":100,"default":5},
              "library":{"type":["string","null"],"maxLength":10,"default":null},
              "mode":{"enum":["fast","exact"]},
              "tags":{"type":"array","maxItems":2,"items":{"type":"string","maxLength":5}},
              "filter":{"type":"object","maxProperties":2}}}
            """));

    @Test
    void fillsInDefaultsAndLeavesTheRestAlone() {
        assertEquals("{\"query\":\"x\",\"library\":null,\"top_k\":5}", sorted(valid("{\"query\":\"x\"}")));
        assertEquals(
                "{\"query\":\"x\",\"library\":\"a\",\"top_k\":7}",
                sorted(valid("{\"query\":\"x\",\"top_k\":7,\"library\":\"a\"}")));
    }

    @Test
    void aBudgetMayChangeADefaultButNothingThatWasSent() {
        ArgumentValidator budgeted = new SchemaArgumentValidator(json("""
                {"type":"object","additionalProperties":false,"properties":{
                  "top_k":{"type":"integer","minimum":1,"maximum":100,"default":5,"x-budget-default":10},
                  "budget_tokens":{"type":["integer","null"],"minimum":50,"maximum":900,"default":null}}}
                """));
        assertEquals(5, valid(budgeted, "{}").path("top_k").asInt());
        assertEquals(
                5, valid(budgeted, "{\"budget_tokens\":null}").path("top_k").asInt());
        assertEquals(10, valid(budgeted, "{\"budget_tokens\":80}").path("top_k").asInt());
        assertEquals(
                10,
                valid(budgeted, "{\"budget_tokens\":80,\"top_k\":null}")
                        .path("top_k")
                        .asInt());
        assertEquals(
                3,
                valid(budgeted, "{\"budget_tokens\":80,\"top_k\":3}")
                        .path("top_k")
                        .asInt());
    }

    @Test
    void nullForAnOptionalArgumentCountsAsAbsent() {
        assertEquals(
                "{\"query\":\"x\",\"library\":null,\"top_k\":5}",
                sorted(valid("{\"query\":\"x\",\"top_k\":null,\"mode\":null,\"library\":null}")));
        assertEquals(List.of("Argument \"query\" must be a string, got null."), problems("{\"query\":null}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}|Argument \"query\" is required.",
                "{\"query\":7}|Argument \"query\" must be a string, got 7.",
                "{\"query\":\"\"}|Argument \"query\" must have at least 1 characters, got \"\".",
                "{\"query\":\"123456789012345678901\"}|Argument \"query\" must have at most 20 characters, got 21.",
                "{\"query\":\"x\",\"top_k\":0}|Argument \"top_k\" must be at least 1, got 0.",
                "{\"query\":\"x\",\"top_k\":101}|Argument \"top_k\" must be at most 100, got 101.",
                "{\"query\":\"x\",\"top_k\":1.5}|Argument \"top_k\" must be an integer, got 1.5.",
                "{\"query\":\"x\",\"top_k\":\"5\"}|Argument \"top_k\" must be an integer, got \"5\".",
                "{\"query\":\"x\",\"top_k\":9223372036854775807}|Argument \"top_k\" must be at most 100, got 9223372036854775807.",
                "{\"query\":\"x\",\"top_k\":9223372036854775808}|Argument \"top_k\" is too large or too small a number, got 9223372036854775808.",
                "{\"query\":\"x\",\"top_k\":-9223372036854775809}|Argument \"top_k\" is too large or too small a number, got -9223372036854775809.",
                "{\"query\":\"x\",\"top_k\":1e400}|Argument \"top_k\" is too large or too small a number, got 1E+400.",
                "{\"query\":\"x\",\"mode\":\"slow\"}|Argument \"mode\" must be one of [\"fast\",\"exact\"], got \"slow\".",
                "{\"query\":\"x\",\"tags\":[\"a\",\"b\",\"c\"]}|Argument \"tags\" must have at most 2 items, got 3.",
                "{\"query\":\"x\",\"tags\":[\"a\",7]}|Argument \"tags[1]\" must be a string, got 7.",
                "{\"query\":\"x\",\"library\":7}|Argument \"library\" must be a string or null, got 7.",
                "{\"query\":\"x\",\"topk\":7}|Argument \"topk\" is not known. Did you mean \"top_k\"?",
                "{\"query\":\"x\",\"zzzzzz\":7}|Argument \"zzzzzz\" is not known. Known arguments: filter, library, mode, query, tags, top_k.",
            })
    void saysWhichArgumentWhichRuleAndWhatCame(String arguments, String problem) {
        assertEquals(List.of(problem), problems(arguments));
    }

    @Test
    void reportsEveryProblemAtOnce() {
        assertEquals(2, problems("{\"top_k\":0}").size());
    }

    @Test
    void acceptsAWholeNumberWrittenWithADecimalPoint() {
        assertEquals(
                "{\"query\":\"x\",\"library\":null,\"top_k\":5.0}", sorted(valid("{\"query\":\"x\",\"top_k\":5.0}")));
    }

    @Test
    void showsOnlyTheBeginningOfAHugeValue() {
        String huge = "y".repeat(40_000);
        String problem = problems("{\"query\":\"x\",\"mode\":\"" + huge + "\"}").getFirst();
        assertTrue(problem.length() < 200, problem);
        assertTrue(problems("{\"query\":\"x\",\"" + huge + "\":1}").getFirst().length() < 250);
    }

    @Test
    void leavesTheGivenObjectUnchanged() {
        ObjectNode given = json("{\"query\":\"x\"}");
        validator.check(given);
        assertEquals("{\"query\":\"x\"}", Json.text(given));
    }

    private ObjectNode valid(String arguments) {
        return valid(validator, arguments);
    }

    private static ObjectNode valid(ArgumentValidator validator, String arguments) {
        return switch (validator.check(json(arguments))) {
            case ArgumentValidator.Validation.Valid ok -> ok.arguments().copy();
            case ArgumentValidator.Validation.Invalid invalid -> throw new AssertionError(invalid.problems());
        };
    }

    private List<String> problems(String arguments) {
        return switch (validator.check(json(arguments))) {
            case ArgumentValidator.Validation.Valid ok -> throw new AssertionError("accepted " + ok.arguments());
            case ArgumentValidator.Validation.Invalid invalid -> invalid.problems();
        };
    }

    private static String sorted(ObjectNode node) {
        ObjectNode ordered = Json.object();
        ordered.set("query", node.get("query"));
        ordered.set("library", node.get("library"));
        ordered.set("top_k", node.get("top_k"));
        assertEquals(ordered.size(), node.size());
        return Json.text(ordered);
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) Json.parse(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
