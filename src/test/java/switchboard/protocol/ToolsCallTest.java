package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.protocol.CoreFixture.ANYBODY;
import static switchboard.protocol.CoreFixture.modern;
import static switchboard.protocol.CoreFixture.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent;
import switchboard.call.BackendRequest;
import switchboard.call.ContentBlock;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.LogLevel;
import switchboard.call.RelayedReply;
import switchboard.call.ToolReply;
import switchboard.protocol.CoreFixture.Sent;
import switchboard.testing.RecordingSink;
import switchboard.testing.logs.AsksForErrors;

class ToolsCallTest {
    private final CoreFixture gateway = new CoreFixture();

    private RecordingSink call(Principal principal, String name, String arguments) {
        return gateway.post(
                modern(principal, 1, "tools/call", "{\"name\":\"" + name + "\",\"arguments\":" + arguments + "}"));
    }

    private static String kind(RecordingSink sink) {
        return sink.json().at("/result/_meta/switchboard~1error/kind").asText();
    }

    @Test
    void sendsTheBackendsOwnNameTheDefaultsAndTheToolsTimeout() {
        RecordingSink sink = call(ANYBODY, "alpha__scoped", "{}");
        assertFalse(sink.over());
        Sent sent = gateway.last();
        assertEquals("alpha", sent.backend);
        BackendRequest.CallTool request = (BackendRequest.CallTool) sent.request;
        assertEquals("scoped", request.tool());
        assertEquals("{\"library\":\"main\"}", Json.text(request.arguments().copy()));
        assertEquals(Duration.ofSeconds(7), sent.options.timeout());
        assertNull(sent.options.events());
        sent.answer(ToolReply.text("done"));
        assertEquals("done", sink.await().json().at("/result/content/0/text").asText());
    }

    @Test
    void aToolWithoutGrantDoesNotExist() {
        Principal reader = team("alpha:read");
        JsonNode invisible = call(reader, "write", "{}").json();
        assertEquals(-32602, invisible.at("/error/code").asInt());
        assertTrue(invisible.at("/error/message").asText().startsWith("Unknown tool \"write\""));
        JsonNode list =
                gateway.post(modern(reader, 1, "tools/list", "{}")).json().at("/result/tools");
        assertEquals(List.of("read", "scoped"), list.findValuesAsText("name"));
        assertTrue(gateway.sent.isEmpty());
    }

    @Test
    void anAmbiguousNameIsTheOneToolOfThatNameThatTheCallerSees() {
        call(team("alpha:search"), "search", "{}");
        assertEquals("alpha", gateway.last().backend);
        assertTrue(call(team("alpha:read"), "search", "{}")
                .json()
                .at("/error/message")
                .asText()
                .startsWith("Unknown tool"));
    }

    @Test
    void aForbiddenResourceIsDeniedByNameAndByDefault() {
        Principal other = team("alpha:read:other-*");
        assertEquals("DENIED", kind(call(other, "scoped", "{\"library\":\"main\"}")));
        assertEquals("DENIED", kind(call(other, "scoped", "{}")));
        assertTrue(gateway.sent.isEmpty());
        call(other, "scoped", "{\"library\":\"other-1\"}");
        assertTrue(gateway.last().caller.scope().allows("other-1"));
        assertFalse(gateway.last().caller.scope().allows("main"));
    }

    @Test
    void aResultBeyondItsLimitIsAToolErrorThatSaysHowToNarrow() {
        gateway.answer(BackendRequest.CallTool.class, call -> ToolReply.text("x".repeat(2000)));
        RecordingSink sink = call(ANYBODY, "read", "{}");
        assertEquals("INVALID_ARGUMENT", kind(sink));
        assertTrue(sink.json().at("/result/content/0/text").asText().contains("smaller limit"));
        assertTrue(sink.bytes().length < 2000);
        assertEquals("complete", sink.json().at("/result/resultType").asText());
        assertEquals("INVALID_ARGUMENT", gateway.operations.getLast().outcome().error());
    }

