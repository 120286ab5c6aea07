package switchboard.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.embed.Embedder;
import switchboard.embed.ModelLanguages;
import switchboard.store.Fusion;
import switchboard.testing.CalculatedEmbedder;

@ExtendWith(VertxExtension.class)
class EvaluationTest {
    @TempDir
    Path folder;

    @Test
    void qualityIsTheOneComputedByHand() {
        Quality quality = Quality.of(List.of("x", "a", "y", "b"), Map.of("a", 1, "b", 2, "c", 1));
        double log3 = Math.log(2) / Math.log(3);
        double gained = log3 + 2 * Math.log(2) / Math.log(5);
        double ideal = 2 + log3 + 0.5;
        assertEquals(gained / ideal, quality.ndcg10(), 1e-9);
        assertEquals(2 / 3.0, quality.recall10(), 1e-9);
        assertEquals(2 / 3.0, quality.recall100(), 1e-9);
        assertEquals(0.5, quality.mrr10(), 1e-9);
    }

    @Test
    void perfectAndEmptyRankings() {
        assertEquals(new Quality(1, 1, 1, 1), Quality.of(List.of("a"), Map.of("a", 1)));
        assertEquals(new Quality(0, 0, 0, 0), Quality.of(List.of(), Map.of("a", 1)));
        assertEquals(new Quality(0, 0, 0, 0), Quality.mean(List.of()));
    }

    @Test
    void theEleventhPlaceCountsForTheHundredOnly() {
        List<String> ranking =
                IntStream.range(0, 20).mapToObj(Integer::toString).toList();
        assertEquals(new Quality(0, 0, 1, 0), Quality.of(ranking, Map.of("10", 1)));
    }

