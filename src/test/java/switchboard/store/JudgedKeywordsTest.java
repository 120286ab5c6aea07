package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.eval.JudgedSet;
import switchboard.eval.Quality;
import switchboard.testing.JudgedData;
import switchboard.testing.LongRun;

/** Keyword search on a judged set, with {@code -Plong} on the whole of SciFact. */
@ExtendWith(VertxExtension.class)
class JudgedKeywordsTest {
    private static final Namespace SET = Namespace.of("judged");
    private static final double LEAST = LongRun.either(0.88, 0.69);

    @TempDir
    Path folder;

    @Test
    void keywordQualityIsThatOfTheMeasuredAnalysis(Vertx vertx) throws IOException {
        JudgedSet set = JudgedData.smallOr("scifact");
        try (StoreFixture fixture = new StoreFixture(vertx, folder)) {
            List<NewDocument> documents = new ArrayList<>();
            set.texts().forEach((id, text) -> documents.add(StoreFixture.doc(id, text)));
            for (int from = 0; from < documents.size(); from += 500) {
                List<Future<PutResult>> batch = documents.subList(from, Math.min(documents.size(), from + 500)).stream()
                        .map(document -> fixture.store().put(SET, document))
                        .toList();
                StoreFixture.await(Future.all(batch));
            }
            double ndcg = meanNdcg(fixture, set);
            System.out.println(set.name() + " keyword nDCG@10 " + ndcg);
            assertTrue(ndcg >= LEAST, "nDCG@10 is " + ndcg);
        }
    }

    private static double meanNdcg(StoreFixture fixture, JudgedSet set) {
        List<Quality> all = set.queries().entrySet().stream()
                .map(query -> Quality.of(
                        found(fixture, query.getValue()), set.grades().get(query.getKey())))
                .toList();
        return Quality.mean(all).ndcg10();
    }

    private static List<String> found(StoreFixture fixture, String query) {
        return fixture.sources(fixture.search(new SearchRequest(
                query, Optional.empty(), List.of(SET), new Filter.All(), 10, new Fusion.KeywordOnly())));
    }
}
