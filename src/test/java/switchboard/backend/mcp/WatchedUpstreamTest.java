package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;
import switchboard.testing.fixture.FixtureServer;

/** Which resources of other servers clients watch is passed on to these servers, and what they announce to who watches it. */
class WatchedUpstreamTest {
    private static final String WATCHED = "test://watched-resource";
    private static final String OTHER = "test://static-text";
    private static final String UPDATED = "notifications/resources/updated";

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    private FixtureServer server;
    private TestGateway gateway;

    @AfterEach
    void stop() {
        if (gateway != null) {
            gateway.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private void start(FixtureServer.Era era, String... more) throws IOException {
        start(new FixtureServer(era), more);
    }

    private void start(FixtureServer started, String... more) throws IOException {
        server = started;
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: r1, sha256: %s}], grants: ["other:*"]}
                  blue: {keys: [{id: b1, sha256: %s}], grants: ["other:*:test://static*"]}
                """.formatted(red.sha256(), blue.sha256()));
        gateway = TestGateway.start(
                """
                auth: {mode: keys}
                backends:
                  other:
                    type: mcp
                    url: "%s"
                    refresh: 1s
                %s
                """.formatted(server.url(), String.join("\n", more).indent(4)), folder);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> gateway.modern("other")
                                .with("Authorization", "Bearer " + red.text())
                                .result("resources/list", Json.object())
                                .path("resources")
                                .size()
                        == 3,
                () -> "its resources are not listed");
    }

    private McpTestClient session(ApiKey key) {
        return McpTestClient.legacy(
                gateway.url("other"), McpTestClient.LEGACY, java.util.Map.of("Authorization", "Bearer " + key.text()));
    }

    private RawHttp stream(McpTestClient client, ApiKey key) {
        RawHttp stream = new RawHttp(gateway.url().getPort());
        stream.get(
                        gateway.url("other").getPath(),
                        "Authorization: Bearer " + key.text() + "\nMcp-Session-Id: " + client.session()
                                + "\nMCP-Protocol-Version: 2025-11-25\nAccept: text/event-stream\n")
                .readUntil("text/event-stream");
        return stream;
    }

    private RawHttp listening(ApiKey key, String... uris) {
        RawHttp stream = new RawHttp(gateway.url().getPort());
        stream.post(
                gateway.url("other").getPath(),
                "Authorization: Bearer " + key.text()
                        + "\nAccept: application/json, text/event-stream\nMCP-Protocol-Version: 2026-07-28\n"
                        + "Mcp-Method: subscriptions/listen\n",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":"
                        + "{\"resourceSubscriptions\":[\"" + String.join("\",\"", uris) + "\"]},\"_meta\":{"
                        + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                        + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
                        + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}");
        stream.readUntil("notifications/subscriptions/acknowledged");
        return stream;
    }

    private static void subscribe(McpTestClient client, String uri) {
        assertTrue(client.result("resources/subscribe", Json.object().put("uri", uri))
                .isEmpty());
    }

    private static void unsubscribe(McpTestClient client, String uri) {
        client.result("resources/unsubscribe", Json.object().put("uri", uri));
    }

    /** What the server is asked for now: by its sessions, or by the newest stream. */
    private Set<String> asked() {
        Set<String> asked = new TreeSet<>(server.subscribed());
        server.received().stream()
                .filter(message -> message.path("method").asText().equals("subscriptions/listen"))
                .reduce((_, last) -> last)
                .ifPresent(listen -> listen.at("/params/notifications/resourceSubscriptions")
                        .forEach(uri -> asked.add(uri.asText())));
        return asked;
    }

    private void eventually(Set<String> uris) {
        Eventually.within(
                Eventually.OF_A_PROCESS, () -> asked().equals(uris), () -> "the server is asked for " + asked());
    }

    private long requests(String method) {
        return server.received().stream()
                .map(message -> message.path("method").asText())
                .filter(method::equals)
                .count();
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void aChangeAfterTheAnswerIsNotMissed(FixtureServer.Era era) throws IOException {
        start(era);
        try (McpTestClient client = session(red);
                RawHttp stream = stream(client, red)) {
            assertEquals(Set.of(), asked());
            subscribe(client, WATCHED);
            assertEquals(Set.of(WATCHED), asked());
            server.updated(WATCHED);
            String seen = stream.readUntil(UPDATED) + stream.readUntil(WATCHED);
            assertFalse(seen.contains("list_changed"), seen);
            unsubscribe(client, WATCHED);
            eventually(Set.of());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void aListeningClientIsNotifiedUntilItGoes(FixtureServer.Era era) throws IOException {
        start(era);
        try (RawHttp stream = listening(red, OTHER, WATCHED)) {
            assertEquals(Set.of(OTHER, WATCHED), asked());
            server.updated(OTHER);
            stream.readUntil(OTHER);
            server.updated(WATCHED);
            stream.readUntil(WATCHED);
        }
        eventually(Set.of());
    }

    @Test
    void theServerIsToldOnceOfTwoClientsAndOnceWhenTheLastOneLeaves() throws IOException {
        start(FixtureServer.Era.LEGACY);
        try (McpTestClient first = session(red);
                RawHttp firstStream = stream(first, red);
                McpTestClient second = session(red);
                RawHttp secondStream = stream(second, red)) {
            subscribe(first, WATCHED);
            subscribe(second, WATCHED);
            unsubscribe(first, WATCHED);
            subscribe(first, OTHER); // answered after the look that saw the unsubscription
            assertEquals(Set.of(OTHER, WATCHED), asked());
            server.updated(WATCHED);
            secondStream.readUntil(WATCHED);
            server.updated(OTHER);
            String seen = firstStream.readUntil(OTHER);
            assertFalse(seen.contains(WATCHED), seen);
            second.delete();
            eventually(Set.of(OTHER));
            assertEquals(2, requests("resources/subscribe"));
            assertEquals(1, requests("resources/unsubscribe"));
        }
    }

    @Test
    void aSessionWithoutAStreamCountsForAMoment() throws IOException {
        start(FixtureServer.Era.LEGACY);
        try (McpTestClient client = session(red)) {
            subscribe(client, WATCHED);
            assertEquals(Set.of(WATCHED), asked());
            eventually(Set.of()); // no stream is opened
            try (RawHttp stream = stream(client, red)) {
                eventually(Set.of(WATCHED));
                server.updated(WATCHED);
                stream.readUntil(WATCHED);
            }
            eventually(Set.of());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void aChangeBeforeTheStreamIsNotMissed(FixtureServer.Era era) throws IOException {
        start(era);
        try (McpTestClient client = session(red)) {
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> era == FixtureServer.Era.MODERN || server.listening(),
                    () -> "nobody listens");
            subscribe(client, WATCHED);
            subscribe(client, OTHER);
            try (RawHttp watching = listening(red, WATCHED)) { // hears it, so that it has come
                server.updated(WATCHED);
                watching.readUntil(UPDATED);
            }
            try (RawHttp stream = stream(client, red)) {
                stream.readUntil(WATCHED);
                server.updated(OTHER);
                stream.readUntil(OTHER);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void whoMayNotReadItCausesNothingAndHearsNothing(FixtureServer.Era era) throws IOException {
        start(era);
        try (McpTestClient stranger = session(blue);
                RawHttp strangers = stream(stranger, blue);
                RawHttp modernStranger = listening(blue, WATCHED, OTHER)) {
            subscribe(stranger, WATCHED);
            subscribe(stranger, "test://static/../watched-resource");
            subscribe(stranger, OTHER);
            assertEquals(Set.of(OTHER), asked());
            try (RawHttp reader = listening(red, WATCHED)) {
                server.updated(WATCHED);
                reader.readUntil(UPDATED);
                server.updated(OTHER);
                String seen = strangers.readUntil(UPDATED) + strangers.readUntil(OTHER);
                assertFalse(seen.contains("watched"), seen);
                seen = modernStranger.readUntil("\"uri\":\"" + OTHER);
                assertFalse(seen.contains("\"uri\":\"" + WATCHED), seen);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void aServerThatStartsAnewIsAskedAnew(FixtureServer.Era era) throws IOException {
        start(era);
        try (McpTestClient client = session(red);
                RawHttp stream = stream(client, red)) {
            subscribe(client, WATCHED);
            int port = server.url().getPort();
            server.close();
            server = new FixtureServer(era, port);
            eventually(Set.of(WATCHED));
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> {
                        server.updated(WATCHED);
                        return requests("resources/subscribe") + requests("subscriptions/listen") > 0;
                    },
                    () -> "it was not asked");
            Eventually.within(Eventually.OF_A_PROCESS, () -> server.listening(), () -> "nobody listens");
            server.updated(WATCHED);
            stream.readUntil(WATCHED);
        }
    }

    @Test
    void aNewSessionIsSubscribedAnew() throws IOException {
        start(FixtureServer.Era.LEGACY);
        try (McpTestClient client = session(red);
                RawHttp stream = stream(client, red)) {
            subscribe(client, WATCHED);
            server.forgetSessions();
            eventually(Set.of(WATCHED));
            Eventually.within(Eventually.OF_A_PROCESS, () -> server.listening(), () -> "nobody listens");
            server.updated(WATCHED);
            stream.readUntil(WATCHED);
        }
    }

    @Test
    void aServerThatRefusesFailsNoClient() throws IOException {
        start(FixtureServer.Era.LEGACY);
        server.refuseSubscriptions();
        try (McpTestClient client = session(red);
                RawHttp _ = stream(client, red)) {
            subscribe(client, WATCHED);
            subscribe(client, OTHER);
            subscribe(client, WATCHED);
            assertEquals(2, requests("resources/subscribe"));
        }
    }

    @Test
    void aServerThatCannotAnnounceAnythingIsNotSubscribedTo() throws IOException {
        FixtureServer mute = new FixtureServer(FixtureServer.Era.LEGACY);
        mute.refuseStreams();
        start(mute);
        AtomicInteger number = new AtomicInteger();
        try (McpTestClient client = session(red);
                RawHttp _ = stream(client, red)) {
            Eventually.that(
                    () -> {
                        long before = requests("resources/subscribe");
                        subscribe(client, "test://template/" + number.incrementAndGet() + "/data");
                        return requests("resources/subscribe") == before;
                    },
                    () -> "it is asked for " + asked());
        }
    }

    @ParameterizedTest
    @CsvSource({"LEGACY, 2", "MODERN, 2", "LEGACY, 0", "MODERN, 0"})
    void theNumberIsBounded(FixtureServer.Era era, int most) throws IOException {
        start(era, "limits: {subscriptions: " + most + "}");
        try (RawHttp _ = listening(red, OTHER, WATCHED, "test://template/1/data", "test://template/2/data");
                RawHttp _ = listening(blue, "test://static-binary")) {
            assertEquals(most, asked().size());
            assertEquals(most > 0, asked().contains("test://static-binary"));
        }
    }

    @Test
    void aResourceOfTwoServersIsWatchedAtTheRightOne() throws IOException {
        try (FixtureServer second = new FixtureServer(FixtureServer.Era.MODERN)) {
            server = new FixtureServer(FixtureServer.Era.LEGACY);
            gateway = TestGateway.start("""
                    backends:
                      aside: {type: mcp, url: "%s"}
                      other: {type: mcp, url: "%s"}
                    """.formatted(server.url(), second.url()));
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> listed().contains("test://other__watched-resource"),
                    () -> "listed: " + listed());
            try (McpTestClient client = McpTestClient.legacy(gateway.url());
                    RawHttp stream = new RawHttp(gateway.url().getPort())) {
                stream.get(
                                gateway.url().getPath(),
                                "Mcp-Session-Id: " + client.session()
                                        + "\nMCP-Protocol-Version: 2025-11-25\nAccept: text/event-stream\n")
                        .readUntil("text/event-stream");
                subscribe(client, "test://other__watched-resource");
                assertEquals(Set.of(), server.subscribed());
                second.updated(WATCHED);
                stream.readUntil("test://other__watched-resource");
            }
        }
    }

    private List<String> listed() {
        return gateway.modern()
                .result("resources/list", Json.object())
                .path("resources")
                .findValuesAsText("uri");
    }
}
