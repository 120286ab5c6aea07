package switchboard.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.concurrent.TeamShare;
import switchboard.embed.OnnxEmbedder;
import switchboard.embed.OnnxModel;
import switchboard.store.Fusion;

/**
 * The quality of search on pages of this project, as {@code eval} measures it. The pages are a copy that stays as it is;
 * the questions are written by hand, some in other words than the page. The floors are a little below what was measured
 * when the set was made: a change that loses them makes search worse.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@ExtendWith(VertxExtension.class)
class OwnPagesTest {
    private static final Path SET = Path.of("src/test/resources/judged/docs");

    /** What each way of searching gives at least: nDCG@10, recall@10, recall@100, MRR@10. */
    private static final Map<String, Quality> FLOORS = Map.of(
            "keyword", new Quality(0.72, 0.91, 0.92, 0.66),
            "vector", new Quality(0.84, 0.95, 0.98, 0.81),
            "hybrid", new Quality(0.85, 0.96, 0.98, 0.82));

    /**
     * Methods of this project without their comments; the first sentence of a comment is the question. What is found by words
     * and by meaning together is never worse than what is found by either.
     */
    private static final Path CODE = Path.of("src/test/resources/judged/code");

    private static final double NOISE = 0.005;

    @TempDir
    Path folder;

    @Test
    void theSetHasSixtyQuestionsOfWhichSomeHaveNoAnswerAndSomeHaveTwo() throws IOException {
        JudgedSet set = JudgedSet.read(SET);
        assertEquals(60, Files.readAllLines(SET.resolve("queries.jsonl")).size());
        assertEquals(20, set.texts().size());
        assertEquals(57, set.queries().size());
        assertTrue(set.grades().values().stream().anyMatch(grades -> grades.size() > 1));
        set.grades().values().forEach(grades -> assertTrue(set.texts().keySet().containsAll(grades.keySet())));
    }

    @Test
    void searchFindsThePagesThatAnswerQuestions(Vertx vertx) throws IOException {
        Map<String, Fusion> modes = new LinkedHashMap<>(Evaluation.standardModes());
        modes.keySet().retainAll(FLOORS.keySet());
        EvalComparison report = evaluate(vertx, JudgedSet.read(SET), modes);
        for (EvalComparison.EvalRunResult line : report.runs()) {
            Quality floor = FLOORS.get(line.name());
            Quality found = line.quality();
            assertTrue(found.ndcg10() >= floor.ndcg10(), report::table);
            assertTrue(found.recall10() >= floor.recall10(), report::table);
            assertTrue(found.recall100() >= floor.recall100(), report::table);
            assertTrue(found.mrr10() >= floor.mrr10(), report::table);
        }
        assertEquals(FLOORS.size(), report.runs().size());
    }

    @Test
    void searchFindsTheMethodThatAQuestionDescribes(Vertx vertx) throws IOException {
        JudgedSet set = JudgedSet.read(CODE);
        assertEquals(200, set.texts().size());
        assertEquals(150, set.queries().size());
        Map<String, Fusion> modes = new LinkedHashMap<>(Evaluation.standardModes());
        modes.keySet().retainAll(FLOORS.keySet());
        EvalComparison report = evaluate(vertx, set, modes);
        Map<String, Double> found = report.runs().stream()
                .collect(Collectors.toMap(
                        EvalComparison.EvalRunResult::name, run -> run.quality().ndcg10()));
        double better = Math.max(found.getOrDefault("keyword", 0.0), found.getOrDefault("vector", 0.0));
        double hybrid = found.getOrDefault("hybrid", 0.0);
        assertTrue(hybrid >= better - NOISE, report::table);
        assertTrue(hybrid >= 0.77, report::table);
    }

    private EvalComparison evaluate(Vertx vertx, JudgedSet set, Map<String, Fusion> modes) throws IOException {
        OnnxEmbedder embedder =
                new OnnxEmbedder(vertx, new SimpleMeterRegistry(), OnnxModel.bgeSmall(), 0, TeamShare.ALL);
        try {
            return new EvaluationFolder(vertx, folder).measure(embedder, evaluation -> evaluation.run(set, modes));
        } finally {
            embedder.close().await();
        }
    }
}
