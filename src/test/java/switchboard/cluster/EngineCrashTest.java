package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.ChunkServer;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ReplicaProcesses;
import switchboard.testing.ToolResult;

/** A gateway is killed while it writes documents whose chunks are in an engine. */
@Tag("engines")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class EngineCrashTest {
    private static final int WRITERS = 3;
    private static final int BEFORE = 24;

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private final Set<Integer> acknowledged = new ConcurrentSkipListSet<>();
    private final AtomicInteger newest = new AtomicInteger();
    private final AtomicInteger next = new AtomicInteger();

    @Test
    void whatWasAcknowledgedIsThereOnceAndNothingElseStays() throws Exception {
        try (ChunkServer engine = ChunkServer.standIn();
                ReplicaProcesses gateways = new ReplicaProcesses(
                        2,
                        new ReplicaProcesses.Settings(
                                folder,
                                "crash",
                                _ -> postgres.url(),
                                0,
                                "",
                                engine.backend("library"),
                                Map.of(),
                                List.of()))) {
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> writing = new ArrayList<>();
                for (int number = 0; number < WRITERS; number++) {
                    int writer = number;
                    writing.add(threads.submit(() -> write(gateways, writer)));
                }
                Eventually.within(
                        Eventually.OF_A_PROCESS, () -> acknowledged.size() >= BEFORE, () -> "documents are written");
                engine.hold();
                engine.awaitHeld();
                gateways.kill(0);
                engine.release();
                for (Future<?> one : writing) {
                    one.get(1, TimeUnit.MINUTES);
                }
            }
            complete(gateways, 1);
            gateways.start(0);
            complete(gateways, 0);
            postgres.sql("UPDATE crash.unused_chunks SET ready = now() - interval '1 second'");
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> postgres.sql("SELECT count(*) FROM crash.unused_chunks")
                            .equals("0"),
                    () -> "what nobody uses is removed");
            assertEquals(
                    new TreeSet<>(List.of(postgres.sql("SELECT string_agg(id, ',') FROM crash.document")
                            .split(","))),
                    new TreeSet<>(engine.chunks().documents()));
            assertEquals(List.of(), engine.refused());
        }
    }

    /** Writes until the gateway is gone: documents of their own, and versions of one. */
    private void write(ReplicaProcesses gateways, int writer) {
        try (McpTestClient client = gateways.client(0, "")) {
            while (true) {
                int number = next.incrementAndGet();
                if (put(client, "own" + number, "crane of its own w" + number + "x")) {
                    acknowledged.add(number);
                }
                if (writer == 0 && put(client, "same", "crane version " + number)) {
                    newest.set(number);
                }
            }
        } catch (RuntimeException | AssertionError gone) {
            assertTrue(acknowledged.size() >= BEFORE, () -> "it was not killed yet: " + gone);
        }
    }

    private static boolean put(McpTestClient client, String source, String text) {
        ToolResult put = client.call(
                "library__ingest_text",
                Json.object().put("library", "birds").put("source", source).put("content", text));
        assertFalse(put.isError(), put::toString);
        return true;
    }

    private void complete(ReplicaProcesses gateways, int index) {
        try (McpTestClient client = gateways.client(index, "")) {
            for (int number : acknowledged) {
                List<String> found = texts(client, "w" + number + "x");
                assertEquals(
                        1,
                        found.stream()
                                .filter(text -> text.contains("w" + number + "x"))
                                .count(),
                        found::toString);
            }
            List<String> versions = texts(client, "version").stream()
                    .filter(text -> text.contains("version"))
                    .toList();
            assertEquals(1, versions.size(), versions::toString);
            int there = Integer.parseInt(versions.getFirst().replaceAll("\\D", ""));
            assertTrue(there >= newest.get() && newest.get() > 0, versions::toString);
        }
    }

    private static List<String> texts(McpTestClient client, String query) {
        ToolResult found = client.call(
                "library__search",
                Json.object().put("library", "birds").put("query", query).put("top_k", 50));
        assertFalse(found.isError(), found::toString);
        List<String> texts = new ArrayList<>();
        for (JsonNode hit : found.structured().path("results")) {
            texts.add(hit.path("content").asText());
        }
        return texts;
    }
}
