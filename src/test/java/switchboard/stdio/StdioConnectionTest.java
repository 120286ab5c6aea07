package switchboard.stdio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.call.Json;
import switchboard.dispatch.DispatchLimits;
import switchboard.testing.Eventually;
import switchboard.testing.TestServer;

/** MCP of both eras over a pair of streams, as a desktop client that started the gateway sees it. */
@Timeout(300)
class StdioConnectionTest {
    private static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    private TestServer server = TestServer.start();
    private final AtomicReference<Principal> caller = new AtomicReference<>(Principal.anonymous());
    private Pipe input;
    private Pipe output;
    private OutputStream in;
    private BufferedReader out;
    private Future<Void> over;

    @BeforeEach
    void open() throws IOException {
        serve(StdioLimits.DEFAULT);
    }

    @AfterEach
    void stop() throws IOException {
        hangUp();
        server.close();
    }

    private void serve(StdioLimits limits) throws IOException {
        input = Pipe.open();
        output = Pipe.open();
        in = Channels.newOutputStream(input.sink());
        out = new BufferedReader(
                new InputStreamReader(Channels.newInputStream(output.source()), StandardCharsets.UTF_8));
        StdioConnection connection = new StdioConnection(
                server.vertx(),
                server.endpoint(),
                "toy",
                _ -> Future.succeededFuture(new AuthOutcome.Authenticated(caller.get())),
                (_, view) -> view.equals("toy"),
                limits);
        over = connection.serve(Channels.newInputStream(input.source()), Channels.newOutputStream(output.sink()));
    }