    @Test
    void ofAnAnswerWithTwoFormsOnlyTheGatewaysOwnIsCountedOnce() {
        ObjectNode structured = Json.object().put("text", "x".repeat(600));
        gateway.answer(BackendRequest.CallTool.class, call -> ToolReply.ok(structured));
        assertFalse(call(ANYBODY, "read", "{}").json().at("/result/isError").asBoolean());
        ObjectNode others = Json.object();
        others.putArray("content").addObject().put("type", "text").put("text", Json.text(structured));
        others.set("structuredContent", structured);
        gateway.answer(BackendRequest.CallTool.class, call -> new RelayedReply.RelayedResult(others));
        assertEquals("INVALID_ARGUMENT", kind(call(ANYBODY, "read", "{}")));
        ObjectNode half = others.deepCopy();
        half.remove("structuredContent");
        gateway.answer(BackendRequest.CallTool.class, call -> new RelayedReply.RelayedResult(half));
        assertEquals("", kind(call(ANYBODY, "read", "{}")));
    }

    @Test
    void aFailureCarriesWhatTheEngineSaid() {
        gateway.answer(BackendRequest.CallTool.class, call -> ToolReply.failed(FailureKind.OVERLOADED, "Busy.")
                .withCode("53300")
                .withRetryAfterMs(250)
                .withDetails(Json.object().put("kind", "forged").put("queue", 9)));
        JsonNode result = call(ANYBODY, "read", "{}").json().path("result");
        assertEquals(
                "{\"kind\":\"OVERLOADED\",\"message\":\"Busy.\",\"code\":\"53300\",\"retryAfterMs\":250,\"queue\":9}",
                Json.text(result.at("/_meta/switchboard~1error")));
        assertEquals("Busy.", result.at("/content/0/text").asText());
        assertTrue(result.path("isError").asBoolean());
        assertFalse(result.has("structuredContent"));
    }

    @Test
    void theStatusStyleWritesTheDocumentedObjectFirst() {
        gateway.answer(
                BackendRequest.CallTool.class, call -> ToolReply.failed(FailureKind.NOT_FOUND, "No \"such\" thing."));
        JsonNode result = call(ANYBODY, "write", "{}").json().path("result");
        assertEquals(
                "{\"status\":\"error\",\"error\":\"No \\\"such\\\" thing.\"}",
                result.at("/content/0/text").asText());
    }

    @Test
    void progressOnlyGrowsAndNothingFollowsTheAnswer() {
        RecordingSink sink = gateway.post(modern(
                ANYBODY,
                1,
                "tools/call",
                "{\"name\":\"read\",\"_meta\":{\"progressToken\":9223372036854775807,"
                        + "\"io.modelcontextprotocol/logLevel\":\"warning\"}}"));
        Sent sent = gateway.last();
        sent.tell(new BackendEvent.CallProgress(1, 4.0, null));
        sent.tell(new BackendEvent.CallProgress(1, 4.0, "again"));
        sent.tell(new BackendEvent.CallProgress(0.5, 4.0, "back"));
        sent.tell(new BackendEvent.CallProgress(Double.NaN, 4.0, "nonsense"));
        sent.tell(new BackendEvent.Log(LogLevel.INFO, null, Json.object()));
        sent.tell(new BackendEvent.Log(LogLevel.ERROR, "alpha", Json.object()));
        sent.tell(new BackendEvent.CallProgress(2.5, null, "ünï"));
        sent.answer(ToolReply.text("done"));
        sent.tell(new BackendEvent.CallProgress(4, 4.0, "late"));
        assertEquals(
                List.of(
                        "{\"progressToken\":9223372036854775807,\"progress\":1,\"total\":4}",
                        "{\"level\":\"error\",\"logger\":\"alpha\",\"data\":{}}",
                        "{\"progressToken\":9223372036854775807,\"progress\":2.5,\"message\":\"ünï\"}"),
                sink.events().stream()
                        .map(event -> Json.text(event.path("params")))
                        .toList());
        assertEquals(
                List.of(ReplySink.Urgency.LATEST, ReplySink.Urgency.KEEP, ReplySink.Urgency.LATEST), sink.urgencies());
        assertEquals("done", sink.json().at("/result/content/0/text").asText());
    }

