package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.call.Json;
import switchboard.eval.JudgedSet;
import switchboard.eval.PairedTest;
import switchboard.testing.Eventually;
import switchboard.testing.Gate;
import switchboard.testing.JudgedData;
import switchboard.testing.PostgresCluster;

/**
 * A judged set, with {@code -Plong} a part of SciFact, over an embedded store, PostgreSQL, Weaviate and Meilisearch, asked
 * through MCP: in four quarters, and with every document in two engines.
 */
@Tag("engines")
class JudgedEverywhereTest {
    private static final int QUERIES = 50;
    private static final int DOCUMENTS = 300;
    private static final List<String> ALL_ANSWER =
            List.of("meilisearch ok", "postgres ok", "vectordb ok", "weaviate ok");

    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static JudgedSet set;
    private static @Nullable FourEngines engines;

    @BeforeAll
    static void fill() throws Exception {
        set = JudgedData.smallOrPartOf("scifact", QUERIES, DOCUMENTS);
        engines = new FourEngines(CLUSTER, Path.of("target", "eval-vectors"));
        Map<String, List<String>> quarters = new HashMap<>();
        Map<String, List<String>> copies = new HashMap<>();
        int number = 0;
        for (String id : set.texts().keySet()) {
            quarters.put(id, List.of(FourEngines.NAMES.get(number++ % 4)));
            copies.put(id, List.of("vectordb", "weaviate"));
        }
        engines.fill(set.texts(), quarters, "quarter");
        engines.fill(set.texts(), copies, "copy");
    }

    @AfterAll
    static void stop() {
        if (engines != null) {
            engines.close();
        }
    }

    private static List<String> sources(String collection, List<String> names) {
        return names.stream().map(name -> engines.source(name, collection)).toList();
    }

    private static double mean(double[] ndcgs) {
        return Arrays.stream(ndcgs).average().orElseThrow();
    }

    private static List<String> statuses(JsonNode answer) {
        List<String> statuses = new ArrayList<>();
        answer.path("sources")
                .forEach(source -> statuses.add(source.path("source").asText().replaceFirst(":.*", "") + " "
                        + source.path("status").asText()));
        return statuses;
    }

    @Test
    void fourQuartersRankAsWellAsOneStore() {
        double single = JudgedQuality.ndcg(set, query -> engines.oneStore(query, "copy"));
        List<String> sources = sources("quarter", FourEngines.NAMES);
        double fused = JudgedQuality.ndcg(set, query -> {
            JsonNode answer = engines.answer(query, sources, Json.object());
            assertEquals(ALL_ANSWER, statuses(answer));
            return FourEngines.ids(answer);
        });
        System.out.println(set.name() + " in four quarters: nDCG@10 " + fused + ", of one store " + single);
        assertTrue(fused >= 0.97 * single, () -> fused + " is less than 0.97 of " + single);
    }

    /** Weaviate hangs from before its collections are known, Meilisearch refuses, PostgreSQL is slow. */
    @Test
    void whenEnginesFailTheRestAnswersAsIfItWereAlone() {
        List<String> left = sources("quarter", List.of("vectordb", "postgres"));
        // Words are corrected only where every source answers.
        List<String> queries = set.queries().values().stream()
                .filter(query -> !engines.answer(query, left, Json.object()).has("corrected"))
                .limit(4)
                .toList();
        assertEquals(4, queries.size());
        List<List<String>> alone =
                queries.stream().map(query -> engines.everywhere(query, left)).toList();
        engines.gate("weaviate").become(Gate.State.HANGING);
        engines.gate("meilisearch").become(Gate.State.REFUSING);
        engines.gate("postgres").become(Gate.State.SLOW);
        try {
            for (int i = 0; i < queries.size(); i++) {
                JsonNode answer = engines.answer(
                        queries.get(i),
                        List.of("vectordb:quarter", "postgres:*.quarter", "weaviate", "meilisearch"),
                        Json.object().put("deadline_ms", 4_000));
                assertEquals(
                        List.of("postgres ok", "vectordb ok", "meilisearch error", "weaviate timeout"),
                        statuses(answer));
                assertEquals(alone.get(i), FourEngines.ids(answer));
            }
        } finally {
            List.of("weaviate", "meilisearch", "postgres")
                    .forEach(name -> engines.gate(name).become(Gate.State.OPEN));
        }
        // Breakers are still open, and would be when the next test asks.
        Eventually.first(
                Eventually.OF_A_PROCESS,
                () -> statuses(
                        engines.answer(queries.getFirst(), sources("quarter", FourEngines.NAMES), Json.object())),
                ALL_ANSWER::equals);
    }

    @Test
    void copiesInTwoEnginesRankAsWellAsTheBetterOneAndAreMerged() {
        List<String> sources = sources("copy", List.of("vectordb", "weaviate"));
        List<double[]> alone = sources.stream()
                .map(source -> JudgedQuality.ndcgs(set, query -> engines.everywhere(query, List.of(source))))
                .sorted(Comparator.comparingDouble(JudgedEverywhereTest::mean))
                .toList();
        double[] better = alone.getLast();
        List<Integer> merged = new ArrayList<>();
        double[] both = JudgedQuality.ndcgs(set, query -> {
            JsonNode answer = engines.answer(query, sources, Json.object());
            List<String> ids = FourEngines.ids(answer);
            assertEquals(ids.size(), new HashSet<>(ids).size(), () -> "twice in " + ids);
            merged.add(answer.path("results").path(0).path("also_in").size());
            return ids;
        });
        System.out.println(
                set.name() + " in two engines: nDCG@10 " + mean(both) + ", of the better one " + mean(better));
        double[] differences = new double[both.length];
        Arrays.setAll(differences, i -> both[i] - better[i]);
        PairedTest pairedTest = PairedTest.of(differences);
        // Half a hundredth is what one query in fifty more or less makes; below is what chance does not explain.
        assertTrue(pairedTest.high() >= 0 && pairedTest.mean() >= -0.005, () -> pairedTest + " to the better one");
        assertTrue(merged.stream().allMatch(copies -> copies == 1), merged::toString);
    }
}
