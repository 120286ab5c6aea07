package switchboard.bench;

import switchboard.concurrent.TeamShare;
import switchboard.embed.Embedder;
import switchboard.embed.EmbedderFactory;
import switchboard.embed.Embedders;
import switchboard.embed.ModelFolders;
import switchboard.eval.JudgedSet;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.Fusion;
import switchboard.store.RawLucene;
import switchboard.store.SearchRequest;


import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.bench.Goal.Sense;











/**
 * Hybrid search of a judged set in the embedded store beside Lucene alone over the same files: first the store itself,
 * with vectors made before; then the packaged gateway over HTTP, with queries it has never seen and with known ones.
 */
@Command(name = "Retrieval", mixinStandardHelpOptions = true)
final class Retrieval implements Callable<Integer> {
    private static final int TOP = 10;
    private static final int WARMING = 8;
    private static final double SAME = 0.99;

    @Parameters(index = "0", description = "The folder of the judged set: DIR/scifact.")
    private Path folder = Path.of("");

    @Option(names = "--work", description = "The work folder of an eval of the set, which has its vectors.")
    private Path work = Path.of(System.getProperty("switchboard.home"), "target", "bench", "vectors");

    @Option(names = "--rounds", description = "Rounds of A B A B.")
    private int rounds = 5;

    @Option(names = "--searches", description = "Of each in a round.")
    private int searches = 300;

    @Option(names = "--warm", description = "Searches of each before those that count.")
    private int warm = 6_000;

