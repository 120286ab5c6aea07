package switchboard.compose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.call.Json;
import switchboard.eval.JudgedSet;
import switchboard.testing.PostgresCluster;

/**
 * A part of SciFact over an embedded store, PostgreSQL, Weaviate and Meilisearch, asked through MCP: in four quarters, and
 * with every document in two engines. {@code bench/run EverywhereQuality} does the same with the whole set.
 */
@Tag("engines")
class SciFactEverywhereTest {
    private static final int QUERIES = 60;
    private static final int DOCUMENTS = 400;

    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    @Test
    void severalEnginesRankAsWellAsOneStore() throws Exception {
        Path folder = JudgedSample.sciFact().orElse(null);
        if (folder == null) {
            return;
        }
        JudgedSet set = JudgedSample.of(folder, QUERIES, DOCUMENTS);
        try (FourEngines engines = new FourEngines(CLUSTER, Path.of("target", "eval-vectors"))) {
            engines.fillSingle(set.texts());
            double single = JudgedSample.ndcg(set, engines::single);
            quarters(set, engines, single);
            copies(set, engines);
        }
    }

    private static void quarters(JudgedSet set, FourEngines engines, double single) throws Exception {
        Map<String, List<String>> places = new HashMap<>();
        int number = 0;
        for (String id : set.texts().keySet()) {
            places.put(id, List.of(FourEngines.NAMES.get(number++ % 4)));
        }
        engines.fill(set.texts(), places, "quarter");
        List<String> sources = FourEngines.NAMES.stream()
                .map(engine -> engines.source(engine, "quarter"))
                .toList();
        double fused = JudgedSample.ndcg(set, query -> {
            JsonNode answer = engines.answer(query, sources, Json.object());
            answer.path("sources")
                    .forEach(source -> assertEquals("ok", source.path("status").asText(), source::toString));
            return FourEngines.ids(answer);
        });
        System.out.println("SciFact in four quarters: nDCG@10 " + fused + ", of one store " + single);
        assertTrue(fused >= 0.97 * single, () -> fused + " is less than 0.97 of " + single);
    }

    private static void copies(JudgedSet set, FourEngines engines) throws Exception {
        Map<String, List<String>> places = new HashMap<>();
        set.texts().keySet().forEach(id -> places.put(id, List.of("vectordb", "weaviate")));
        engines.fill(set.texts(), places, "copy");
        List<String> sources = List.of(engines.source("vectordb", "copy"), engines.source("weaviate", "copy"));
        double better = sources.stream()
                .mapToDouble(source -> JudgedSample.ndcg(set, query -> engines.everywhere(query, List.of(source))))
                .max()
                .orElseThrow();
        List<Integer> merged = new ArrayList<>();
        double both = JudgedSample.ndcg(set, query -> {
            JsonNode answer = engines.answer(query, sources, Json.object());
            List<String> ids = FourEngines.ids(answer);
            assertEquals(ids.size(), new HashSet<>(ids).size(), () -> "twice in " + ids);
            merged.add(answer.path("results").path(0).path("also_in").size());
            return ids;
        });
        System.out.println("SciFact in two engines: nDCG@10 " + both + ", of the better one " + better);
        assertTrue(both >= better, () -> both + " is less than " + better);
        assertTrue(merged.stream().allMatch(copies -> copies == 1), merged::toString);
    }
}
