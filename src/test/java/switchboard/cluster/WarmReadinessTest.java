package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.WireProxy;

/** A gateway that starts is ready when the files of its libraries are complete, and stays ready from then on. */
@Tag("engines")
class WarmReadinessTest {
    private static final String BEHIND = "switchboard_store_behind{store=\"docs\"} ";

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private TestGateway gateway(String name, int port, String warm) throws IOException {
        String url = "postgres://" + postgres.superuser() + "@127.0.0.1:" + port + "/" + postgres.database();
        Path key = Files.writeString(folder.resolve("state.key"), "0123456789abcdef0123456789abcdef");
        Path database = Files.writeString(folder.resolve(name + ".url"), url);
        return TestGateway.start(
                """
                server: { stateKey: "${file:%s}" }
                cluster: { database: "${file:%s}", schema: warm, node: %s }
                embedders: { default: { provider: none } }
                backends: { docs: { type: vectordb, store: cluster, dataDir: shared, warm: [%s] } }
                """.formatted(key, database, name, warm), Files.createDirectories(folder.resolve(name)));
    }

    private static void ingest(TestGateway gateway, String library, String text) {
        ObjectNode arguments =
                Json.object().put("library", library).put("source", "s").put("content", text);
        ToolResult result = gateway.modern().call("docs__ingest_text", arguments);
        assertFalse(result.isError(), result::toString);
    }

    /** Its only document is of a newer version from now on, so that no files can be built of it. */
    private static void block(String library) {
        change(library, "vectors = '\\x63'");
    }

    private static void unblock(String library) {
        change(library, "vectors = (SELECT vectors FROM warm.document WHERE library = (" + id("good") + "))");
    }

    private static void change(String library, String what) {
        assertEquals(
                "1",
                postgres.sql("WITH changed AS (UPDATE warm.document SET " + what + " WHERE library = (" + id(library)
                                + ") RETURNING 1) SELECT count(*) FROM changed")
                        .strip());
    }

    private static String id(String library) {
        return "SELECT id FROM warm.library WHERE live AND name = '" + library + "'";
    }

    private static JsonNode docs(HttpReply reply) {
        try {
            return Json.parse(reply.body()).at("/backends/0");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void waitFor(TestGateway gateway, int status, String part) {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> {
                    HttpReply reply = gateway.management("/health/ready");
                    return reply.status() == status && reply.body().contains(part);
                },
                () -> status + " " + part + ": "
                        + gateway.management("/health/ready").body());
    }

    private static void behind(TestGateway gateway, String number) {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> gateway.management("/metrics").body().contains(BEHIND + number + "\n"),
                () -> number + " behind: " + gateway.management("/metrics").body());
    }

    @Test
    void notBeforeItsLibrariesAreBuiltAndAlwaysAfterwards() throws IOException {
        try (WireProxy wire = new WireProxy(postgres.port());
                TestGateway writer = gateway("writer", postgres.port(), "'*'")) {
            waitFor(writer, 200, "\"status\":\"ready\"");
            ingest(writer, "good", "A heron");
            ingest(writer, "slow", "A pelican");
            block("slow");
            wire.hold();
            try (TestGateway late = gateway("late", wire.port(), "'*'")) {
                waitFor(late, 503, "waits for the database that the gateways share");
                wire.release();
                waitFor(late, 503, "1 of 2 libraries left, 0 of 1 documents");
                JsonNode part = docs(late.management("/health/ready"));
                assertEquals("down", part.path("status").asText());
                assertTrue(part.path("required").asBoolean(), part::toString);
                try (TestGateway other = gateway("other", postgres.port(), "good")) {
                    waitFor(other, 200, "\"status\":\"up\""); // it does not build the other one
                }
                unblock("slow");
                waitFor(late, 200, "\"status\":\"up\"");

                // A library that is made later, and can't be built here.
                wire.hold();
                waitFor(late, 200, "known sessions go on");
                ingest(writer, "new", "A cormorant");
                block("new");
                wire.release();
                waitFor(late, 200, " nodes\"");
                behind(late, "1.0");
                waitFor(late, 200, "\"status\":\"up\"");
                ToolResult found =
                        late.modern().call("docs__search", Json.object().put("query", "heron pelican"));
                assertFalse(found.isError(), found::toString);
                assertTrue(
                        List.of("good", "slow").stream().allMatch(one -> found.structured()
                                .path("results")
                                .toString()
                                .contains(one)),
                        found::toString);
                unblock("new");
                behind(late, "0.0");

                postgres.kill();
                try {
                    waitFor(late, 200, "known sessions go on");
                    assertEquals(
                            "up",
                            docs(late.management("/health/ready"))
                                    .path("status")
                                    .asText());
                } finally {
                    postgres.restart();
                }
                waitFor(late, 200, " nodes\"");
            }
        }
    }
}
