package switchboard.eval;

import io.vertx.core.Future;
import java.io.IOException;
import java.lang.Character.UnicodeScript;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.codec.binary.Hex;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.embed.Reranking;
import switchboard.embed.UnicodeScripts;
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
import switchboard.store.SearchedText;
import switchboard.text.SurrogatePairs;

/**
 * Indexes a judged set in a store and runs its queries with the same calls as agents' searches. Blocks: call it on a
 * thread that may wait, such as a command's.
 */
public final class Evaluation {
    /** Number of texts to embed, or documents to write, between reports of progress. */
    private static final int STEP = 64;

    private static final int DEPTH = 100;

    /** How long the reranking of one query may take. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Follows a long evaluation. */
    public interface EvalListener {
        /** {@code done} of {@code total} steps of the stage {@code what} are done. */
        void at(String what, int done, int total);
    }

    private final DocumentStore store;
    private final Optional<Embedder> embedder;
    private final Path cacheFolder;
    private final EvalListener progress;

    /**
     * An evaluation.
     *
     * @param store receives the set, in a namespace of its own
     * @param embedder computes the vectors; without one, only modes that need none make sense
     * @param cacheFolder keeps vectors for later runs
     * @param progress receives progress
     */
    public Evaluation(DocumentStore store, Optional<Embedder> embedder, Path cacheFolder, EvalListener progress) {
        this.store = store;
        this.embedder = embedder;
        this.cacheFolder = cacheFolder;
        this.progress = progress;
    }

    /** The search modes that are compared where there are no vectors. */
    public static Map<String, Fusion> keywordModes() {
        return Map.of("keyword", new Fusion.KeywordOnly());
    }

    /** The search modes that are compared by default. */
    public static Map<String, Fusion> standardModes() {
        Map<String, Fusion> modes = new LinkedHashMap<>();
        modes.put("keyword", new Fusion.KeywordOnly());
        modes.put("vector", new Fusion.VectorOnly());
        modes.put("hybrid", Fusion.standard());
        modes.put("hybrid rrf", new Fusion.ReciprocalRank(60));
        modes.put("no bigrams", new Fusion.WeightedSum(0.7, 0, 0.4, 0.3, 0.2, 0.1));
        modes.put("no proximity", new Fusion.WeightedSum(0.7, 0.06, 0, 0.3, 0.2, 0.1));
        modes.put("no feedback", new Fusion.WeightedSum(0.7, 0.06, 0.4, 0, 0.2, 0.1));
        modes.put("no neighbours", new Fusion.WeightedSum(0.7, 0.06, 0.4, 0.3, 0, 0.1));
        modes.put("no document", new Fusion.WeightedSum(0.7, 0.06, 0.4, 0.3, 0.2, 0));
        return modes;
    }

    /** Indexes {@code set} and searches it in each of {@code modes}. */
    public EvalComparison run(JudgedSet set, Map<String, Fusion> modes) throws IOException {
        Map<String, Chunk.ChunkVector> vectors = Map.of();
        if (embedder.isPresent()) {
            try (VectorCache cache = VectorCache.open(cacheFolder, embedder.get())) {
                vectors = embed(
                        embedder.get(),
                        cache,
                        "documents",
                        List.copyOf(set.texts().values()));
            }
        }
        index(set, vectors);
        Map<String, float[]> queryVectors = embedQueries(set);
        List<EvalComparison.EvalRunResult> runs = new ArrayList<>();
        modes.forEach((name, fusion) -> runs.add(measure(set, queryVectors, name, fusion)));
        Map<String, MeanCosines> cosines = new LinkedHashMap<>();
        for (Embedder model : embedder.stream().toList()) {
            cosines.put(model.model(), MeanCosines.of(set, vectors, queryVectors, everyday(model, set)));
        }
        return new EvalComparison(set.name(), set.texts().size(), runs, cosines);
    }

