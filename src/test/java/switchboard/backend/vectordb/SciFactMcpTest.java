package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * A part of SciFact, which lies outside the repository ({@code SWITCHBOARD_EVAL_DIR}), ingested and searched through MCP:
 * the abstracts that answer the first claims, hidden among others.
 */
@Tag("engines")
class SciFactMcpTest {
    private static final int CLAIMS = 60;
    private static final int DOCUMENTS = 500;
    private static final int CONCURRENT = 4;

    @TempDir
    Path folder;

    @Test
    void claimsFindTheirAbstracts() throws Exception {
        Path set = Path.of(Optional.ofNullable(System.getenv("SWITCHBOARD_EVAL_DIR"))
                        .orElse("../shared/eval"))
                .resolve("scifact");
        if (!Files.isDirectory(set)) {
            System.out.println("NOT RUN: no SciFact in " + set + "; set SWITCHBOARD_EVAL_DIR");
            return;
        }
        Map<String, Set<String>> relevant = relevant(set);
        Map<String, String> claims = claims(set, relevant);
        Set<String> wanted = new HashSet<>();
        claims.keySet().forEach(claim -> wanted.addAll(relevant.getOrDefault(claim, Set.of())));
        List<String> files = write(set, wanted);
        try (TestGateway gateway = TestGateway.start(
                "backends: {vectordb: {type: vectordb, dataDir: store, ingestRoots: [\"%s\"]}}".formatted(folder))) {
            ingest(gateway, files);
            int found = 0;
            McpTestClient client = gateway.modern("vectordb");
            for (Map.Entry<String, String> claim : claims.entrySet()) {
                Set<String> answers = relevant.getOrDefault(claim.getKey(), Set.of());
                found += answers(client, claim.getValue()).stream().anyMatch(answers::contains) ? 1 : 0;
            }
            double share = (double) found / claims.size();
            System.out.println(
                    "SciFact through MCP: " + found + " of " + claims.size() + " claims answered in the top 10");
            assertTrue(share >= 0.9, "only " + share);
        }
    }

    private static List<String> answers(McpTestClient client, String claim) {
        ToolResult result =
                client.call("search", Json.object().put("query", claim).put("top_k", 10));
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

    private List<String> write(Path set, Set<String> wanted) throws IOException {
        List<String> files = new ArrayList<>();
        int others = DOCUMENTS - wanted.size();
        for (String line : Files.readAllLines(set.resolve("corpus.jsonl"))) {
            JsonNode document = Json.parse(line);
            String id = document.get("_id").textValue();
            boolean take = wanted.contains(id) || others-- > 0;
            if (take) {
                String text = document.get("title").textValue() + "\n"
                        + document.get("text").textValue();
                Files.writeString(folder.resolve(id + ".txt"), text);
                files.add(id + ".txt");
            }
        }
        return files;
    }

    private static Map<String, Set<String>> relevant(Path set) throws IOException {
        Map<String, Set<String>> relevant = new HashMap<>();
        for (String line :
                Files.readAllLines(set.resolve("qrels.tsv")).stream().skip(1).toList()) {
            String[] columns = line.split("\t", -1);
            relevant.computeIfAbsent(columns[0], _ -> new HashSet<>()).add(columns[1]);
        }
        return relevant;
    }

    private static Map<String, String> claims(Path set, Map<String, Set<String>> relevant) throws IOException {
        Map<String, String> claims = new LinkedHashMap<>();
        for (String line : Files.readAllLines(set.resolve("queries.jsonl"))) {
            JsonNode claim = Json.parse(line);
            String id = claim.get("_id").textValue();
            if (relevant.containsKey(id) && claims.size() < CLAIMS) {
                claims.put(id, claim.get("text").textValue());
            }
        }
        return claims;
    }
}