    @Test
    void aSetIsReadAsBeirWritesIt() throws IOException {
        Files.writeString(folder.resolve("corpus.jsonl"), """
                {"_id":"d1","title":"Title","text":"body","metadata":{}}
                {"_id":"d2","title":"","text":"only"}
                """);
        Files.writeString(folder.resolve("queries.jsonl"), """
                {"_id":"q1","text":"first"}
                {"_id":"q2","text":"not judged"}
                """);
        Files.createDirectory(folder.resolve("qrels"));
        Files.writeString(
                folder.resolve("qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td1\t0\n");
        JudgedSet set = JudgedSet.read(folder);
        assertEquals(Map.of("d1", "Title\nbody", "d2", "only"), set.texts());
        assertEquals(Map.of("q1", "first"), set.queries());
        assertEquals(Map.of("q1", Map.of("d1", 2)), set.grades());

        assertEquals(Map.of("d1", ""), JudgedSet.readWithoutTexts(folder, 1).texts());
        assertEquals(
                Map.of("d1", "", "d2", ""),
                JudgedSet.readWithoutTexts(folder, 2).texts());

        assertFalse(JudgedSet.hasTrain(folder));
        Files.writeString(folder.resolve("qrels/train.tsv"), "query-id\tcorpus-id\tscore\nq2\td2\t1\n");
        assertTrue(JudgedSet.hasTrain(folder));
        assertEquals(Map.of("q2", "not judged"), JudgedSet.readTrain(folder).queries());
        assertEquals(Map.of("q2", Map.of("d2", 1)), JudgedSet.readTrain(folder).grades());
    }

    @Test
    void theQueriesOfATrainSplitMayHaveAFileOfTheirOwn() throws IOException {
        Files.writeString(folder.resolve("corpus.jsonl"), "{\"_id\":\"d1\",\"text\":\"body\"}\n");
        Files.writeString(folder.resolve("queries.jsonl"), "{\"_id\":\"q1\",\"text\":\"of the test\"}\n");
        Files.writeString(folder.resolve("queries.train.jsonl"), "{\"_id\":\"q1\",\"text\":\"of the train\"}\n");
        Files.writeString(folder.resolve("qrels.tsv"), "heading\nq1\td1\t1\n");
        Files.writeString(folder.resolve("qrels.train.tsv"), "heading\nq1\td1\t2\n");
        assertEquals(Map.of("q1", "of the test"), JudgedSet.read(folder).queries());
        assertEquals(Map.of("q1", "of the train"), JudgedSet.readTrain(folder).queries());
        assertEquals(Map.of("q1", Map.of("d1", 2)), JudgedSet.readTrain(folder).grades());
    }

    @Test
    void chunksOfOneDocumentAreKnownByTheirIds() {
        Map<String, String> texts = new java.util.LinkedHashMap<>();
        for (String id : List.of("a_chunk_0", "a_chunk_1", "b", "c_chunk_1", "a_chunk_2", "d_chunk_0")) {
            texts.put(id, "text of " + id);
        }
        assertEquals(
                Map.of(
                        "a", List.of("a_chunk_0", "a_chunk_1", "a_chunk_2"),
                        "b", List.of("b"),
                        "c_chunk_1", List.of("c_chunk_1"),
                        "d", List.of("d_chunk_0")),
                new JudgedSet("set", texts, Map.of(), Map.of()).documents());
    }

    private EvalComparison evaluate(Vertx vertx, Embedder model, JudgedSet set) throws IOException {
        return new EvaluationFolder(vertx, folder)
                .measure(model, evaluation -> evaluation.run(set, Evaluation.keywordModes()));
    }

    private static JudgedSet twoAnimals(String first, String second) {
        return new JudgedSet(
                "animals", Map.of("a", first, "b", second), Map.of("q", "penguin"), Map.of("q", Map.of("a", 1)));
    }

    @Test
    void otherTextsInTheSameWorkFolderAreIndexedAgain(Vertx vertx) throws IOException {
        Embedder model = CalculatedEmbedder.constant(1, 0);
        JudgedSet right = twoAnimals("the penguin swims", "the eagle flies");
        assertEquals(
                1, evaluate(vertx, model, right).runs().getFirst().quality().recall10());
        JudgedSet wrong = twoAnimals("the eagle flies", "the penguin swims");
        assertEquals(
                0, evaluate(vertx, model, wrong).runs().getFirst().quality().recall10());
        assertEquals(
                1, evaluate(vertx, model, right).runs().getFirst().quality().recall10());
    }

    @Test
    void textsGetVectorsAfterTheModelWasSaidToReadTheirLanguage(Vertx vertx) throws IOException {
        JudgedSet set = twoAnimals("the penguin swims", "the eagle flies");
        CalculatedEmbedder model = CalculatedEmbedder.constant(1, 0);
        Map<String, Fusion> byVector = Map.of("vector", new Fusion.VectorOnly());
        EvalComparison before = new EvaluationFolder(vertx, folder)
                .measure(model.reading(ModelLanguages.CHINESE), evaluation -> evaluation.run(set, byVector));
        assertEquals(0, before.runs().getFirst().quality().recall10());
        EvalComparison after =
                new EvaluationFolder(vertx, folder).measure(model, evaluation -> evaluation.run(set, byVector));
        assertEquals(1, after.runs().getFirst().quality().recall10());
    }

    @Test
    void fittedWeightsKeepTheStepsForSourceCodeOfTheStandardSearch(Vertx vertx) throws IOException {
        JudgedSet set = twoAnimals("the penguin swims", "the eagle flies");
        Fusion.WeightedSum fitted = new EvaluationFolder(vertx, folder)
                .measure(CalculatedEmbedder.constant(1, 0), evaluation -> {
                    evaluation.run(set, Evaluation.keywordModes());
                    return evaluation.tune(set);
                });
        assertEquals(Fusion.standard().neighbours(), fitted.neighbours());
        assertEquals(Fusion.standard().document(), fitted.document());
    }

    @Test
    void vectorsAreCachedForTheLengthOfTextsThatTheyWereMadeWith(Vertx vertx) throws IOException {
        JudgedSet set = twoAnimals("the penguin swims", "the eagle flies");
        CalculatedEmbedder model = new CalculatedEmbedder("m", 2, 512, text -> axis(text.contains("penguin")));
        assertEquals(1, byVector(vertx, model, set));
        assertTrue(model.texts().containsAll(set.texts().values()));
        CalculatedEmbedder same = new CalculatedEmbedder("m", 2, 512, text -> axis(text.contains("penguin")));
        assertEquals(1, byVector(vertx, same, set));
        assertTrue(Collections.disjoint(same.texts(), set.texts().values()));
        // To this one the other text is nearer to the query.
        CalculatedEmbedder shorter = new CalculatedEmbedder("m", 2, 16, text -> axis(!text.startsWith("the penguin")));
        assertEquals(0.5, byVector(vertx, shorter, set));
        assertTrue(shorter.texts().containsAll(set.texts().values()));
    }

    private double byVector(Vertx vertx, Embedder model, JudgedSet set) throws IOException {
        Map<String, Fusion> modes = Map.of("vector", new Fusion.VectorOnly());
        return new EvaluationFolder(vertx, folder)
                .measure(model, evaluation -> evaluation.run(set, modes))
                .runs()
                .getFirst()
                .quality()
                .mrr10();
    }

    private static float[] axis(boolean first) {
        return first ? new float[] {1, 0} : new float[] {0, 1};
    }

    @Test
    void everydayQuestionsAreInTheScriptOfTheQueriesIfTheModelReadsIt(Vertx vertx) throws IOException {
        JudgedSet chinese =
                new JudgedSet("chinese", Map.of("a", "企鹅会游泳"), Map.of("q", "企鹅会什么"), Map.of("q", Map.of("a", 1)));
        for (ModelLanguages languages : List.of(ModelLanguages.CHINESE, ModelLanguages.ALL)) {
            CalculatedEmbedder model = CalculatedEmbedder.constant(1, 0).reading(languages);
            EvalComparison comparison = evaluate(vertx, model, chinese);
            assertEquals(1, comparison.cosines().get("fixed").unrelated().orElseThrow(), 1e-6);
            assertTrue(model.texts().containsAll(MeanCosines.EVERYDAY.getLast()));
            assertTrue(Collections.disjoint(model.texts(), MeanCosines.EVERYDAY.getFirst()));
        }
    }

    @Test
    void cachedVectorsSurviveAHalfWrittenRecord() throws IOException {
        Embedder model = new CalculatedEmbedder("m/1", 2, _ -> new float[] {1, 0});
        try (VectorCache cache = VectorCache.open(folder, model)) {
            cache.add("a", new float[] {1, 0});
            cache.add("b", new float[] {0, 1});
        }
        Path file;
        try (var files = Files.list(folder)) {
            file = files.findFirst().orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 3));
        try (VectorCache cache = VectorCache.open(folder, model)) {
            assertEquals(1f, cache.find("a").orElseThrow()[0]);
            assertTrue(cache.find("b").isEmpty());
            cache.add("b", new float[] {0, 1});
        }
        try (VectorCache cache = VectorCache.open(folder, model)) {
            assertEquals(1f, cache.find("b").orElseThrow()[1]);
        }
    }
}