    @Test
    void aCallerThatLeavesTakesItsCallBack() {
        RecordingSink sink = call(ANYBODY, "read", "{}");
        sink.leave();
        assertTrue(gateway.last().cancelled());
        assertEquals(0, sink.bytes().length);
        assertEquals("CANCELLED", gateway.operations.getLast().outcome().error());
    }

    @Test
    void aCallerThatIsGoneBeforeTheCallIsSentTakesItBackAtOnce() {
        RecordingSink sink = new RecordingSink();
        sink.leave();
        gateway.endpoint.post(modern(ANYBODY, 1, "tools/call", "{\"name\":\"read\"}"), sink);
        assertTrue(gateway.last().cancelled());
    }

    @Test
    void theObserverHearsOnlyNamesThatExist() {
        gateway.answer(BackendRequest.CallTool.class, call -> ToolReply.text("x"));
        call(ANYBODY, "read", "{}");
        call(ANYBODY, "alpha__read", "{}");
        call(ANYBODY, "robots; drop", "{}");
        gateway.post(modern(ANYBODY, 1, "made/up", "{}"));
        assertEquals(
                List.of(
                        "tools/call read null",
                        "tools/call read null",
                        "tools/call null INVALID_PARAMS",
                        "other null METHOD_NOT_FOUND"),
                gateway.operations.stream()
                        .map(operation -> operation.subject().method() + " "
                                + operation.subject().tool() + " "
                                + operation.outcome().error())
                        .toList());
        assertEquals("2026-07-28", gateway.operations.getFirst().channel().version());
    }

    @AsksForErrors("RequestRunner - request failed")
    @Test
    void aReplyOfTheWrongKindIsADefectWithACorrelationId() {
        gateway.answer(BackendRequest.CallTool.class, call -> new switchboard.call.BackendReply.Contents(List.of()));
        JsonNode error = call(ANYBODY, "read", "{}").json().path("error");
        assertEquals(-32603, error.path("code").asInt());
        assertTrue(error.path("message").asText().contains("correlation id"));
        assertFalse(error.path("message").asText().contains("alpha"));
    }

    @Test
    void olderRevisionsGetTextForBlocksTheyDoNotKnow() {
        gateway.answer(
                BackendRequest.CallTool.class,
                call -> new ToolReply.Ok(
                        List.of(
                                new ContentBlock.AudioBlock("AA==", "audio/wav"),
                                new ContentBlock.ResourceLink("doc://1", "one", null, null),
                                new ContentBlock.EmbeddedResource("doc://2", "two", "Two", "text/plain", "zwei"),
                                new ContentBlock.ImageBlock("AA==", "image/png")),
                        Json.object().put("a", 1)));
        String call = "{\"name\":\"read\"}";
        assertEquals(
                List.of("audio", "resource_link", "resource", "image"),
                types(gateway.post(CoreFixture.legacy(gateway.session("2025-11-25"), 1, "tools/call", call))));
        assertEquals(
                List.of("audio", "text", "resource", "image"),
                types(gateway.post(CoreFixture.legacy(gateway.session("2025-03-26"), 1, "tools/call", call))));
        RecordingSink oldest = gateway.post(CoreFixture.legacy(gateway.session("2024-11-05"), 1, "tools/call", call));
        assertEquals(List.of("text", "text", "resource", "image"), types(oldest));
        assertFalse(oldest.json().path("result").has("structuredContent"));
    }

    private static List<String> types(RecordingSink sink) {
        return sink.json().at("/result/content").findValuesAsText("type");
    }
}