    private final Map<String, Samples> perSecond = new LinkedHashMap<>();
    private final Map<String, Samples> p50 = new LinkedHashMap<>();
    private final Map<String, Samples> p99 = new LinkedHashMap<>();
    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    static void main(String[] arguments) {
        System.exit(new CommandLine(new Retrieval()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        JudgedSet set = JudgedSet.read(folder);
        Path data = Tools.folder("retrieval-" + set.name());
        Path files = data.resolve("data/vectordb");
        Embedders embedders = new EmbedderFactory(
                        vertx, meters, Clock.systemUTC(), TeamShare.ALL, new ModelFolders(Path.of(""), List.of()))
                .create(Map.of());
        Embedder embedder = embedders.find(Embedders.DEFAULT).orElseThrow().embedder();
        try {
            JudgedStore.fill(vertx, meters, files, set, embedder, work);
            List<String> queries = List.copyOf(set.queries().values());
            List<float[]> vectors = new ArrayList<>();
            queries.forEach(query -> vectors.add(embedder.embedQuery(query).await()));
            try (RawLucene raw = RawLucene.open(files, embedder.model(), embedder.dimension())) {
                engine(files, raw, embedder.model(), queries, vectors);
                endToEnd(data, raw, embedder, queries, vectors);
            }
        } finally {
            embedders.close().await();
            vertx.close().await();
        }
        print();
        return 0;
    }

    private void engine(Path files, RawLucene raw, String model, List<String> queries, List<float[]> vectors) {
        DocumentStore store = JudgedStore.open(vertx, new SimpleMeterRegistry(), files);
        int cores = Runtime.getRuntime().availableProcessors();
        ClosedLoop.Call ours = number -> found(store, RawLucene.FUSION, model, queries, vectors, number);
        ClosedLoop.Call standard = number -> found(store, Fusion.standard(), model, queries, vectors, number);
        ClosedLoop.Call lucene = number -> found(raw, queries, vectors, number);
        verify(store, raw, model, queries, vectors);
        ClosedLoop.calls(cores, warm, ours);
        ClosedLoop.calls(cores, warm, standard);
        ClosedLoop.calls(cores, warm, lucene);
        ClosedLoop.Call alone = number -> queries(raw, queries, vectors, number);
        ClosedLoop.calls(cores, warm, alone);
        for (int round = 0; round < rounds; round++) {
            for (int callers : new int[] {1, cores}) {
                add("store, " + callers + " callers", ClosedLoop.calls(callers, searches, ours));
                add("store, as shipped, " + callers + " callers", ClosedLoop.calls(callers, searches, standard));
                add("Lucene, " + callers + " callers", ClosedLoop.calls(callers, searches, lucene));
                add("Lucene's two queries alone, " + callers + " callers", ClosedLoop.calls(callers, searches, alone));
            }
        }
        store.close().await();
    }

    private static List<String> found(
            DocumentStore store,
            Fusion fusion,
            String model,
            List<String> queries,
            List<float[]> vectors,
            int number) {
        int at = number % queries.size();
        SearchRequest request = new SearchRequest(
                queries.get(at),
                Optional.of(new SearchRequest.QueryVector(model, vectors.get(at))),
                List.of(JudgedStore.SPACE),
                new Filter.All(),
                TOP,
                fusion);
        return store.search(request).await().hits().stream()
                .map(hit -> hit.chunk().document().source())
                .toList();
    }

    private static List<String> found(RawLucene raw, List<String> queries, List<float[]> vectors, int number) {
        int at = number % queries.size();
        return found(raw, queries.get(at), vectors.get(at));
    }

    private static List<String> found(RawLucene raw, String query, float[] vector) {
        try {
            return raw.search(query, vector, TOP);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void queries(RawLucene raw, List<String> queries, List<float[]> vectors, int number) {
        int at = number % queries.size();
        try {
            raw.queries(queries.get(at), vectors.get(at), TOP);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Both find the same but for equals, so that the same is compared. */
    private static void verify(
            DocumentStore store, RawLucene raw, String model, List<String> queries, List<float[]> vectors) {
        long shared = 0;
        long all = 0;
        for (int i = 0; i < queries.size(); i++) {
            List<String> one = found(store, RawLucene.FUSION, model, queries, vectors, i);
            shared += found(raw, queries, vectors, i).stream().filter(one::contains).count();
            all += one.size();
        }
        if (shared < SAME * all) {
            throw new AssertionError("only " + shared + " of " + all + " hits are Lucene's, too");
        }
    }

    private void endToEnd(
            Path data, RawLucene raw, Embedder embedder, List<String> queries, List<float[]> vectors)
            throws Exception {
        try (Shipped shipped = Shipped.start(data);
                ClosedLoop loop = new ClosedLoop()) {
            loop.run(WARMING, warm, number -> shipped.search(queries.get(number % queries.size())));
            for (int round = -1; round < rounds; round++) {
                int from = (round + 1) * searches;
                ClosedLoop.Result unseen = loop.run(
                        1, searches, number -> shipped.search(unseen(queries, from + number)));
                ClosedLoop.Result made = ClosedLoop.calls(1, searches, number -> {
                    String query = unseen(queries, from + number);
                    found(raw, query, embedder.embedQuery(query).await());
                });
                ClosedLoop.Result known =
                        loop.run(1, searches, number -> shipped.search(queries.get(number % queries.size())));
                ClosedLoop.Result found =
                        ClosedLoop.calls(1, searches, number -> found(raw, queries, vectors, number));
                if (round >= 0) {
                    add("gateway, unseen queries", unseen);
                    add("embedding and Lucene", made);
                    add("gateway, known queries", known);
                    add("Lucene", found);
                }
            }
        }
    }

    /** A query that nobody asked before; the number is in no document, so that the words find the same. */
    private static String unseen(List<String> queries, int number) {
        return queries.get(number % queries.size()) + " " + (1_000_000 + number);
    }

    private void add(String what, ClosedLoop.Result result) {
        perSecond.computeIfAbsent(what, _ -> new Samples()).add(result.perSecond());
        p50.computeIfAbsent(what, _ -> new Samples()).add(result.millis(0.5));
        p99.computeIfAbsent(what, _ -> new Samples()).add(result.millis(0.99));
    }

    private void print() {
        Markdown table = new Markdown("", "searches/s", "p50 ms", "p99 ms");
        perSecond.forEach((what, samples) -> table.row(
                what, samples.text(0), p50.get(what).text(2), p99.get(what).text(2)));
        table.print();
        List<Goal> goals = new ArrayList<>();
        for (int callers : new int[] {1, Runtime.getRuntime().availableProcessors()}) {
            goals.add(new Goal(
                    "W6: searches of the store over Lucene, " + callers + " callers",
                    Sense.AT_LEAST,
                    0.8,
                    perSecond
                            .get("store, " + callers + " callers")
                            .over(perSecond.get("Lucene, " + callers + " callers"))));
        }
        goals.add(new Goal(
                "W6: p50 of the gateway over embedding and Lucene, unseen queries",
                Sense.AT_MOST,
                1.3,
                p50.get("gateway, unseen queries").over(p50.get("embedding and Lucene"))));
        Goal.print(goals);
    }
}
