package switchboard.bench;

import switchboard.call.Json;
import switchboard.concurrent.TeamShare;
import switchboard.embed.Embedder;
import switchboard.embed.EmbedderFactory;
import switchboard.embed.Embedders;
import switchboard.embed.ModelFolders;
import switchboard.eval.JudgedSet;
import switchboard.store.Chunk;
import switchboard.store.DocumentDetails;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.Fusion;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.store.SearchRequest;
import switchboard.store.StoreSettings;


import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
















/**
 * The nearest of a judged set's vectors as the store finds them, against brute force, for its queries and every {@code
 * top_k} from 1 to 100. Once as the set is, where all are compared, and once with copies that have a little noise, so
 * many that the graph is asked. Arguments: the set's folder, the work folder of an {@code eval} of it, which has the
 * vectors, and how many queries (all).
 */
final class Recall {
    private static final int MOST = 100;
    private static final int KEY_BYTES = 32;
    private static final int COPIES = 4;
    private static final double NOISE = 0.02;
    private static final Namespace SPACE = Namespace.of("recall");

    private final Embedder embedder;
    private final DocumentStore store;

    private Recall(Embedder embedder, DocumentStore store) {
        this.embedder = embedder;
        this.store = store;
    }

    public static void main(String[] arguments) throws IOException {
        JudgedSet set = JudgedSet.read(Path.of(arguments[0]));
        Vertx vertx = Vertx.vertx();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Embedders embedders = new EmbedderFactory(
                        vertx, meters, Clock.systemUTC(), TeamShare.ALL, new ModelFolders(Path.of(""), List.of()))
                .create(Map.of());
        Embedder embedder = embedders.find(Embedders.DEFAULT).orElseThrow().embedder();
        Path folder = Files.createTempDirectory("switchboard-recall");
        DocumentStore store = LuceneDocumentStore.open(
                        vertx, meters, Clock.systemUTC(), StoreSettings.of(folder.resolve("store"), "recall"))
                .await();
        try {
            Recall recall = new Recall(embedder, store);
            long most = arguments.length > 2 ? Long.parseLong(arguments[2]) : Long.MAX_VALUE;
            List<float[]> queries = set.queries().values().stream()
                    .limit(most)
                    .map(text -> embedder.embedQuery(text).await())
                    .toList();
            List<float[]> vectors = recall.vectors(Path.of(arguments[1]));
            recall.measure(vectors, queries);
            recall.measure(withCopies(vectors), queries);
        } finally {
            store.close().await();
            embedders.close().await();
            vertx.close().await();
        }
    }

    /** What {@code eval} keeps: for each text a hash, then its vector. */
    private List<float[]> vectors(Path work) throws IOException {
        List<float[]> vectors = new ArrayList<>();
        Path file;
        try (Stream<Path> files = Files.list(work.resolve("vectors"))) {
            file = files.filter(one -> one.getFileName().toString().startsWith(embedder.model()))
                    .findFirst()
                    .orElseThrow();
        }
        long count = Files.size(file) / (KEY_BYTES + 4L * embedder.dimension());
        try (DataInputStream in = new DataInputStream(new java.io.BufferedInputStream(Files.newInputStream(file)))) {
            for (long i = 0; i < count; i++) {
                in.skipNBytes(KEY_BYTES);
                float[] vector = new float[embedder.dimension()];
                for (int j = 0; j < vector.length; j++) {
                    vector[j] = in.readFloat();
                }
                vectors.add(vector);
            }
        }
        return vectors;
    }

    private static List<float[]> withCopies(List<float[]> vectors) {
        Random random = new Random(1);
        List<float[]> all = new ArrayList<>();
        for (int copy = 0; copy < COPIES; copy++) {
            for (float[] vector : vectors) {
                all.add(copy == 0 ? vector : noisy(vector, random));
            }
        }
        return all;
    }

    private static float[] noisy(float[] vector, Random random) {
        float[] copy = new float[vector.length];
        double square = 0;
        for (int i = 0; i < copy.length; i++) {
            copy[i] = (float) (vector[i] + NOISE * random.nextGaussian());
            square += (double) copy[i] * copy[i];
        }
        for (int i = 0; i < copy.length; i++) {
            copy[i] /= (float) Math.sqrt(square);
        }
        return copy;
    }

    private void measure(List<float[]> vectors, List<float[]> queries) {
        store.drop(SPACE).await();
        List<Chunk> chunks = vectors.stream().map(Chunk.of(0, 1)::withVector).toList();
        store.put(
                        SPACE,
                        new NewDocument(new DocumentDetails("s", "", "txt", null, "h", Json.object()), "x", embedder.model(), chunks))
                .await();
        long[] hits = new long[MOST + 1];
        for (float[] query : queries) {
            List<Integer> exact = exact(vectors, query);
            for (int k = 1; k <= MOST; k++) {
                Set<Integer> nearest = new HashSet<>(exact.subList(0, k));
                hits[k] += found(query, k).stream().filter(nearest::contains).count();
            }
        }
        double least = IntStream.rangeClosed(1, MOST)
                .mapToDouble(k -> recall(hits, k, queries))
                .min()
                .orElseThrow();
        System.out.printf(
                "%d vectors, %d queries: recall@1 %.4f, @10 %.4f, @100 %.4f, least of 1 to 100 %.4f%n",
                vectors.size(), queries.size(), recall(hits, 1, queries), recall(hits, 10, queries),
                recall(hits, MOST, queries), least);
        if (least < 0.99) {
            throw new AssertionError("recall is below 0.99");
        }
    }

    private static double recall(long[] hits, int k, List<float[]> queries) {
        return (double) hits[k] / ((long) k * queries.size());
    }

    private static List<Integer> exact(List<float[]> vectors, float[] query) {
        double[] cosines = new double[vectors.size()];
        for (int i = 0; i < cosines.length; i++) {
            float[] vector = vectors.get(i);
            for (int j = 0; j < query.length; j++) {
                cosines[i] += (double) vector[j] * query[j];
            }
        }
        return IntStream.range(0, cosines.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -cosines[i]))
                .limit(MOST)
                .toList();
    }

    private List<Integer> found(float[] query, int k) {
        SearchRequest.QueryVector vector = new SearchRequest.QueryVector(embedder.model(), query);
        return store
                .search(new SearchRequest(
                        "", Optional.of(vector), List.of(SPACE), new Filter.All(), k, new Fusion.VectorOnly()))
                .await()
                .hits()
                .stream()
                .map(hit -> hit.chunk().index())
                .toList();
    }
}
