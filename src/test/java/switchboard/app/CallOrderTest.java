package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;

/** The steps of {@code tools/call}: of two that refuse a call the first one answers, and the pages give the same order. */
class CallOrderTest {
    private static final ApiKey KEY = ApiKey.generate(new SecureRandom());
    private static final ApiKey SPENT = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  team:
                    keys:
                      - {id: k1, sha256: %s}
                      - {id: k2, sha256: %s, limits: {callsPerDay: 1}}
                    grants: ["open:*:mine", "closed:*:mine"]
                """.formatted(KEY.sha256(), SPENT.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                backends: {open: {type: vectordb, dataDir: open}, closed: {type: vectordb, dataDir: closed}}
                """, folder);
        String once = answer(call -> call.key = SPENT);
        assertTrue(once.contains("There is no library"), () -> "the one call of the day reaches the backend: " + once);
        try (RawHttp operator = new RawHttp(gateway.app().managementUrl().getPort())) {
            assertEquals(
                    200,
                    operator.send("PUT /backends/closed/off HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 0\n\n")
                            .status());
        }
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    /** A call that is served unless it is changed. */
    private static final class Call {
        private ApiKey key = KEY;
        private String backend = "open";
        private String tool = "list_documents";
        private final ObjectNode arguments = Json.object().put("library", "mine");

        ObjectNode params() {
            return Json.object().put("name", backend + "__" + tool).set("arguments", arguments);
        }
    }

    /** A step, what its answer says if it refuses, and what makes it refuse. */
    private record Refusing(String step, String answer, Consumer<Call> how) {}

    /** The step that decides whether the call becomes a task. */
    private static final String REFUSES_NOTHING = "BeginTask";

    private static final List<Refusing> IN_ORDER = List.of(
            new Refusing("FindTool", "Unknown tool", call -> call.tool = "list_nothing"),
            new Refusing("ValidateArguments", "INVALID_ARGUMENT", call -> call.arguments.put("limit", "many")),
            new Refusing("DecideAccess", "DENIED", call -> call.arguments.put("library", "theirs")),
            new Refusing("LeaseBudget", "callsPerDay", call -> call.key = SPENT),
            new Refusing("InputRequiredFlow", "switched_off", call -> call.backend = "closed"));

    private String answer(Consumer<Call> changes) {
        Call call = new Call();
        changes.accept(call);
        return gateway.modern()
                .with("X-API-Key", call.key.text())
                .request("tools/call", call.params())
                .body();
    }

    @Test
    void ofTwoStepsThatRefuseTheFirstAnswers() {
        for (int first = 0; first < IN_ORDER.size(); first++) {
            Refusing expected = IN_ORDER.get(first);
            assertRefused(expected, answer(expected.how()));
            for (int second : IntStream.range(first + 1, IN_ORDER.size()).toArray()) {
                assertRefused(
                        expected,
                        answer(expected.how().andThen(IN_ORDER.get(second).how())));
            }
        }
    }

    private static void assertRefused(Refusing expected, String answer) {
        assertTrue(answer.contains(expected.answer()), () -> expected + ": " + answer);
        IN_ORDER.stream()
                .filter(other -> other != expected)
                .forEach(other -> assertFalse(answer.contains("\"" + other.answer()), () -> expected + ": " + answer));
    }

    /** {@code ToolsCall} declares its steps in their order, which is that of the pages and, as far as it goes, of the test above. */
    @Test
    void thePagesGiveTheSameOrder() throws IOException {
        String code = Files.readString(Path.of("src/main/java/switchboard/protocol/method/ToolsCall.java"));
        List<String> types = new ArrayList<>();
        List<String> words = new ArrayList<>();
        Pattern.compile("private final (\\w+) (\\w+)( =.*)?;")
                .matcher(code)
                .results()
                .forEach(step -> types.add(step.group(1)));
        Pattern.compile("\\b(\\w+)")
                .matcher(code.substring(code.indexOf("step by step:"), code.indexOf(". A step")))
                .results()
                .skip(3)
                .forEach(word -> words.add(word.group(1)));
        List<String> refusing =
                types.stream().filter(step -> !step.equals(REFUSES_NOTHING)).toList();
        assertEquals(IN_ORDER.stream().map(Refusing::step).toList(), refusing.subList(0, IN_ORDER.size()));
        assertEquals(8, types.size(), types::toString);
        assertEquals(8, words.size(), words::toString);

        String page = Files.readString(Path.of("docs/architecture.md"));
        int list = page.indexOf("3. `protocol.method.ToolsCall`");
        assertInOrder(types, page.substring(list, page.indexOf("4. `dispatch.Dispatcher`", list)));
        IntStream.range(0, types.size()).forEach(step -> {
            String arrow = "ToolsCall -->|\"" + (step + 1) + " " + words.get(step) + "\"| " + types.get(step);
            assertTrue(page.contains(arrow), arrow);
        });
        String readme = Files.readString(Path.of("README.md"));
        int picture = readme.indexOf("tools/call ");
        assertInOrder(words.subList(0, 4), readme.substring(picture, readme.indexOf("ToolHandler", picture)));
    }

    private static void assertInOrder(List<String> names, String section) {
        int at = 0;
        for (String name : names) {
            int next = section.indexOf(name, at);
            assertTrue(next >= 0, () -> "no \"" + name + "\" there, or too early: " + section);
            at = next + name.length();
        }
    }
}
