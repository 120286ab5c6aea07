package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;

/** A part of the contract suite: the gateway's backend in front of an engine, the same for stub and real one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Suite {
    TestEngine engine;
    BackendHarness gateway;

    @BeforeAll
    void start() {
        engine = new TestEngine();
        fixtures();
        gateway = open();
    }

    /** Starts the backend. */
    BackendHarness open() {
        return engine.gateway();
    }

    /** Makes what the suite's tests read. */
    abstract void fixtures();

    @AfterEach
    void nothingUnexpectedReachedTheEngine() {
        engine.stub().ifPresent(stub -> assertEquals(List.of(), stub.unexpected()));
        gateway.as(_ -> Caller.unrestricted());
    }

    @AfterAll
    void stop() {
        gateway.close();
        engine.close();
    }

    /** Calls a tool; {@code %name%} in the arguments stands for what the collection is called here. */
    ToolResult call(String tool, String arguments) {
        return gateway.call(tool, named(arguments));
    }

    /** Calls a tool that must succeed and gives its structured answer. */
    JsonNode ok(String tool, String arguments) {
        ToolResult result = call(tool, arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }

    /** Calls a tool that must fail with {@code kind} and a message that holds each of {@code parts}. */
    ToolResult fails(String kind, String tool, String arguments, String... parts) {
        ToolResult result = call(tool, arguments);
        assertTrue(result.isError(), result::toString);
        assertEquals(kind, result.errorKind(), result::toString);
        for (String part : parts) {
            assertTrue(result.text().contains(named(part)), () -> part + " in " + result);
        }
        return result;
    }

    /** {@code %name%} as the engine calls it. */
    String named(String text) {
        return java.util.regex.Pattern.compile("%([A-Za-z]+)%")
                .matcher(text)
                .replaceAll(found -> engine.name(found.group(1)));
    }

    /** The following calls of this test come from a team with these globs and bindings. */
    void asTeam(List<String> globs, Map<String, String> bindings) {
        UnaryOperator<Caller> team = caller -> new Caller(
                "team",
                "key",
                caller.rights(),
                ResourceScope.anyOf(globs.stream().map(this::named).toList()),
                bindings);
        gateway.as(team);
    }

    /** The values of {@code key} in each element. */
    static List<String> each(JsonNode list, String... path) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(element -> {
                    JsonNode node = element;
                    for (String step : path) {
                        node = node.path(step);
                    }
                    return node.asText();
                })
                .toList();
    }
}
