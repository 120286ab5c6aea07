package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.protocol.CoreFixture.ANYBODY;
import static switchboard.protocol.CoreFixture.legacy;
import static switchboard.protocol.CoreFixture.modern;
import static switchboard.protocol.CoreFixture.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.auth.Principal;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.testing.RecordingSink;

class ListsTest {
    private static ProtocolSettings paged(int size) {
        return new ProtocolSettings(
                new ProtocolSettings.ServerTexts("switchboard", "Switchboard", "1"),
                new ProtocolSettings.BatchLimits(50, 8),
                size,
                Duration.ofMinutes(1),
                4,
                Duration.ofSeconds(1),
                RequestStateKeys.random());
    }

    private static List<String> walk(
            CoreFixture gateway, Principal principal, String method, String field, String key) {
        List<String> found = new ArrayList<>();
        JsonNode cursor = null;
        do {
            String params = cursor == null ? "{}" : "{\"cursor\":" + cursor + "}";
            JsonNode result =
                    gateway.post(modern(principal, 1, method, params)).json().path("result");
            assertEquals("private", result.path("cacheScope").asText());
            found.addAll(result.path(field).findValuesAsText(key));
            found.add("|");
            cursor = result.get("nextCursor");
        } while (cursor != null);
        return found;
    }

    private static ObjectNode resource(String uri) {
        return Json.object().put("uri", uri);
    }

    @Test
    void toolsComeInPagesThatNameWhereToGoOn() {
        assertEquals(
                List.of("alpha__search", "beta__search", "|", "read", "scoped", "|", "write", "|"),
                walk(new CoreFixture(paged(2)), ANYBODY, "tools/list", "tools", "name"));
    }

    @Test
    void anExactlyFullLastPageHasNoCursor() {
        assertEquals(
                List.of("read", "scoped", "|"),
                walk(new CoreFixture(paged(2)), team("alpha:read"), "tools/list", "tools", "name"));
    }

    @Test
    void aPrincipalWithoutGrantsSeesEmptyLists() {
        CoreFixture gateway = new CoreFixture();
        for (String list : List.of("tools", "resources", "prompts")) {
            JsonNode entries =
                    gateway.post(modern(team(), 1, list + "/list", "{}")).json().at("/result/" + list);
            assertTrue(entries.isArray() && entries.isEmpty(), list);
        }
        assertTrue(gateway.sent.isEmpty());
    }

    @Test
    void resourcesOfSeveralBackendsMergeInOrder() {
        CoreFixture gateway = new CoreFixture();
        gateway.answer(BackendRequest.ListResources.class, sent -> {
            String cursor = ((BackendRequest.ListResources) sent.request).cursor();
            if (sent.backend.equals("beta")) {
                return new BackendReply.Resources(List.of(resource("beta:1")), null);
            }
            return cursor == null
                    ? new BackendReply.Resources(List.of(resource("alpha:1")), "own/cursor?2")
                    : new BackendReply.Resources(List.of(resource("alpha:" + cursor)), null);
        });
        assertEquals(
                List.of("alpha:1", "|", "alpha:own/cursor?2", "beta:1", "|"),
                walk(gateway, ANYBODY, "resources/list", "resources", "uri"));
    }

    @Test
    void aFullPageEndsBetweenBackends() {
        CoreFixture gateway = new CoreFixture(paged(1));
        gateway.answer(
                BackendRequest.ListPrompts.class,
                sent -> new BackendReply.Prompts(List.of(Json.object().put("name", sent.backend)), null));
        assertEquals(List.of("alpha", "|", "beta", "|"), walk(gateway, ANYBODY, "prompts/list", "prompts", "name"));
    }

    @Test
    void aBackendThatIsDownIsNamedAndTheOthersAreListed() {
        CoreFixture gateway = new CoreFixture();
        gateway.answer(
                BackendRequest.ListResources.class,
                sent -> sent.backend.equals("alpha")
                        ? ToolReply.failed(FailureKind.UNAVAILABLE, "alpha is down.")
                        : new BackendReply.Resources(List.of(resource("beta:1")), null));
        JsonNode result =
                gateway.post(modern(ANYBODY, 1, "resources/list", "{}")).json().path("result");
        assertEquals(List.of("beta:1"), result.path("resources").findValuesAsText("uri"));
        assertEquals(
                "alpha is down.",
                result.at("/_meta/switchboard~1unavailable/alpha").asText());
    }

