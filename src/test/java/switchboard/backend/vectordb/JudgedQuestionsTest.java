package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.eval.JudgedSet;
import switchboard.testing.JudgedData;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * A judged set, with {@code -Plong} a part of SciFact, ingested and searched through MCP: the texts that answer the
 * questions, hidden among others.
 */
@Tag("engines")
class JudgedQuestionsTest {
    private static final int QUESTIONS = 60;
    private static final int DOCUMENTS = 500;
    private static final int CONCURRENT = 4;

    @TempDir
    Path folder;

    @Test
    void questionsFindTheTextsThatAnswerThem() throws Exception {
        JudgedSet set = JudgedData.smallOrPartOf("scifact", QUESTIONS, DOCUMENTS);
        List<String> files = write(set);
        try (TestGateway gateway = TestGateway.start(
                "backends: {vectordb: {type: vectordb, dataDir: store, ingestRoots: [\"%s\"]}}".formatted(folder))) {
            ingest(gateway, files);
            int found = 0;
            McpTestClient client = gateway.modern("vectordb");
            for (Map.Entry<String, String> question : set.queries().entrySet()) {
                Set<String> answers = set.grades().get(question.getKey()).keySet();
                found += answers(client, question.getValue()).stream().anyMatch(answers::contains) ? 1 : 0;
            }
            int questions = set.queries().size();
            double share = (double) found / questions;
            System.out.println(set.name() + " through MCP: " + found + " of " + questions + " answered in the top 10");
            assertTrue(share >= 0.9, "only " + share);
        }
    }

    private static List<String> answers(McpTestClient client, String question) {
        ToolResult result =
                client.call("search", Json.object().put("query", question).put("top_k", 10));
        assertFalse(result.isError(), result.toString());
        assertEquals("hybrid", result.structured().path("mode").asText());
        List<String> ids = new ArrayList<>();
        for (JsonNode hit : result.structured().path("results")) {
            ids.add(Path.of(hit.path("source").asText())
                    .getFileName()
                    .toString()
                    .replace(".txt", ""));
        }
        return ids;
    }

    private static void ingest(TestGateway gateway, List<String> files) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(CONCURRENT)) {
            List<Future<ToolResult>> all = new ArrayList<>();
            McpTestClient client = gateway.modern("vectordb");
            for (String file : files) {
                all.add(threads.submit(
                        () -> client.call("ingest_file", Json.object().put("path", file))));
            }
            for (Future<ToolResult> one : all) {
                assertFalse(one.get().isError(), one.get().toString());
            }
        }
    }

    private List<String> write(JudgedSet set) throws IOException {
        List<String> files = new ArrayList<>();
        for (Map.Entry<String, String> text : set.texts().entrySet()) {
            Files.writeString(folder.resolve(text.getKey() + ".txt"), text.getValue());
            files.add(text.getKey() + ".txt");
        }
        return files;
    }
}