    private void send(String text) throws IOException {
        in.write((text + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    private JsonNode receive() throws IOException {
        String line = out.readLine();
        assertFalse(line == null, "the output ended");
        return Json.parse(line);
    }

    private JsonNode ask(String text) throws IOException {
        send(text);
        return receive();
    }

    private JsonNode initialize(String version) throws IOException {
        return ask("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\""
                + version + "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}");
    }

    private static String call(int id, String tool, String arguments, String meta) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "," + meta + "}}";
    }

    private static String cancelled(int id) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + id + "}}";
    }

    private void closeInput() throws IOException {
        in.close();
    }

    private void hangUp() throws IOException {
        in.close();
        out.close();
    }

    private void awaitEnd() throws Exception {
        over.await(120, TimeUnit.SECONDS);
    }

    @Test
    void aLegacyClientShakesHandsListsAndCalls() throws Exception {
        assertEquals(
                "2025-11-25",
                initialize("2025-11-25").at("/result/protocolVersion").asText());
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        assertTrue(ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
                        .at("/result/tools")
                        .size()
                > 0);
        JsonNode result = ask(call(2, "echo", "{\"text\":\"hi\"}", "\"_meta\":{}"));
        assertEquals("hi", result.at("/result/structuredContent/text").asText(), "as negotiated");
    }

    @Test
    void aModernClientNeedsNoHandshakeAndNoHeaders() throws Exception {
        JsonNode discovered =
                ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" + META + "}}");
        assertTrue(discovered.path("result").has("supportedVersions"), discovered::toString);
        assertEquals(
                "hi",
                ask(call(2, "echo", "{\"text\":\"hi\"}", META))
                        .at("/result/structuredContent/text")
                        .asText());
        assertEquals(0, server.endpoint().liveSessions());
    }

    @Test
    void progressComesBeforeTheAnswer() throws Exception {
        String meta = META.replace("{\"io", "{\"progressToken\":\"p\",\"io");
        send(call(1, "progress", "{\"steps\":3}", meta));
        double last = 0;
        JsonNode message = receive();
        for (; message.path("method").asText().equals("notifications/progress"); message = receive()) {
            assertEquals("p", message.at("/params/progressToken").asText());
            assertTrue(message.at("/params/progress").asDouble() > last);
            last = message.at("/params/progress").asDouble();
        }
        assertTrue(last > 0);
        assertEquals(1, message.path("id").asInt());
    }

    @Test
    void aCallOfEitherEraIsTakenBackWithoutAnAnswer() throws Exception {
        initialize("2025-06-18");
        for (String meta : List.of("\"_meta\":{}", META)) {
            send(call(1, "hold", "{}", meta));
            Eventually.that(() -> server.toy().running() == 1, () -> "the call never arrived");
            send(cancelled(1));
            Eventually.that(() -> server.toy().running() == 0, () -> "the call went on");
            assertEquals(
                    9,
                    ask("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}")
                            .path("id")
                            .asInt());
        }
    }

    @Test
    void callsAreAnsweredInTheOrderTheyEnd() throws Exception {
        send(call(1, "hold", "{}", META));
        Eventually.that(() -> server.toy().running() == 1, () -> "the call never arrived");
        assertEquals(
                2, ask(call(2, "echo", "{\"text\":\"x\"}", META)).path("id").asInt());
        server.toy().release();
        assertEquals(1, receive().path("id").asInt());
    }

    @Test
    void theEndOfTheInputWaitsForAnswersButNotForSubscriptions() throws Exception {
        JsonNode acknowledged = ask("{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"subscriptions/listen\",\"params\":{"
                + "\"notifications\":{\"toolsListChanged\":true}," + META + "}}");
        assertEquals(
                "notifications/subscriptions/acknowledged",
                acknowledged.path("method").asText());
        send(call(1, "hold", "{}", META));
        Eventually.that(() -> server.toy().running() == 1, () -> "the call never arrived");
        closeInput();
        Eventually.that(() -> server.endpoint().openStreams() == 0, () -> "the subscription stayed");
        assertFalse(over.isComplete());
        server.toy().release();
        assertEquals(1, receive().path("id").asInt());
        awaitEnd();
        assertEquals(0, server.endpoint().liveSessions());
    }

    @Test
    void aReaderThatIsGoneEndsTheConnectionAndItsCalls() throws Exception {
        initialize("2024-11-05");
        send(call(1, "hold", "{}", "\"_meta\":{}"));
        Eventually.that(() -> server.toy().running() == 1, () -> "the call never arrived");
        out.close();
        send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
        assertThrows(IOException.class, this::awaitEnd);
        Eventually.that(() -> server.toy().running() == 0, () -> "the call went on");
        Eventually.that(() -> server.endpoint().liveSessions() == 0, () -> "the session stayed");
    }

    @Test
    void noiseIsAnsweredAndTheNextMessageIsRead() throws Exception {
        assertEquals(-32700, ask("{").at("/error/code").asInt());
        assertEquals(
                -32600, ask("{\"jsonrpc\":\"2.0\",\"id\":3}").at("/error/code").asInt());
        assertEquals(-32600, ask("[]").at("/error/code").asInt());
        send("");
        send("  \t");
        send("\r");
        in.write("\uFEFF{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\r\n".getBytes(StandardCharsets.UTF_8));
        in.flush();
        assertEquals(4, receive().path("id").asInt());
    }

    @Test
    void anIdThatIsNotKnownIsAsTheRevisionOfTheConnectionHasIt() throws Exception {
        closeInput();
        awaitEnd();
        serve(StdioLimits.DEFAULT.withMaxLineBytes(600));
        assertUnknownId(true, "before anybody has said what is spoken");
        ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" + META + "}}");
        assertUnknownId(false, "after a modern request");
        assertFalse(ask("[]").has("id"));
        for (String version : List.of("2024-11-05", "2025-03-26", "2025-06-18")) {
            initialize(version);
            assertUnknownId(true, version);
        }
        assertTrue(ask("[]").path("id").isNull());
        initialize("2025-11-25");
        assertUnknownId(false, "2025-11-25");
    }

    private void assertUnknownId(boolean isNull, String when) throws IOException {
        for (String unreadable : List.of(
                "{\"jsonrpc\":",
                "17",
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
                "\"" + "x".repeat(700) + "\"")) {
            JsonNode answer = ask(unreadable);
            assertTrue(answer.path("error").has("code"), when);
            assertEquals(isNull, answer.has("id"), when + ": " + unreadable);
            assertTrue(!isNull || answer.path("id").isNull(), when);
        }
        JsonNode known = ask("{\"jsonrpc\":\"2.0\",\"id\":\"k\",\"params\":{}}");
        assertEquals("k", known.path("id").asText(), when);
    }

    @Test
    void aLineTooLongIsLostButNotTheNext() throws Exception {
        closeInput();
        awaitEnd();
        serve(StdioLimits.DEFAULT.withMaxLineBytes(200));
        send("{\"x\":\"" + "y".repeat(500) + "\"}");
        assertTrue(receive().at("/error/message").asText().contains("200 bytes"));
        assertEquals(
                1,
                ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}")
                        .path("id")
                        .asInt());
    }

    @Test
    void furtherInputWaitsWhileTooMuchIsUnderWay() throws Exception {
        closeInput();
        awaitEnd();
        serve(new StdioLimits(1 << 20, 1 << 20, 2));
        send(call(1, "hold", "{}", META));
        send(call(2, "hold", "{}", META));
        send("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");
        Eventually.that(() -> server.toy().running() == 2, () -> "the calls never arrived");
        assertFalse(out.ready(), "the third was answered");
        server.toy().release();
        Set<Integer> answered = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            answered.add(receive().path("id").asInt());
        }
        assertEquals(Set.of(1, 2, 3), answered);
    }

    /** Its client sends all of it before it reads, as one does that has a single thread. */
    @Test
    void answersWaitForAReaderHoweverManyBytesTheyAre() throws Exception {
        closeInput();
        awaitEnd();
        serve(new StdioLimits(1 << 20, 1 << 14, 1024));
        initialize("2025-06-18");
        int most = 1000;
        for (int id = 1; id <= most; id++) {
            send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/list\"}");
        }
        send(call(most + 1, "echo", "{\"text\":\"hi\"}", "\"a\":1"));
        closeInput();
        for (int id = 1; id <= most + 1; id++) {
            assertEquals(id, receive().path("id").asInt());
        }
        awaitEnd();
        assertEquals(0, server.endpoint().liveSessions());
    }

    @Test
    void aConnectionWhoseEndIsToldHasNoSession() throws Exception {
        for (int round = 0; round < 100; round++) {
            hangUp();
            serve(StdioLimits.DEFAULT);
            initialize("2025-06-18");
            Future<Integer> left = over.map(_ -> server.endpoint().liveSessions());
            closeInput();
            assertEquals(0, left.await(120, TimeUnit.SECONDS), "round " + round);
        }
    }

    @Test
    void aHundredCallsAtOnceWaitForEachOtherHoweverShortCallersOverHttpWait() throws Exception {
        stop();
        server = TestServer.start(
                TestServer.Setup.DEFAULT.dispatch(new DispatchLimits(32, 16, 1024, 128, Duration.ofMillis(1), 500)));
        serve(StdioLimits.DEFAULT);
        for (int id = 1; id <= 50; id++) {
            send(call(id, "hold", "{}", META));
        }
        initialize("2025-06-18");
        for (int id = 51; id <= 100; id++) {
            send(call(id, "hold", "{}", "\"a\":1"));
        }
        Eventually.that(() -> server.dispatcher().permitsTaken() == 100, () -> "all have arrived, and most wait");
        // Long after the millisecond that others wait for room.
        send(call(101, "slow", "{\"ms\":1}", META));
        Eventually.that(
                () -> {
                    server.toy().release();
                    return server.dispatcher().permitsTaken() == 0;
                },
                () -> "all are over");
        Set<Integer> answered = new HashSet<>();
        for (int n = 0; n < 101; n++) {
            JsonNode answer = receive();
            assertFalse(answer.path("result").path("isError").asBoolean(), answer::toString);
            answered.add(answer.path("id").asInt());
        }
        assertEquals(101, answered.size());
    }

    @Test
    void callsThatAreLeftWhenTheGatewayStopsAreAnswered() throws Exception {
        send(call(1, "hold", "{}", META));
        initialize("2025-06-18");
        send(call(2, "hold", "{}", "\"a\":1"));
        Eventually.that(() -> server.toy().running() == 2, () -> "both are under way");
        server.dispatcher().drain(Duration.ofMillis(1)).await();
        for (int n = 0; n < 2; n++) {
            JsonNode answer = receive();
            assertTrue(answer.path("result").path("isError").asBoolean(), answer::toString);
            assertTrue(answer.toString().contains("UNAVAILABLE"), answer::toString);
        }
    }

    @Test
    void whatEndsAfterVertxIsClosedEndsQuietly() throws Exception {
        initialize("2025-11-25");
        server.close();
        closeInput();
        assertThrows(Exception.class, this::awaitEnd, "what is left in the input is not answered");
        server = TestServer.start();
    }

    @Test
    void whatIsSentAfterVertxIsClosedEndsTheConnectionQuietly() throws Exception {
        initialize("2025-11-25");
        server.close();
        send("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}");
        assertThrows(Exception.class, this::awaitEnd, "nobody answers any more");
        server = TestServer.start();
    }

    @Test
    void batchesAreForTheVersionsThatHaveThem() throws Exception {
        String batch =
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]";
        initialize("2025-03-26");
        assertEquals(2, ask(batch).size());
        initialize("2025-06-18");
        assertEquals(-32600, ask(batch).at("/error/code").asInt());
    }

    @Test
    void changedListsAreToldAndAGatewayThatStopsStillAnswers() throws Exception {
        initialize("2025-11-25");
        server.listChanges("toy").announce(ListChanged.ListType.TOOLS);
        assertEquals(
                "notifications/tools/list_changed", receive().path("method").asText());
        send(call(1, "hold", "{}", "\"_meta\":{}"));
        Eventually.that(() -> server.toy().running() == 1, () -> "the call never arrived");
        server.endpoint().shutdown();
        server.toy().release();
        assertEquals("released", receive().at("/result/content/0/text").asText());
    }

    @Test
    void aCallerWhoseRightsChangeGoesOnWithThemInTheSameVersion() throws Exception {
        initialize("2025-11-25");
        caller.set(new Principal("team", "anonymous", List.of(Grant.parse("toy:read"))));
        server.endpoint().accessChanged(_ -> true, _ -> false);
        assertEquals(
                "notifications/tools/list_changed", receive().path("method").asText());
        JsonNode result = ask(call(2, "echo", "{\"text\":\"hi\"}", "\"_meta\":{}"));
        assertEquals("hi", result.at("/result/structuredContent/text").asText());
        assertEquals(1, server.endpoint().liveSessions());
    }
}
