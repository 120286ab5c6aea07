package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestGateway;
import switchboard.testing.logs.AsksForErrors;

/**
 * Views and teams that change under a running gateway: what is valid is in force soon, whole, without ending a session;
 * what is not changes nothing; and exactly those clients are told whose list of tools is another one now.
 */
class ReloadOverHttpTest {
    private static final String TOLD = "notifications/tools/list_changed";
    private static final String LISTEN = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":"
            + "{\"notifications\":{\"toolsListChanged\":true},\"_meta\":{"
            + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    private static final String BASE = """
            auth: {mode: keys}
            embedders: {default: {provider: none}}
            backends: {vectordb: {type: vectordb}}
            """;
    private static final String VIEWS = """
            views:
              papers: {backends: [vectordb], tools: [vectordb__search], descriptions: texts.yaml}
              notes: {backends: [vectordb], tools: [vectordb__search, vectordb__list_documents]}
            """;

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("switchboard.app");

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        teams("*", "*", "papers");
        texts("Finds papers.");
        configuration(VIEWS);
        gateway = TestGateway.start(BASE + VIEWS, folder);
        gateway.follow(folder.resolve("switchboard.yaml"));
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        gateway.close();
    }

    private void teams(String redVerbs, String blueVerbs, String redViews) throws IOException {
        replace("teams.yaml", """
                teams:
                  red: {keys: [{id: r1, sha256: %s}], grants: ["vectordb:%s"], views: [%s]}
                  blue: {keys: [{id: b1, sha256: %s}], grants: ["vectordb:%s"]}
                """.formatted(red.sha256(), redVerbs, redViews, blue.sha256(), blueVerbs));
    }

    private void texts(String description) throws IOException {
        replace("texts.yaml", "tools: {vectordb__search: {description: \"" + description + "\"}}");
    }

    private void configuration(String views) throws IOException {
        replace("switchboard.yaml", BASE + views);
    }

    private void replace(String name, String text) throws IOException {
        ReplacedFile.write(folder.resolve(name), text);
    }

    private McpTestClient session(String view, ApiKey key) {
        return McpTestClient.legacy(gateway.url(view), McpTestClient.LEGACY, Map.of("X-API-Key", key.text()));
    }

    private McpTestClient modern(String view, ApiKey key) {
        return gateway.modern(view).with("X-API-Key", key.text());
    }

    /** A stream of either era, open. */
    private List<RawHttp> streams(String view, ApiKey key, McpTestClient session) {
        String path = "/mcp/" + view;
        RawHttp legacy = new RawHttp(gateway.url().getPort());
        legacy.get(
                        path,
                        "Mcp-Session-Id: " + session.session() + "\nMCP-Protocol-Version: 2025-11-25\nX-API-Key: "
                                + key.text() + "\nAccept: text/event-stream\n")
                .readUntil("text/event-stream");
        RawHttp listening = new RawHttp(gateway.url().getPort());
        listening
                .post(
                        path,
                        "Accept: application/json, text/event-stream\nMCP-Protocol-Version: 2026-07-28\nX-API-Key: "
                                + key.text() + "\nMcp-Method: subscriptions/listen\n",
                        LISTEN)
                .readUntil("notifications/subscriptions/acknowledged");
        return List.of(legacy, listening);
    }

    /** Everything on a stream that the gateway ends; the connection stays. */
    private static String ended(RawHttp stream) {
        return stream.readUntil("\r\n0\r\n\r\n");
    }

    private static int told(String seen) {
        return seen.split(TOLD, -1).length - 1;
    }

    private void metric(String line) {
        Eventually.that(() -> gateway.management("/metrics").body().contains(line), () -> line);
    }

    private List<String> logged() {
        return new ArrayList<>(log.list)
                .stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static String description(McpTestClient client) {
        return client.tools().getFirst().path("description").asText();
    }

    @Test
    void aChangedViewIsInForceSoonAndOnlyThoseOnItAreTold() throws IOException {
        try (McpTestClient papers = session("papers", red);
                McpTestClient notes = session("notes", blue)) {
            List<RawHttp> onPapers = streams("papers", red, papers);
            List<RawHttp> onNotes = streams("notes", blue, notes);
            configuration(VIEWS.replace(
                    "tools: [vectordb__search], ", "tools: [vectordb__search], rename: {vectordb__search: find}, "));
            onPapers.forEach(stream -> stream.readUntil(TOLD));
            assertEquals(List.of("find"), papers.toolNames(), "the same session");
            assertEquals(List.of("find"), modern("papers", red).toolNames());
            configuration(VIEWS.replace("vectordb__list_documents", "vectordb__list_libraries")
                    .replace(
                            "tools: [vectordb__search], ",
                            "tools: [vectordb__search], rename: {vectordb__search: find}, "));
            for (RawHttp stream : onNotes) {
                assertEquals(1, told(stream.readUntil(TOLD)), "nothing of the first change");
            }
            assertEquals(List.of("list_libraries", "search"), notes.toolNames());
            assertEquals(2, gateway.app().endpoint().liveSessions());
            gateway.close();
            for (RawHttp stream : onPapers) {
                assertEquals(1, told(stream.readAll()), "nothing of the second change");
            }
        }
    }

    @Test
    void aChangedTeamIsToldAndNobodyElse() throws IOException {
        try (McpTestClient papers = session("papers", red);
                McpTestClient notes = session("notes", blue)) {
            List<RawHttp> ofRed = streams("papers", red, papers);
            List<RawHttp> ofBlue = streams("notes", blue, notes);
            teams("read", "*", "papers");
            for (RawHttp stream : ofRed) {
                assertEquals(1, told(ended(stream)), "told, and ended: the client opens another");
            }
            assertEquals(List.of(), papers.toolNames(), "the session is still there, with what is left");
            assertEquals(List.of("list_documents", "search"), notes.toolNames());
            teams("read", "read", "papers");
            for (RawHttp stream : ofBlue) {
                assertEquals(1, told(ended(stream)), "nothing of the first change");
            }
            assertEquals(List.of("list_documents"), notes.toolNames());
        }
    }

    @Test
    void aChangeThatChangesNoListTellsNobody() throws IOException {
        try (McpTestClient papers = session("papers", red)) {
            List<RawHttp> streams = streams("papers", red, papers);
            configuration(VIEWS + "  more: {backends: [vectordb]}\n");
            Eventually.that(
                    () -> modern("more", blue)
                                    .request("tools/list", Json.object())
                                    .status()
                            == 200,
                    () -> "the new view is there");
            gateway.close();
            streams.forEach(stream -> assertEquals(0, told(stream.readAll())));
        }
    }

    @Test
    void theTextsOfAViewAreFollowedToo() throws IOException {
        assertEquals("Finds papers.", description(modern("papers", red)));
        texts("Finds papers of any age.");
        Eventually.that(
                () -> description(modern("papers", red)).equals("Finds papers of any age."), () -> "the new text");
    }

    @AsksForErrors("FileReloader - ")
    @Test
    void whatIsWrongChangesNothingAndIsSaid() throws IOException {
        try (McpTestClient papers = session("papers", red)) {
            for (String wrong : List.of(
                    VIEWS.replace("[vectordb__search]", "[vectordb__serch]"),
                    VIEWS.replace("texts.yaml", "gone.yaml"),
                    VIEWS + "  papers: {backends: [vectordb]}\n",
                    VIEWS + "servers: {port: 1}\n",
                    VIEWS.replace("papers:", "articles:"),
                    "views: [")) {
                configuration(wrong);
                metric("switchboard_config_reload_failed 1");
                assertEquals(List.of("search"), papers.toolNames(), wrong);
                assertEquals(
                        List.of("list_documents", "search"),
                        modern("notes", blue).toolNames(),
                        wrong);
                configuration(VIEWS);
                metric("switchboard_config_reload_failed 0");
            }
            assertEquals(1, gateway.app().endpoint().liveSessions());
        }
        List<String> said = logged();
        for (String reason :
                List.of("vectordb__serch", "gone.yaml", "servers", "\"papers\" is missing, which team red")) {
            assertTrue(
                    said.stream()
                            .anyMatch(line -> line.contains("the previous views stay in use") && line.contains(reason)),
                    () -> reason + ": " + said);
        }
    }

    @AsksForErrors("FileReloader - ")
    @Test
    void aTeamMayMoveToANewViewInOneGo() throws IOException {
        teams("*", "*", "articles");
        configuration(VIEWS.replace("papers:", "articles:"));
        // The old one can't go before the team has let go of it, and the team can't name the new one before it is
        // there.
        configuration(VIEWS + "  articles: {backends: [vectordb]}\n");
        Eventually.that(
                () -> modern("articles", red)
                                .request("tools/list", Json.object())
                                .status()
                        == 200,
                () -> "the team has its new view: " + logged());
        metric("switchboard_teams_reload_failed 0");
        assertEquals(
                404, modern("papers", red).request("tools/list", Json.object()).status());
    }

    @Test
    void aViewThatIsGoneEndsItsStreamsAndIsNotFound() throws IOException {
        try (McpTestClient notes = session("notes", blue)) {
            List<RawHttp> streams = streams("notes", blue, notes);
            configuration(VIEWS.lines().filter(line -> !line.contains("notes")).reduce("", (a, b) -> a + b + "\n"));
            streams.forEach(stream -> assertEquals(1, told(ended(stream))));
            assertEquals(404, notes.request("tools/list", Json.object()).status());
            assertEquals(List.of("search"), modern("papers", red).toolNames());
        }
    }

    @Test
    void whatTakesARestartIsSaid() throws IOException {
        replace(
                "switchboard.yaml",
                BASE.replace("{type: vectordb}", "{type: vectordb, idleClose: 7m}") + "limits: {bodies: 100MiB}\n"
                        + VIEWS);
        Eventually.that(
                () -> logged().stream()
                        .anyMatch(line ->
                                line.equals("switchboard.yaml: limits, backends.vectordb changed since the start;"
                                        + " restart to apply that")),
                () -> String.join("\n", logged()));
        JsonNode tools = modern("papers", red).tools().getFirst();
        assertFalse(tools.isEmpty());
    }
}
