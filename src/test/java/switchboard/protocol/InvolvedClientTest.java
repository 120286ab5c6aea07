package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.protocol.CoreFixture.ANYBODY;
import static switchboard.protocol.CoreFixture.modern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.Principal;
import switchboard.call.CallingClient;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.testing.RecordingSink;

/** Backends that need something of the client before they can answer. */
class InvolvedClientTest {
    private static final String META =
            "\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{},\"roots\":{}}}";

    private final CoreFixture gateway = new CoreFixture();

    private static ObjectNode name() {
        ObjectNode requests = Json.object();
        requests.putObject("name")
                .put("method", "elicitation/create")
                .putObject("params")
                .put("message", "Who?");
        return requests;
    }

    private static InboundMessage call(Principal who, int library, String more) {
        return modern(
                who,
                1,
                "tools/call",
                "{\"name\":\"read\",\"arguments\":{\"library\":\"" + library + "\"}," + more + META + "}");
    }

    private RecordingSink asked(String state) {
        RecordingSink sink = gateway.post(call(ANYBODY, 1, ""));
        gateway.sent.getLast().answer(new RelayedReply.InputRequired(name(), state));
        return sink;
    }

    private static String retry(JsonNode state) {
        return "\"inputResponses\":{\"name\":{\"action\":\"accept\"}},\"requestState\":" + Json.text(state) + ",";
    }

    @Test
    void aModernClientIsToldInTheResultAndItsAnswersReachTheSameBackendWithTheState() {
        JsonNode result = asked("step 1").json().path("result");
        assertEquals("input_required", result.path("resultType").asText());
        assertEquals(name(), result.path("inputRequests"));
        assertFalse(result.path("requestState").asText().contains("step"));
        assertFalse(result.has("content"));

        gateway.post(call(ANYBODY, 1, retry(result.path("requestState"))));
        CallingClient client = gateway.sent.getLast().options.interaction().client();
        assertEquals("alpha", gateway.sent.getLast().backend);
        CallingClient.ClientResponses answers = Objects.requireNonNull(client.answers());
        assertEquals("step 1", answers.state());
        assertEquals("accept", answers.responses().at("/name/action").asText());
    }

    @Test
    void aStateOfSomebodyElseOfOtherArgumentsOrChangedIsRefused() {
        JsonNode state = asked("step 1").json().at("/result/requestState");
        int before = gateway.sent.size();
        Principal other = new Principal("blue", "key", ANYBODY.grants());
        ObjectNode changed = Json.object().put("state", state.asText() + "x");
        ObjectNode cut = Json.object().put("state", state.asText().substring(1));
        for (RecordingSink sink : List.of(
                gateway.post(call(other, 1, retry(state))),
                gateway.post(call(ANYBODY, 2, retry(state))),
                gateway.post(call(ANYBODY, 1, retry(changed.path("state")))),
                gateway.post(call(ANYBODY, 1, retry(cut.path("state")))),
                gateway.post(call(ANYBODY, 1, "\"requestState\":7,")),
                gateway.post(call(ANYBODY, 1, "\"requestState\":null,")))) {
            assertEquals(
                    -32602, sink.json().at("/error/code").asInt(), sink.json().toString());
        }
        assertEquals(before, gateway.sent.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "7", "[]", "\"x\""})
    void answersMustBeAnObject(String answers) {
        RecordingSink sink = gateway.post(call(ANYBODY, 1, "\"inputResponses\":" + answers + ","));
        assertEquals(-32602, sink.json().at("/error/code").asInt());
        assertEquals(List.of(), gateway.sent);
    }

    @Test
    void aClientIsNotAskedForWhatItDidNotDeclare() {
        RecordingSink sink = gateway.post(call(ANYBODY, 1, ""));
        ObjectNode requests = name();
        requests.putObject("model").put("method", "sampling/createMessage");
        gateway.sent.getLast().answer(new RelayedReply.InputRequired(requests, null));
        assertEquals(400, sink.status());
        assertEquals(-32021, sink.json().at("/error/code").asInt());
        assertEquals(Json.object(), sink.json().at("/error/data/requiredCapabilities/sampling"));
        assertTrue(
                sink.json().at("/error/data/requiredCapabilities/elicitation").isMissingNode());
    }

    @Test
    void aPromptThatAsksIsNotToBeKept() {
        gateway.answer(
                switchboard.call.BackendRequest.GetPrompt.class,
                _ -> new RelayedReply.InputRequired(name(), "prompt state"));
        JsonNode result = gateway.post(modern(ANYBODY, 1, "prompts/get", "{\"name\":\"p\"," + META + "}"))
                .json()
                .path("result");
        assertEquals("input_required", result.path("resultType").asText());
        assertFalse(result.has("ttlMs"));
    }

