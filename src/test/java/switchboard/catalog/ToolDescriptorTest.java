package switchboard.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import switchboard.call.Arguments;
import switchboard.call.Json;
import switchboard.call.Verb;

/** What a tool says of itself, which rights and hints are told from. */
class ToolDescriptorTest {
    private static ToolDescriptor tool(@Nullable String scope, Verb... verbs) {
        return new ToolDescriptor(
                "find",
                new ToolDescriptor.Texts("Find", "Finds."),
                new ToolDescriptor.Schemas(Json.object(), null),
                new ToolDescriptor.Effects(
                        Set.copyOf(List.of(verbs)), scope == null ? null : JsonPointer.compile(scope), true),
                new ToolDescriptor.Limits(Duration.ofSeconds(7), 1000),
                ToolDescriptor.Availability.ALWAYS,
                ToolDescriptor.AnswerFormat.PLAIN,
                null);
    }

    private static List<String> resources(@Nullable String scope, String arguments) {
        try {
            return tool(scope, Verb.READ)
                    .resources(Arguments.of((ObjectNode) Json.parse(arguments.replace('\'', '"'))));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theResourcesOfACallAreAllThatItsArgumentNames() {
        assertEquals(List.of("docs"), resources("/library", "{'library':'docs','other':'secret'}"));
        assertEquals(List.of("a", "b", "a"), resources("/library", "{'library':['a','b','a']}"));
        assertEquals(List.of(), resources("/library", "{'library':[]}"));
        assertEquals(List.of(), resources("/library", "{'other':'docs'}"));
        assertEquals(List.of(""), resources("/library", "{'library':''}"));
        assertEquals(List.of("7"), resources("/library", "{'library':7}"));
        assertEquals(List.of("docs"), resources("/where/library", "{'where':{'library':'docs'},'library':'x'}"));
        assertEquals(List.of(), resources(null, "{'library':'docs'}"));
    }

    @Test
    void aScopeIsAPointerOrNone() {
        assertEquals(
                Optional.of(JsonPointer.compile("/library")),
                tool("/library", Verb.READ).scopePointer());
        assertEquals(Optional.empty(), tool(null, Verb.READ).scopePointer());
    }

    @Test
    void aToolIsReadOnlyIfAllOfItsVerbsAre() {
        for (Verb verb : Verb.values()) {
            assertEquals(verb.readOnly(), tool(null, verb).readOnly(), verb.name());
            assertEquals(verb.readOnly(), tool(null, verb, Verb.READ).readOnly(), verb.name());
        }
    }

    @Test
    void deletingAndUpdatingDestroyAndFetchingAndModelsReachOut() {
        for (Verb verb : Verb.values()) {
            boolean destroys = verb == Verb.DELETE || verb == Verb.UPDATE;
            boolean reachesOut = verb == Verb.FETCH || verb == Verb.LLM;
            assertEquals(destroys, tool(null, verb).destructive(), verb.name());
            assertEquals(reachesOut, tool(null, verb, Verb.READ).openWorld(), verb.name());
        }
    }

    @Test
    void onlyAToolOfAnotherServerIsRelayed() {
        assertEquals(false, tool(null, Verb.READ).relayed());
    }
}