    @Test
    void aCursorOfAnotherListOrOfABackendOutOfSightIsRefused() {
        CoreFixture gateway = new CoreFixture(paged(1));
        gateway.answer(
                BackendRequest.ListPrompts.class,
                sent -> new BackendReply.Prompts(List.of(Json.object().put("name", sent.backend)), null));
        String cursor = gateway.post(modern(ANYBODY, 1, "prompts/list", "{}"))
                .json()
                .at("/result/nextCursor")
                .toString();
        String params = "{\"cursor\":" + cursor + "}";
        assertEquals(-32602, code(gateway.post(modern(ANYBODY, 1, "resources/list", params))));
        assertEquals(-32602, code(gateway.post(modern(ANYBODY, 1, "tools/list", params))));
        assertEquals(-32602, code(gateway.post(modern(team("alpha:read"), 1, "prompts/list", params))));
    }

    @Test
    void aResourceIsAskedOfItsOwnersOnly() {
        CoreFixture gateway = new CoreFixture();
        gateway.answer(
                BackendRequest.ReadResource.class,
                sent -> new BackendReply.Contents(List.of(resource("beta:1").put("text", "two"))));
        JsonNode result = gateway.post(modern(ANYBODY, 1, "resources/read", "{\"uri\":\"beta:1\"}"))
                .json()
                .path("result");
        assertEquals("two", result.at("/contents/0/text").asText());
        assertEquals(
                List.of("beta"), gateway.sent.stream().map(sent -> sent.backend).toList());
    }

    @Test
    void aResourceThatIsMissingOrForbiddenIsUnknownAndADeadBackendIsNot() {
        CoreFixture gateway = new CoreFixture();
        for (FailureKind kind : List.of(FailureKind.NOT_FOUND, FailureKind.DENIED, FailureKind.UNAVAILABLE)) {
            gateway.answer(BackendRequest.ReadResource.class, sent -> ToolReply.failed(kind, "because"));
            boolean known = kind == FailureKind.UNAVAILABLE;
            assertEquals(
                    known ? -32603 : -32602,
                    code(gateway.post(modern(ANYBODY, 1, "resources/read", "{\"uri\":\"beta:1\"}"))));
            assertEquals(
                    known ? -32603 : -32002,
                    code(gateway.post(legacy(null, 1, "resources/read", "{\"uri\":\"beta:1\"}"))));
        }
    }

    @Test
    void theFirstBackendWithThePromptAnswers() {
        CoreFixture gateway = new CoreFixture();
        gateway.answer(
                BackendRequest.GetPrompt.class,
                sent -> new BackendReply.Prompt(
                        sent.backend.equals("alpha") ? null : Json.object().put("description", "beta's")));
        JsonNode result = gateway.post(
                        modern(ANYBODY, 1, "prompts/get", "{\"name\":\"p\",\"arguments\":{\"a\":\"b\"}}"))
                .json()
                .path("result");
        assertEquals("beta's", result.path("description").asText());
        assertEquals("complete", result.path("resultType").asText());
    }

    @Test
    void completionGivesAHundredValuesAtMost() {
        CoreFixture gateway = new CoreFixture();
        gateway.answer(
                BackendRequest.Complete.class,
                sent -> new BackendReply.Completion(
                        java.util.stream.IntStream.range(0, 150)
                                .mapToObj(Integer::toString)
                                .toList(),
                        150,
                        false));
        JsonNode completion = gateway.post(
                        modern(
                                ANYBODY,
                                1,
                                "completion/complete",
                                "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"alpha:{x}\"},\"argument\":{\"name\":\"x\",\"value\":\"\"}}"))
                .json()
                .at("/result/completion");
        assertEquals(100, completion.path("values").size());
        assertTrue(completion.path("hasMore").asBoolean());
    }

    @Test
    void aCallerThatLeavesStopsTheRestOfAList() {
        CoreFixture gateway = new CoreFixture();
        RecordingSink sink = gateway.post(modern(ANYBODY, 1, "resources/list", "{}"));
        sink.leave();
        assertTrue(gateway.sent.getFirst().cancelled());
        assertFalse(sink.over());
    }

    private static int code(RecordingSink sink) {
        return sink.json().at("/error/code").asInt();
    }
}
