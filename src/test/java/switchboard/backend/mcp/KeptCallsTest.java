package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.AskedClient;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;

/** Servers of 2025-11-25 that ask clients of 2026-07-28, over HTTP and on standard input and output. */
class KeptCallsTest extends KeptCallsFixture {
    private long runs(String tool) {
        return received().stream()
                .filter(message -> message.path("method").asText().equals("tools/call"))
                .filter(message -> message.at("/params/name").asText().equals(tool))
                .count();
    }

    private void cancelledAtTheServer() {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> received().stream()
                        .anyMatch(message -> message.path("method").asText().equals("notifications/cancelled")),
                () -> "the server was not told");
    }

    private static CompletableFuture<HttpReply> begun(McpTestClient client, ObjectNode params) {
        return CompletableFuture.supplyAsync(() -> client.request("tools/call", params), Thread::startVirtualThread);
    }

    private static HttpReply waitedFor(CompletableFuture<HttpReply> reply) {
        return reply.orTimeout(60, TimeUnit.SECONDS).join();
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void theClientIsAskedInTheResultAndItsNextCallGoesOn(Wire how) throws IOException {
        start(how, "");
        McpTestClient client = able(red);
        ObjectNode ask = call("ask");
        JsonNode asked = client.result("tools/call", ask);
        assertEquals("elicitation/create", question(asked).path("method").asText());
        assertEquals("Question 1?", question(asked).at("/params/message").asText());
        JsonNode done = client.result("tools/call", answering(ask, asked, FORM));
        assertEquals("complete", done.path("resultType").asText());
        assertTrue(text(done).contains("Zoë \uD83D\uDE00"), done::toString);
        assertEquals(1, runs("ask"));

        asked = client.result("tools/call", call("model"));
        assertEquals("sampling/createMessage", question(asked).path("method").asText());
        assertTrue(text(client.result("tools/call", answering(call("model"), asked, MODEL)))
                .contains("Something."));
        asked = client.result("tools/call", call("folders"));
        assertEquals("roots/list", question(asked).path("method").asText());
        assertTrue(text(client.result("tools/call", answering(call("folders"), asked, FOLDERS)))
                .contains("file:///here"));
        for (String action : List.of("decline", "cancel")) {
            asked = client.result("tools/call", ask);
            ObjectNode no = Json.object().put("action", action);
            assertEquals(
                    no.toString(),
                    text(client.result("tools/call", answering(ask, asked, no))).strip());
        }

        ObjectNode prompt = Json.object().put("name", "ask");
        asked = client.result("prompts/get", prompt);
        JsonNode got = client.result("prompts/get", answering(prompt, asked, FORM));
        assertTrue(got.at("/messages/0/content/text").asText().contains("Zoë"), got::toString);
        ObjectNode resource = Json.object().put("uri", "asking://one");
        asked = client.result("resources/read", resource);
        got = client.result("resources/read", answering(resource, asked, FORM));
        assertTrue(got.at("/contents/0/text").asText().contains("Zoë"), got::toString);
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void tenQuestionsInARowAndTwoAtOnceInOneCall(Wire how) throws IOException {
        start(how, "");
        McpTestClient client = able(red);
        ObjectNode ask = call("ask");
        ask.putObject("arguments").put("count", 10);
        JsonNode asked = client.result("tools/call", ask);
        for (int number = 1; number <= 10; number++) {
            assertEquals(
                    "Question " + number + "?",
                    question(asked).at("/params/message").asText());
            ObjectNode next =
                    answering(ask, asked, Json.object().put("action", "accept").put("n", number));
            HttpReply reply = client.request("tools/call", next, Json.object().put("progressToken", "t" + number));
            asked = reply.json().path("result");
        }
        assertEquals(10, text(asked).lines().count(), asked::toString);
        assertEquals(1, runs("ask"));

        ObjectNode both = call("both");
        asked = client.result("tools/call", both);
        assertEquals(2, asked.path("inputRequests").size(), asked::toString);
        String one = asked.path("inputRequests").fieldNames().next();
        ObjectNode half = answering(both, asked, FORM);
        ((ObjectNode) half.path("inputResponses")).retain(one);
        ((ObjectNode) half.path("inputResponses")).put("unknown", "key");
        JsonNode again = client.result("tools/call", half);
        assertEquals(1, again.path("inputRequests").size(), again::toString);
        assertFalse(again.path("inputRequests").has(one), again::toString);
        String result = text(client.result("tools/call", answering(both, again, FORM)));
        assertEquals(3, result.split("Zoë", -1).length, result);
        assertEquals(1, runs("both"));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void anAnswerOfTheWrongFormLosesNothing(Wire how) throws IOException {
        start(how, "");
        McpTestClient client = able(red);
        for (String tool : List.of("ask", "model", "folders")) {
            JsonNode asked = client.result("tools/call", call(tool));
            for (String wrong : List.of("{}", "{\"action\": \"perhaps\"}", "{\"roots\": {}, \"content\": []}")) {
                ObjectNode params = answering(call(tool), asked, (ObjectNode) parsed(wrong));
                if (!tool.equals("folders") || !wrong.contains("roots")) {
                    String refused = client.result("tools/call", params).toString();
                    assertTrue(refused.contains("INVALID_ARGUMENT") && refused.contains("inputResponses."), refused);
                }
            }
            ObjectNode text = answering(call(tool), asked, FORM);
            ((ObjectNode) text.path("inputResponses"))
                    .set(
                            asked.path("inputRequests").fieldNames().next(),
                            Json.array().add(1));
            assertTrue(client.result("tools/call", text).toString().contains("must be an object"));
            ObjectNode right = tool.equals("ask") ? FORM : tool.equals("model") ? MODEL : FOLDERS;
            JsonNode done = client.result("tools/call", answering(call(tool), asked, right));
            assertFalse(done.path("isError").asBoolean(), done::toString);
            assertEquals(1, runs(tool));
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void nobodyElseGoesOnWithItAndNobodyTwice(Wire how) throws IOException {
        start(how, "");
        McpTestClient client = able(red);
        JsonNode asked = client.result("tools/call", call("ask"));
        ObjectNode next = answering(call("ask"), asked, FORM);
        for (ApiKey other : List.of(scarlet, blue)) {
            JsonNode error = able(other).request("tools/call", next).json();
            assertEquals(-32602, error.at("/error/code").asInt(), error::toString);
        }
        ObjectNode elsewhere = next.deepCopy().put("name", "both");
        assertEquals(
                -32602,
                client.request("tools/call", elsewhere).json().at("/error/code").asInt());
        ObjectNode prompt = next.deepCopy();
        String promptAnswer = client.request("prompts/get", prompt).body();
        assertTrue(promptAnswer.contains("is gone"), promptAnswer);
        assertTrue(text(client.result("tools/call", next)).contains("Zoë"));
        JsonNode over = client.result("tools/call", next);
        assertTrue(text(over).contains("is gone"), over::toString);
        assertEquals("unknown", over.at("/_meta/switchboard~1error/outcome").asText(), over::toString);
        assertEquals(1, runs("ask"));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void theSameStateTwiceAtOnceAndTheClientThatGoesAway(Wire how) throws IOException {
        start(how, "");
        McpTestClient client = able(red);
        JsonNode asked = client.result("tools/call", call("hang"));
        ObjectNode next = answering(call("hang"), asked, FORM);
        McpTestClient leaving = able(red);
        CompletableFuture<HttpReply> first = begun(leaving, next);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> received().stream().anyMatch(message -> message.toString().contains("Zoë")),
                () -> "the server got no answer");
        String second = client.result("tools/call", next).toString();
        assertTrue(second.contains("CONFLICT") && second.contains("is under way"), second);
        assertFalse(first.isDone());
        leaving.close();
        cancelledAtTheServer();
        String gone = text(client.result("tools/call", next));
        assertTrue(gone.contains("is gone") && gone.contains("unknown"), gone);
        assertEquals(1, runs("hang"));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void aCallThatNobodyComesBackForEnds(Wire how) throws IOException {
        start(how, ", questions: {timeout: 1s}");
        McpTestClient client = able(red);
        JsonNode asked = client.result("tools/call", call("hang"));
        cancelledAtTheServer();
        String gone = text(client.result("tools/call", answering(call("hang"), asked, FORM)));
        assertTrue(gone.contains("is gone") && gone.contains("longer than 1 s"), gone);
        assertTrue(
                received().stream()
                        .anyMatch(
                                message -> message.at("/error/message").asText().contains("in time")),
                () -> received().toString());
        assertEquals(1, runs("hang"));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void theResultOfAToolThatDoesNotWaitIsKept(Wire how) throws IOException {
        start(how, "");
        McpTestClient client = able(red);
        JsonNode reply = client.result("tools/call", call("impatient"));
        if (reply.path("resultType").asText().equals("input_required")) {
            reply = client.result("tools/call", answering(call("impatient"), reply, FORM));
        }
        assertEquals("done without an answer", text(reply));
        assertEquals(1, runs("impatient"));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void theRoundsOfARunningGatewayAreGoneInTheNextOne(Wire how) throws IOException {
        start(how, "");
        JsonNode asked = able(red).result("tools/call", call("ask"));
        gateway.restart();
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> client(red).toolNames().contains("ask"),
                () -> "its tools were never listed");
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> able(red).call("declared", Json.object()).text().contains("elicitation"),
                () -> "the server does not answer");
        String gone = text(able(red).result("tools/call", answering(call("ask"), asked, FORM)));
        assertTrue(gone.contains("is gone") && gone.contains("call again"), gone);
        assertEquals(1, runs("ask"));
    }

    @Test
    void aCallerHasFewWaitingCallsAndTheOldestEnds() throws IOException {
        start(Wire.HTTP, ", questions: {most: 4, perCaller: 2}");
        List<JsonNode> asked = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            asked.add(able(red).result("tools/call", call("ask")));
        }
        ObjectNode first = answering(call("ask"), asked.get(0), FORM);
        assertTrue(text(able(red).result("tools/call", first)).contains("is gone"));
        JsonNode other = able(blue).result("tools/call", call("ask"));
        JsonNode more = able(blue).result("tools/call", call("ask"));
        long left = asked.subList(1, 3).stream()
                .map(one -> text(able(red).result("tools/call", answering(call("ask"), one, FORM))))
                .filter(text -> text.contains("Zoë"))
                .count();
        long others = List.of(other, more).stream()
                .map(one -> text(able(blue).result("tools/call", answering(call("ask"), one, FORM))))
                .filter(text -> text.contains("Zoë"))
                .count();
        assertEquals(4, left + others, "each of two teams may have half of them");
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void aSessionDeclaresWhatItsClientCanAnswer(Wire how) throws IOException {
        start(how, "");
        ObjectNode details = Json.object();
        details.putObject("form");
        details.putObject("url");
        ObjectNode tools = Json.object();
        tools.putObject("tools");
        ObjectNode apps = Json.object();
        apps.putObject("io.modelcontextprotocol/ui").putArray("mimeTypes").add("text/html;profile=mcp-app");
        McpTestClient rich =
                client(red).able("elicitation", details).able("sampling", tools).able("extensions", apps);
        assertEquals("{}", client(red).call("declared", Json.object()).text());
        assertEquals(
                "{\"elicitation\":{\"form\":{}}}",
                client(red).able("elicitation").call("declared", Json.object()).text());
        String all = rich.call("declared", Json.object()).text();
        assertEquals(
                "{\"sampling\":{\"tools\":{}},\"elicitation\":{\"form\":{},\"url\":{}},\"extensions\":" + apps + "}",
                all);
        AskedClient legacy = new AskedClient(gateway.url("asking"), java.util.Map.of("X-API-Key", red.text()), "mine");
        open.add(legacy);
        String declared = legacy.call("declared").text();
        assertEquals(
                "{\"sampling\":{},\"roots\":{},\"elicitation\":{\"form\":{}},\"extensions\":" + apps + "}", declared);
        assertTrue(legacy.call("ask").text().contains("mine"));

        JsonNode listing = received().stream()
                .filter(message -> message.path("method").asText().equals("initialize"))
                .findFirst()
                .orElseThrow()
                .at("/params/capabilities");
        assertTrue(listing.has("sampling") && listing.has("roots") && listing.has("extensions"), listing::toString);
        // A server that asks nevertheless gets no answer, and the caller hears why.
        String failed = client(red).call("ask", Json.object()).text();
        assertTrue(failed.contains("has declared nothing of the kind"), failed);
    }

    @Test
    void aServerThatMakesOneSessionIsUsedInThatOne() throws IOException {
        http.mostSessions(1);
        start(Wire.HTTP, "");
        JsonNode asked = able(red).result("tools/call", call("ask"));
        assertTrue(text(able(red).result("tools/call", answering(call("ask"), asked, FORM)))
                .contains("Zoë"));
        able(red).result("tools/call", call("runs"));
        long attempts = received().stream()
                .filter(message -> message.path("method").asText().equals("initialize"))
                .count();
        assertEquals(2, attempts, () -> received().toString()); // one to list, one that was refused
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void itGoesOnAfterTheBackendWasSwitchedOffForAWhile(Wire how) throws IOException {
        start(how, "");
        McpTestClient client = able(red);
        JsonNode asked = client.result("tools/call", call("ask"));
        ObjectNode next = answering(call("ask"), asked, FORM);
        assertEquals(200, change("PUT"));
        String off = client.request("tools/call", next).body();
        assertFalse(off.contains("Zoë"), off);
        assertEquals(200, change("DELETE"));
        assertTrue(text(client.result("tools/call", next)).contains("Zoë"));
        assertEquals(1, runs("ask"));
    }

    private int change(String method) {
        try (RawHttp client = new RawHttp(gateway.app().managementUrl().getPort())) {
            return client.send(method + " /backends/asking/off HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 0\n\n")
                    .status();
        }
    }

    @Test
    void progressGoesToTheRequestThatIsOpen() throws IOException {
        start(Wire.HTTP, "");
        McpTestClient client = able(red);
        ObjectNode ask = call("ask");
        HttpReply first = client.request("tools/call", ask, Json.object().put("progressToken", "one"));
        HttpReply second = client.request(
                "tools/call",
                answering(ask, first.json().path("result"), FORM),
                Json.object().put("progressToken", "two"));
        List<JsonNode> messages = second.messages();
        assertEquals(2, messages.size(), second::body);
        assertEquals("two", messages.getFirst().at("/params/progressToken").asText());
    }
}
