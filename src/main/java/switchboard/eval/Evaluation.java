package switchboard.eval;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import switchboard.call.Json;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.store.Chunk;
import switchboard.store.DocumentDetails;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.Fusion;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.store.PutResult;
import switchboard.store.SearchRequest;
import switchboard.store.SearchRequest.QueryVector;

/**
 * Indexes a judged set in a store and runs its queries with the same calls as agents' searches. Blocks: call it on a
 * thread that may wait, such as a command's.
 */
public final class Evaluation {
    /** Number of texts to embed, or documents to write, between reports of progress. */
    private static final int STEP = 64;

    private static final int DEPTH = 100;

    /** Follows a long evaluation. */
    public interface EvalListener {
        /** {@code done} of {@code total} steps of the stage {@code what} are done. */
        void at(String what, int done, int total);
    }

    private final DocumentStore store;
    private final Embedder embedder;
    private final Path cacheFolder;
    private final EvalListener progress;

    /**
     * An evaluation.
     *
     * @param store receives the set, in a namespace of its own
     * @param embedder computes the vectors
     * @param cacheFolder keeps vectors for later runs
     * @param progress receives progress
     */
    public Evaluation(DocumentStore store, Embedder embedder, Path cacheFolder, EvalListener progress) {
        this.store = store;
        this.embedder = embedder;
        this.cacheFolder = cacheFolder;
        this.progress = progress;
    }

    /** The search modes that are compared by default. */
    public static Map<String, Fusion> standardModes() {
        Map<String, Fusion> modes = new LinkedHashMap<>();
        modes.put("keyword", new Fusion.KeywordOnly());
        modes.put("vector", new Fusion.VectorOnly());
        modes.put("hybrid", Fusion.standard());
        modes.put("hybrid rrf", new Fusion.ReciprocalRank(60));
        modes.put("no bigrams", new Fusion.WeightedSum(0.7));
        modes.put("feedback", new Fusion.WeightedSum(0.7, 0.06, 0.3));
        modes.put("neighbours", new Fusion.WeightedSum(0.7, 0.06, 0, 0.2));
        return modes;
    }

    /** Indexes {@code set} and searches it in each of {@code modes}. */
    public EvalReport run(JudgedSet set, Map<String, Fusion> modes) throws IOException {
        Namespace namespace = Namespace.of("eval " + set.name());
        Map<String, float[]> queryVectors;
        try (VectorCache cache = VectorCache.open(cacheFolder, embedder.model(), embedder.dimension())) {
            index(
                    set,
                    namespace,
                    embed(cache, "documents", List.copyOf(set.texts().values())));
            queryVectors = embedQueries(set);
        }
        List<EvalReport.ReportLine> lines = new ArrayList<>();
        for (Map.Entry<String, Fusion> mode : modes.entrySet()) {
            lines.add(measure(set, namespace, queryVectors, mode.getKey(), mode.getValue()));
        }
        return new EvalReport(set.name(), set.texts().size(), set.queries().size(), lines);
    }

    /**
     * Finds the weights that rank the queries of {@code train} best: first the cosine's weight, then that of
     * neighbouring terms, then that of feedback; of equal results the middle one. {@link #run} must have indexed the
     * set before; only the queries differ.
     */
    public Fusion.WeightedSum tune(JudgedSet train) throws IOException {
        Tuning tuning = new Tuning(train, embedQueries(train));
        Fusion.WeightedSum best =
                tuning.best("cosine", List.of(0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9), Fusion.WeightedSum::new);
        double weight = best.weight();
        best = tuning.best("bigrams", List.of(0.0, 0.03, 0.06, 0.1), share -> new Fusion.WeightedSum(weight, share, 0));
        double bigrams = best.bigrams();
        return tuning.best(
                "feedback", List.of(0.0, 0.1, 0.2, 0.3), share -> new Fusion.WeightedSum(weight, bigrams, share));
    }

    /** Tries values of one weight after the other on the same queries. */
    private final class Tuning {
        private final JudgedSet train;
        private final Map<String, float[]> vectors;

        Tuning(JudgedSet train, Map<String, float[]> vectors) {
            this.train = train;
            this.vectors = vectors;
        }

