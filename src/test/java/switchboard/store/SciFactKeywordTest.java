package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;

/** Keyword search on the whole of SciFact, which lies outside the repository: {@code SWITCHBOARD_EVAL_DIR}. */
class SciFactKeywordTest {
    private static final Space SCIFACT = Space.of("scifact");

    @TempDir
    Path folder;

    @Test
    void keywordQualityIsThatOfTheMeasuredAnalysis() throws IOException {
        Path set = evalDir().resolve("scifact");
        if (!Files.isDirectory(set)) {
            System.out.println("NOT RUN: no SciFact in " + set + "; set SWITCHBOARD_EVAL_DIR");
            return;
        }
        try (StoreFixture fixture = new StoreFixture(folder)) {
            List<NewDocument> documents = new ArrayList<>();
            for (String line : Files.readAllLines(set.resolve("corpus.jsonl"))) {
                JsonNode json = Json.parse(line);
                documents.add(StoreFixture.doc(
                        json.get("_id").textValue(),
                        json.get("title").textValue() + "\n" + json.get("text").textValue()));
            }
            for (int from = 0; from < documents.size(); from += 500) {
                List<Future<PutResult>> batch = documents.subList(from, Math.min(documents.size(), from + 500)).stream()
                        .map(document -> fixture.store().put(SCIFACT, document))
                        .toList();
                StoreFixture.await(Future.all(batch));
            }
            double ndcg = meanNdcg(fixture, set);
            System.out.println("SciFact keyword nDCG@10 " + ndcg);
            assertTrue(ndcg >= 0.69, "nDCG@10 is " + ndcg);
        }
    }

    private static double meanNdcg(StoreFixture fixture, Path set) throws IOException {
        Map<String, Set<String>> relevant = new HashMap<>();
        for (String line :
                Files.readAllLines(set.resolve("qrels.tsv")).stream().skip(1).toList()) {
            String[] columns = line.split("\t", -1);
            relevant.computeIfAbsent(columns[0], query -> new HashSet<>()).add(columns[1]);
        }
        double sum = 0;
        int queries = 0;
        for (String line : Files.readAllLines(set.resolve("queries.jsonl"))) {
            JsonNode json = Json.parse(line);
            Set<String> wanted = relevant.get(json.get("_id").textValue());
            if (wanted != null) {
                List<String> found = fixture.sources(fixture.search(new SearchRequest(
                        json.get("text").textValue(),
                        Optional.empty(),
                        List.of(SCIFACT),
                        new Filter.All(),
                        10,
                        new Fusion.KeywordOnly())));
                sum += ndcg(found, wanted);
                queries++;
            }
        }
        return sum / queries;
    }

    private static double ndcg(List<String> found, Set<String> wanted) {
        double gained = 0;
        double ideal = 0;
        for (int rank = 0; rank < 10; rank++) {
            double discount = Math.log(2) / Math.log(rank + 2);
            gained += rank < found.size() && wanted.contains(found.get(rank)) ? discount : 0;
            ideal += rank < wanted.size() ? discount : 0;
        }
        return gained / ideal;
    }

    private static Path evalDir() {
        String given = System.getenv("SWITCHBOARD_EVAL_DIR");
        return given != null
                ? Path.of(given)
                : Path.of(System.getProperty("switchboard.home", ".")).resolve("../shared/eval");
    }
}
