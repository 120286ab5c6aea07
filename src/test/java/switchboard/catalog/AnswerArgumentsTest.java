package switchboard.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;

/** What the gateway adds to the schemas of a tool with ranked results. */
class AnswerArgumentsTest {
    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) Json.parse(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theArgumentsComeBesideThoseOfTheTool() {
        ObjectNode own = json("{'type':'object','required':['query'],'properties':{'query':{'type':'string'}}}");
        ObjectNode before = own.deepCopy();
        ObjectNode extended = AnswerArguments.input(own);
        assertEquals(before, own, "the tool's own schema stays as it is");
        JsonNode properties = extended.path("properties");
        assertEquals(3, properties.size());
        assertEquals("string", properties.at("/query/type").asText());
        assertEquals(50, properties.at("/budget_tokens/minimum").asInt());
        assertEquals(200_000, properties.at("/budget_tokens/maximum").asInt());
        assertTrue(properties.at("/budget_tokens/default").isNull());
        assertEquals(0, properties.at("/skip_results/minimum").asInt());
        assertEquals(10_000, properties.at("/skip_results/maximum").asInt());
        assertEquals(0, properties.at("/skip_results/default").asInt(-1));
        assertEquals("[\"query\"]", extended.path("required").toString());
        assertTrue(
                AnswerArguments.input(json("{}")).at("/properties/skip_results").isObject());
    }

    @Test
    void anAnswerMaySayThatItWasCut() {
        ObjectNode own = json("{'type':'object','properties':{'results':{'type':'array'}}}");
        ObjectNode before = own.deepCopy();
        ObjectNode extended = AnswerArguments.output(own);
        assertEquals(before, own, "the tool's own schema stays as it is");
        assertEquals("array", extended.at("/properties/results/type").asText());
        JsonNode truncated = extended.at("/properties/truncated");
        assertEquals("\"object\"", truncated.path("type").toString());
        assertTrue(truncated.path("description").asText().startsWith("Present when the answer was cut: "));
        assertEquals("integer", truncated.at("/properties/omitted/type").asText());
        assertEquals("integer", truncated.at("/properties/shortened/type").asText());
        assertEquals("string", truncated.at("/properties/dropped/items/type").asText());
        assertEquals("object", truncated.at("/properties/next/type").asText());
    }

    @Test
    void aToolMaySayByItselfThatItsAnswerIsCut() {
        ObjectNode own =
                json("{'type':'object','properties':{'truncated':{'type':'boolean','description':'Rows were cut.'}}}");
        JsonNode truncated = AnswerArguments.output(own).at("/properties/truncated");
        assertEquals("[\"boolean\",\"object\"]", truncated.path("type").toString());
        assertTrue(
                truncated.path("description").asText().startsWith("Rows were cut. Present when the answer was cut: "),
                truncated::toString);
        assertTrue(truncated.path("properties").has("next"));

        JsonNode silent = AnswerArguments.output(json("{'properties':{'truncated':{'type':'boolean'}}}"))
                .at("/properties/truncated");
        assertEquals("[\"boolean\",\"object\"]", silent.path("type").toString());
        assertTrue(silent.path("description").asText().startsWith("Present when"), silent::toString);
        assertFalse(silent.path("description").asText().startsWith(" "));
    }
}