    /** The vectors of everyday questions, in the script of the set's queries if there are some; none if the model reads none. */
    private static List<float[]> everyday(Embedder model, JudgedSet set) {
        Optional<UnicodeScript> script =
                UnicodeScripts.dominant(String.join(" ", set.queries().values()));
        return MeanCosines.EVERYDAY.stream()
                .sorted(Comparator.comparing(questions ->
                        !UnicodeScripts.dominant(String.join(" ", questions)).equals(script)))
                .map(questions -> questions.stream()
                        .flatMap(question -> model.embedReadableQuery(question).await().stream())
                        .toList())
                .filter(vectors -> !vectors.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** One for each set and model, so that the folder of an earlier run serves another model, too. */
    private Namespace namespace(JudgedSet set) {
        String name = "eval " + set.name()
                + embedder.map(model -> " " + model.model()).orElse("");
        return Namespace.of(SurrogatePairs.start(name, Namespace.MAX_NAME));
    }

    /**
     * Finds the weights that rank the queries of {@code train} best: first the cosine's weight, then that of
     * neighbouring terms, of the best window, and of feedback; of equal results the middle one. {@link #run} must have indexed the
     * set before; only the queries differ.
     */
    public Fusion.WeightedSum tune(JudgedSet train) throws IOException {
        Tuning tuning = new Tuning(train, embedQueries(train));
        Fusion.WeightedSum best = tuning.best(
                "cosine", List.of(0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9), share -> fitted(share, 0, 0, 0));
        double weight = best.weight();
        best = tuning.best("bigrams", List.of(0.0, 0.03, 0.06, 0.1), share -> fitted(weight, share, 0, 0));
        double bigrams = best.bigrams();
        best = tuning.best("proximity", List.of(0.0, 0.2, 0.4, 0.6), share -> fitted(weight, bigrams, share, 0));
        double proximity = best.proximity();
        return tuning.best("feedback", List.of(0.0, 0.1, 0.2, 0.3), share -> fitted(weight, bigrams, proximity, share));
    }

    /** The steps for source code are not fitted; they stay as in the standard search, so that the two can be compared. */
    private static Fusion.WeightedSum fitted(double weight, double bigrams, double proximity, double feedback) {
        Fusion.WeightedSum standard = Fusion.standard();
        return new Fusion.WeightedSum(weight, bigrams, proximity, feedback, standard.neighbours(), standard.document());
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
                double ndcg = measure(train, vectors, "", tried).quality().ndcg10();
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

    /**
     * The standard search with a reranker for its best candidates, without a time limit. {@link #run} must have indexed
     * the set before.
     */
    public EvalComparison.EvalRunResult reranked(JudgedSet set, Reranking second) {
        Fusion fusion = embedder.isPresent() ? Fusion.standard() : new Fusion.KeywordOnly();
        Reordering reordering = (query, ranking) -> {
            List<String> read = ranking.subList(0, Math.min(ranking.size(), second.candidates()));
            List<Double> scores = second.reranker()
                    .scores(
                            query,
                            read.stream()
                                    .map(id -> set.texts().getOrDefault(id, ""))
                                    .toList(),
                            Lifetime.within(PATIENCE))
                    .await();
            Stream<String> anew = Reranking.order(scores).stream().map(read::get);
            return Stream.concat(anew, ranking.stream().skip(read.size())).toList();
        };
        return measure(set, embedQueries(set), "reranked", fusion, reordering);
    }

    /** Changes the ranking of a query. */
    private interface Reordering {
        List<String> of(String query, List<String> ranking);
    }

    /** The vectors of texts; none of those in a script that the model does not know. */
    private Map<String, Chunk.ChunkVector> embed(Embedder model, VectorCache cache, String what, List<String> texts)
            throws IOException {
        Map<String, List<String>> parts = new LinkedHashMap<>();
        texts.stream()
                .filter(text -> model.traits().languages().scripts().cover(text))
                .forEach(text -> parts.put(text, new SearchedText("", text).embedded(model)));
        List<String> all =
                parts.values().stream().flatMap(List::stream).distinct().toList();
        List<String> missing =
                all.stream().filter(part -> cache.find(part).isEmpty()).toList();
        for (int from = 0; from < missing.size(); from += STEP) {
            List<String> some = missing.subList(from, Math.min(missing.size(), from + STEP));
            List<float[]> made = model.embedDocuments(some, EmbedListener.NONE).await();
            for (int i = 0; i < some.size(); i++) {
                cache.add(some.get(i), made.get(i));
            }
            cache.flush();
            progress.at("embedding " + what, all.size() - missing.size() + from + some.size(), all.size());
        }
        Map<String, Chunk.ChunkVector> vectors = new HashMap<>();
        parts.forEach((text, embedded) -> vectors.put(
                text,
                Chunk.ChunkVector.of(
                        model.model(),
                        embedded.stream()
                                .map(part -> cache.find(part).orElseThrow())
                                .toList())));
        return vectors;
    }

    private Map<String, float[]> embedQueries(JudgedSet set) {
        Map<String, float[]> vectors = new HashMap<>();
        embedder.ifPresent(model -> set.queries()
                .forEach((id, text) ->
                        model.embedReadableQuery(text).await().ifPresent(vector -> vectors.put(id, vector))));
        return vectors;
    }

    private void index(JudgedSet set, Map<String, Chunk.ChunkVector> vectors) {
        Namespace namespace = namespace(set);
        Map<String, List<String>> documents = set.documents();
        String hash = contentHash(set, vectors);
        if (isIndexed(namespace, documents, hash)) {
            return;
        }
        store.drop(namespace).await();
        List<Future<PutResult>> part = new ArrayList<>();
        int done = 0;
        for (Map.Entry<String, List<String>> entry : documents.entrySet()) {
            part.add(store.put(namespace, document(set, entry.getKey(), entry.getValue(), vectors, hash)));
            done++;
            if (part.size() == STEP || done == documents.size()) {
                Future.all(part).await();
                part.clear();
                progress.at("indexing", done, documents.size());
            }
        }
    }

    /** Whether an earlier run has indexed all of these texts, with vectors of this model. */
    private boolean isIndexed(Namespace namespace, Map<String, List<String>> documents, String hash) {
        boolean complete = store.stats(List.of(namespace)).await().stream()
                .anyMatch(stats -> stats.documents() == documents.size());
        return complete
                && documents.keySet().stream().limit(1).allMatch(id -> store.find(namespace, id).await().stream()
                        .anyMatch(document -> document.contentHash().equals(hash)));
    }

    /** The hash of all texts and of what their vectors depend on. Each document has it, so that one shows which texts are there. */
    private String contentHash(JudgedSet set, Map<String, Chunk.ChunkVector> vectors) {
        MessageDigest digest = DigestUtils.getSha256Digest();
        embedder.ifPresent(model -> DigestUtils.updateDigest(digest, VectorCache.name(model)));
        set.texts().forEach((id, text) -> {
            DigestUtils.updateDigest(digest, id.length() + " " + id);
            DigestUtils.updateDigest(digest, text.length() + " " + text);
            DigestUtils.updateDigest(digest, set.titles().getOrDefault(id, ""));
            DigestUtils.updateDigest(digest, vectors.containsKey(text) ? "+" : "-"); // by the model's languages
        });
        return Hex.encodeHexString(digest.digest());
    }

    /** The document with the texts {@code parts}. */
    private NewDocument document(
            JudgedSet set, String id, List<String> parts, Map<String, Chunk.ChunkVector> vectors, String hash) {
        StringBuilder whole = new StringBuilder();
        List<Chunk> chunks = new ArrayList<>();
        for (String part : parts) {
            String text = set.texts().getOrDefault(part, "");
            Chunk chunk = Chunk.of(whole.length(), whole.length() + text.length())
                    .below(set.titles().getOrDefault(part, ""), "");
            Chunk.ChunkVector vector = vectors.get(text);
            chunks.add(vector == null ? chunk : chunk.withVector(vector));
            whole.append(text).append('\n');
        }
        return new NewDocument(
                new DocumentDetails(id, "", "txt", null, hash, Json.object()),
                whole.toString(),
                embedder.map(Embedder::model).orElse(null),
                chunks);
    }

    private EvalComparison.EvalRunResult measure(
            JudgedSet set, Map<String, float[]> vectors, String mode, Fusion fusion) {
        return measure(set, vectors, mode, fusion, (_, ranking) -> ranking);
    }

    private EvalComparison.EvalRunResult measure(
            JudgedSet set, Map<String, float[]> vectors, String mode, Fusion fusion, Reordering reordering) {
        Namespace namespace = namespace(set);
        Map<String, List<String>> documents = set.documents();
        Map<String, Quality> byQuery = new LinkedHashMap<>();
        List<Double> millis = new ArrayList<>();
        set.queries().forEach((id, text) -> {
            float[] vector = vectors.get(id);
            SearchRequest request = new SearchRequest(
                    text,
                    embedder.flatMap(model -> Optional.ofNullable(vector)
                            .map(values -> QueryVector.of(model, values, Set.of(model.model())))),
                    List.of(namespace),
                    new Filter.All(),
                    DEPTH,
                    fusion);
            long start = System.nanoTime();
            List<String> found = store.search(request).await().hits().stream()
                    .map(hit -> documents
                            .getOrDefault(hit.chunk().document().source(), List.of())
                            .get(hit.chunk().index()))
                    .toList();
            List<String> ranking = reordering.of(text, found);
            millis.add((System.nanoTime() - start) / 1e6);
            byQuery.put(id, Quality.of(ranking, set.grades().getOrDefault(id, Map.of())));
        });
        return new EvalComparison.EvalRunResult(mode, byQuery, millis, 0);
    }
}
