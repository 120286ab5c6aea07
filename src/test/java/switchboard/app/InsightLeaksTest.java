package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.TestGateway;
import switchboard.testing.logs.AsksForErrors;
import switchboard.testing.logs.HeardLog;

/** What the search log and standing questions bring into the process log, the audit log, metrics and answers of commands: no query, and no key. */
class InsightLeaksTest extends LoggedTeams {
    private static final String CANARY = "canarywords";

    private HeardLog logs;

    @BeforeEach
    void listen() {
        logs = HeardLog.open();
    }

    @AfterEach
    void stopListening() {
        logs.close();
    }

    private void theLogTellsNothing() {
        for (String line : logs.lines()) {
            assertFalse(line.contains(CANARY), line);
            assertFalse(line.contains("-key"), line);
        }
    }

    /** Searches as all teams, also with a text that no encoding has. */
    private void searches() {
        for (String team : List.of("full", "hashed", "without", "silent", "unlogged")) {
            searched(team, "grain " + CANARY);
            halfOfAPair(team);
        }
        asked("full", "grain " + CANARY);
    }

    private void halfOfAPair(String team) {
        String envelope = "io.modelcontextprotocol/";
        HttpReply reply = client(team)
                .post(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"search_everywhere\",\"arguments\":"
                                + "{\"query\":\"grain " + CANARY + " \\ud83d\"},\"_meta\":{\"" + envelope
                                + "protocolVersion\":\"2026-07-28\",\"" + envelope + "clientCapabilities\":{}}}}",
                        Map.of(
                                "MCP-Protocol-Version",
                                "2026-07-28",
                                "Mcp-Method",
                                "tools/call",
                                "Mcp-Name",
                                "search_everywhere"));
        assertTrue(reply.body().contains("structuredContent"), reply::body);
    }

    private void measuresAndAuditTellNothing() {
        String metrics = gateway.management("/metrics").body();
        assertTrue(metrics.contains("switchboard_insight_lost_total"), metrics);
        assertFalse(metrics.contains(CANARY), metrics);
        assertFalse(metrics.contains("-key"), metrics);
        Path audit = folder.resolve("data/audit/audit.jsonl");
        Eventually.that(() -> bytes(audit).contains("unlogged-key"), () -> bytes(audit));
        assertFalse(bytes(audit).contains(CANARY), () -> bytes(audit));
    }

    @Test
    void whatIsLoggedAndForgottenAsEver() {
        searches();
        logged("full", 3);
        logged("hashed", 3);
        logged("without", 3);
        measuresAndAuditTellNothing();
        for (String what : List.of("--key=full-key", "--team=hashed", "--before=2999-01-31")) {
            String printed = forget(what);
            assertFalse(printed.contains(CANARY) || printed.contains("-key"), printed);
        }
        gone(CANARY);
        gateway.restart();
        theLogTellsNothing();
    }

    @AsksForErrors("lines of the search log could not be written before the end")
    @Test
    void whatCanNotBeWritten() throws IOException {
        Path insight = Files.createDirectory(folder.resolve("insight"));
        for (String team : List.of("full", "hashed", "without")) {
            Files.createFile(insight.resolve("team-" + team));
        }
        searches();
        Eventually.that(
                () -> logs.has("the search log is down"), () -> logs.lines().toString());
        measuresAndAuditTellNothing();
        gateway.close();
        assertTrue(logs.has("lines of the search log could not be written before the end"));
        theLogTellsNothing();
    }

    @Test
    void aStandingQuestionThatCanNotBeRead() throws IOException {
        asked("full", "grain " + CANARY);
        gateway.close();
        Path file = folder.resolve(files(CANARY).getFirst());
        Files.writeString(file, Files.readString(file).replaceFirst("\"grain[^\"]*\"", CANARY));
        gateway = TestGateway.start(yaml(), folder);
        assertTrue(logs.has("can't be read and is now"), () -> logs.lines().toString());
        theLogTellsNothing();
        assertEquals(
                0,
                ok("full", "watch_search", Json.object())
                        .structured()
                        .path("watches")
                        .size());
    }

    /** The audit log has its own setting, for all teams. */
    @Test
    void theAuditLogHasQueriesOnlyWhereItIsToldTo() throws IOException {
        gateway.close();
        gateway = TestGateway.start(yaml() + "audit: {arguments: full}\n", folder);
        searched("without", "grain " + CANARY);
        Path audit = folder.resolve("data/audit/audit.jsonl");
        Eventually.that(() -> bytes(audit).contains(CANARY), () -> bytes(audit));
        logged("without", 2);
        assertEquals(List.of(), files(CANARY), "elsewhere it is not");
        theLogTellsNothing();
    }
}