        Fusion.WeightedSum best(String what, List<Double> values, Function<Double, Fusion.WeightedSum> fusion) {
            double best = -1;
            List<Fusion.WeightedSum> equals = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                Fusion.WeightedSum tried = fusion.apply(values.get(i));
                double ndcg = measure(train, Namespace.of("eval " + train.name()), vectors, "", tried)
                        .quality()
                        .ndcg10();
                progress.at("tuning " + what, i + 1, values.size());
                if (ndcg > best + 1e-9) {
                    equals.clear();
                }
                if (ndcg >= best - 1e-9) {
                    equals.add(tried);
                    best = Math.max(best, ndcg);
                }
            }
            return equals.get(equals.size() / 2);
        }
    }

    private Map<String, float[]> embed(VectorCache cache, String what, List<String> texts) throws IOException {
        Map<String, float[]> vectors = new HashMap<>();
        List<String> missing = new ArrayList<>();
        for (String text : texts) {
            if (!embedder.languages().scripts().include(text)) {
                continue;
            }
            Optional<float[]> known = cache.find(text);
            known.ifPresent(vector -> vectors.put(text, vector));
            if (known.isEmpty()) {
                missing.add(text);
            }
        }
        for (int from = 0; from < missing.size(); from += STEP) {
            List<String> part = missing.subList(from, Math.min(missing.size(), from + STEP));
            List<float[]> made =
                    embedder.embedDocuments(part, EmbedListener.NONE).await();
            for (int i = 0; i < part.size(); i++) {
                cache.add(part.get(i), made.get(i));
                vectors.put(part.get(i), made.get(i));
            }
            cache.flush();
            progress.at("embedding " + what, texts.size() - missing.size() + from + part.size(), texts.size());
        }
        return vectors;
    }

    private Map<String, float[]> embedQueries(JudgedSet set) {
        Map<String, float[]> vectors = new HashMap<>();
        set.queries()
                .forEach((id, text) ->
                        embedder.embedReadableQuery(text).await().ifPresent(vector -> vectors.put(id, vector)));
        return vectors;
    }

    private void index(JudgedSet set, Namespace namespace, Map<String, float[]> vectors) {
        Map<String, List<String>> documents = set.documents();
        if (store.stats(List.of(namespace)).await().stream().anyMatch(stats -> stats.documents() == documents.size())) {
            return;
        }
        store.drop(namespace).await();
        List<Future<PutResult>> part = new ArrayList<>();
        int done = 0;
        for (Map.Entry<String, List<String>> entry : documents.entrySet()) {
            List<String> texts = entry.getValue().stream().map(set.texts()::get).toList();
            part.add(store.put(namespace, document(entry.getKey(), texts, vectors)));
            done++;
            if (part.size() == STEP || done == documents.size()) {
                Future.all(part).await();
                part.clear();
                progress.at("indexing", done, documents.size());
            }
        }
    }

    private NewDocument document(String id, List<String> texts, Map<String, float[]> vectors) {
        StringBuilder whole = new StringBuilder();
        List<Chunk> chunks = new ArrayList<>();
        for (String text : texts) {
            Chunk chunk = Chunk.of(whole.length(), whole.length() + text.length());
            float[] vector = vectors.get(text);
            chunks.add(vector == null ? chunk : chunk.withVector(vector));
            whole.append(text).append('\n');
        }
        return new NewDocument(
                new DocumentDetails(id, id, "txt", null, "", Json.object()),
                whole.toString(),
                embedder.model(),
                chunks);
    }

    private EvalReport.ReportLine measure(
            JudgedSet set, Namespace namespace, Map<String, float[]> vectors, String mode, Fusion fusion) {
        Map<String, List<String>> documents = set.documents();
        List<Quality> qualities = new ArrayList<>();
        List<Long> nanos = new ArrayList<>();
        set.queries().forEach((id, text) -> {
            float[] vector = vectors.get(id);
            SearchRequest request = new SearchRequest(
                    text,
                    Optional.ofNullable(vector)
                            .map(values -> new QueryVector(embedder.model(), values, embedder.languages())),
                    List.of(namespace),
                    new Filter.All(),
                    DEPTH,
                    fusion);
            long start = System.nanoTime();
            List<String> ranking = store.search(request).await().hits().stream()
                    .map(hit -> documents
                            .getOrDefault(hit.chunk().document().source(), List.of())
                            .get(hit.chunk().index()))
                    .toList();
            nanos.add(System.nanoTime() - start);
            qualities.add(Quality.of(ranking, set.grades().getOrDefault(id, Map.of())));
        });
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return new EvalReport.ReportLine(mode, Quality.mean(qualities), percentile(sorted, 50), percentile(sorted, 99));
    }

    private static double percentile(long[] sorted, int percent) {
        if (sorted.length == 0) {
            return 0;
        }
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)] / 1e6;
    }
}
