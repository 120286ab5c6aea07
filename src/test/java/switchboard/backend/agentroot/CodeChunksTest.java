package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.eval.JudgedSet;
import switchboard.eval.Quality;
import switchboard.testing.JudgedData;
import switchboard.testing.LongRun;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/**
 * A judged set, with {@code -Plong} questions about code, by agentroot's search tools over HTTP: the ranking by words is as
 * good as an independent BM25, query is not worse than its legs, and the documented fusion of them if that is chosen.
 */
@Tag("engines")
class CodeChunksTest {
    private static final int DEPTH = 100;

    /** What an independent BM25 reaches. */
    private static final double LEAST = LongRun.either(0.88, 0.684);

    @TempDir
    Path temp;

    @Test
    void codeIsFoundByItsWords() throws IOException {
        JudgedSet set = JudgedData.smallOr("codechunks");
        try (TestGateway gateway = gateway(set, "none", "linear");
                McpTestClient client = gateway.modern("agentroot")) {
            double quality = quality(client, "search", set, set.queries().size());
            System.out.printf("%s through search: nDCG@10 %.4f%n", set.name(), quality);
            assertTrue(quality >= LEAST, "nDCG@10 " + quality);
        }
    }

    @Test
    void queryIsNotWorseThanItsLegs() throws IOException {
        JudgedSet set = JudgedData.smallOr("codechunks");
        try (TestGateway gateway = gateway(set, "onnx", "linear");
                McpTestClient client = gateway.modern("agentroot")) {
            Map<String, Double> qualities = new HashMap<>();
            for (String tool : List.of("search", "vsearch", "query")) {
                qualities.put(tool, quality(client, tool, set, 100));
            }
            System.out.printf("%s: nDCG@10 %s%n", set.name(), qualities);
            double better = Math.max(qualities.get("search"), qualities.get("vsearch"));
            assertTrue(qualities.get("query") >= better - 0.005, qualities::toString);
        }
    }

    @Test
    void queryByRanksIsTheDocumentedFusionOfItsLegs() throws IOException {
        JudgedSet set = JudgedData.smallOr("codechunks");
        try (TestGateway gateway = gateway(set, "onnx", "rrf");
                McpTestClient client = gateway.modern("agentroot")) {
            List<String> questions = set.queries().values().stream().limit(40).toList();
            for (String question : questions) {
                assertEquals(
                        oracle(client, question).subList(0, 10), files(ask(client, "query", question, 10)), question);
            }
        }
    }

    private TestGateway gateway(JudgedSet set, String provider, String fusion) throws IOException {
        Path folder = Files.createDirectory(temp.resolve("code")).toRealPath();
        for (Map.Entry<String, String> text : set.texts().entrySet()) {
            Files.writeString(folder.resolve(text.getKey() + ".txt"), text.getValue());
        }
        TestGateway gateway = TestGateway.start("""
                embedders: {default: {provider: %s}}
                backends: {agentroot: {type: agentroot, updateTime: 15s, fusion: %s, roots: ['%s']}}
                """.formatted(provider, fusion, folder), temp.resolve("data"));
        try (McpTestClient client = gateway.modern("agentroot")) {
            ok(
                    client,
                    "collection_add",
                    Json.object()
                            .put("name", "code")
                            .put("path", folder.toString())
                            .put("pattern", "*"));
            while (!ok(client, "collection_update", Json.object().put("name", "code"))
                    .path("complete")
                    .asBoolean()) {
                // The next call goes on.
            }
        }
        return gateway;
    }

    private static JsonNode ok(McpTestClient client, String tool, ObjectNode arguments) {
        var result = client.call(tool, arguments);
        assertFalse(result.isError(), result.toString());
        return result.structured();
    }

    private static JsonNode ask(McpTestClient client, String tool, String question, int limit) {
        ObjectNode arguments =
                Json.object().put("query", question).put("limit", limit).put("detail", "L0");
        return ok(client, tool, tool.equals("vsearch") ? arguments.put("minScore", 0) : arguments);
    }

    private static List<String> files(JsonNode reply) {
        return AgentrootFixture.files(reply);
    }

    /** What the documented fusion makes of the two legs. */
    private static List<String> oracle(McpTestClient client, String question) {
        Map<String, Double> scores = new HashMap<>();
        leg(scores, files(ask(client, "search", question, DEPTH)), 2);
        leg(scores, files(ask(client, "vsearch", question, DEPTH)), 1);
        List<String> order = new ArrayList<>(scores.keySet());
        order.sort((a, b) -> {
            int byScore = Double.compare(scores.getOrDefault(b, 0.0), scores.getOrDefault(a, 0.0));
            return byScore != 0 ? byScore : a.compareTo(b);
        });
        return order;
    }

    private static void leg(Map<String, Double> scores, List<String> files, double weight) {
        for (int rank = 1; rank <= files.size(); rank++) {
            double bonus = rank <= 3 ? 0.05 : rank <= 10 ? 0.02 : 0;
            scores.merge(files.get(rank - 1), weight / (60 + rank) + bonus, Double::sum);
        }
    }

    /** nDCG@10, averaged over the first {@code most} questions. */
    private static double quality(McpTestClient client, String tool, JudgedSet set, int most) {
        List<Quality> all = set.queries().entrySet().stream()
                .limit(most)
                .map(question -> Quality.of(
                        files(ask(client, tool, question.getValue(), 10)).stream()
                                .map(file -> file.substring("code/".length(), file.length() - ".txt".length()))
                                .toList(),
                        set.grades().getOrDefault(question.getKey(), Map.of())))
                .toList();
        return Quality.mean(all).ndcg10();
    }
}