    @Test
    void aLegacyClientIsAskedOnTheStreamOfItsCallAndTheBackendGetsAnotherRound() {
        String session = session("{\"elicitation\":{}}");
        RecordingSink sink = gateway.post(CoreFixture.legacy(session, 1, "tools/call", "{\"name\":\"read\"}"));
        gateway.sent.getLast().answer(new RelayedReply.InputRequired(name(), "step 1"));
        JsonNode question = sink.events().getFirst();
        assertEquals("elicitation/create", question.path("method").asText());
        assertEquals("Who?", question.at("/params/message").asText());

        RecordingSink posted = gateway.post(CoreFixture.raw(
                session,
                "{\"jsonrpc\":\"2.0\",\"id\":" + question.path("id") + ",\"result\":{\"action\":\"accept\"}}"));
        assertEquals(202, posted.status());
        CoreFixture.Sent second = gateway.sent.getLast();
        CallingClient.ClientResponses answers =
                Objects.requireNonNull(second.options.interaction().client().answers());
        assertEquals("step 1", answers.state());
        assertEquals("accept", answers.responses().at("/name/action").asText());
        second.answer(new RelayedReply.RelayedResult(Json.object().put("isError", false)));
        assertFalse(sink.json().path("result").has("resultType"));
    }

    @Test
    void anAnswerOfAnotherSessionIsNobodys() {
        String session = session("{\"elicitation\":{}}");
        RecordingSink sink = gateway.post(CoreFixture.legacy(session, 1, "tools/call", "{\"name\":\"read\"}"));
        gateway.sent.getLast().answer(new RelayedReply.InputRequired(name(), "step 1"));
        String answer =
                "{\"jsonrpc\":\"2.0\",\"id\":" + sink.events().getFirst().path("id") + ",\"result\":{}}";
        int before = gateway.sent.size();
        gateway.post(CoreFixture.raw(session("{\"elicitation\":{}}"), answer));
        assertEquals(before, gateway.sent.size());
        gateway.post(CoreFixture.raw(session, answer));
        assertEquals(before + 1, gateway.sent.size());
    }

    @Test
    void aClientThatCanNotBeAskedGetsAToolErrorThatSaysWhy() {
        RecordingSink sink = gateway.post(CoreFixture.legacy(null, 1, "tools/call", "{\"name\":\"read\"}"));
        gateway.sent.getLast().answer(new RelayedReply.InputRequired(Json.object(), "step 1"));
        assertTrue(sink.json().at("/result/isError").asBoolean());
        assertTrue(sink.json().at("/result/content/0/text").asText().contains("no session"));

        RecordingSink unable = gateway.post(CoreFixture.legacy(session("{}"), 1, "tools/call", "{\"name\":\"read\"}"));
        gateway.sent.getLast().answer(new RelayedReply.InputRequired(name(), "step 1"));
        assertTrue(unable.json().at("/result/content/0/text").asText().contains("elicitation"));
    }

    @Test
    void aClientThatRefusesEndsTheCall() {
        String session = session("{\"elicitation\":{}}");
        RecordingSink sink = gateway.post(CoreFixture.legacy(session, 1, "tools/call", "{\"name\":\"read\"}"));
        gateway.sent.getLast().answer(new RelayedReply.InputRequired(name(), null));
        gateway.post(CoreFixture.raw(
                session,
                "{\"jsonrpc\":\"2.0\",\"id\":" + sink.events().getFirst().path("id")
                        + ",\"error\":{\"code\":-1,\"message\":\"no user here\"}}"));
        assertTrue(sink.json().at("/error/message").asText().contains("no user here"));
    }

    @Test
    void whatAnotherServerAnsweredIsPassedOnAsFarAsTheRevisionKnowsIt() {
        ObjectNode result = Json.object().put("resultType", "complete").put("isError", true);
        result.putArray("content")
                .addObject()
                .put("type", "audio")
                .put("data", "AA==")
                .put("mimeType", "audio/wav");
        result.putArray("structuredContent").add(1);
        gateway.answer(switchboard.call.BackendRequest.CallTool.class, _ -> new RelayedReply.RelayedResult(result));
        JsonNode newest = gateway.post(call(ANYBODY, 1, "")).json().path("result");
        assertEquals(result.path("content"), newest.path("content"));
        assertEquals(result.path("structuredContent"), newest.path("structuredContent"));
        assertTrue(newest.path("isError").asBoolean());
        assertEquals("tool_error", gateway.operations.getLast().outcome().error());
        JsonNode oldest = gateway.post(
                        CoreFixture.legacy(gateway.session("2024-11-05"), 1, "tools/call", "{\"name\":\"read\"}"))
                .json()
                .path("result");
        assertEquals("text", oldest.at("/content/0/type").asText());
        assertFalse(oldest.has("structuredContent"));
        assertFalse(oldest.has("resultType"));
        assertNotEquals(newest, oldest);
    }

    private String session(String capabilities) {
        return String.valueOf(gateway.post(CoreFixture.legacy(
                        null,
                        0,
                        "initialize",
                        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":" + capabilities + "}"))
                .headers()
                .get("Mcp-Session-Id"));
    }
}
