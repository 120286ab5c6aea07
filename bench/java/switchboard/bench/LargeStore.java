package switchboard.bench;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.util.VectorUtil;
import switchboard.call.Json;
import switchboard.store.AllowedReaders;
import switchboard.store.Chunk;
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentDetails;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.Fusion;
import switchboard.store.ListRequest;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.NewDocument;
import switchboard.store.SearchRequest;
import switchboard.store.Namespace;
import switchboard.store.StoreSettings;

/**
 * Many documents in many libraries: heap, open files, how long lists and searches take, and how many of the nearest
 * vectors a search finds, of everything and, in turns, of what a member of ten groups may read where half of the documents
 * name two of a thousand. Arguments: documents (100000), libraries (200).
 */
final class LargeStore {
    private static final String MODEL = "random";
    private static final int DIMENSION = 384;
    private static final int VOCABULARY = 50_000;
    private static final int WORDS = 60;
    private static final int CALLS = 200;
    private static final int AT_ONCE = 500;
    private static final int GROUPS = 1000;
    private static final int MEMBER_OF = 10;
    private static final int NEAREST = 10;

    private static final DocumentAccess MEMBER = new DocumentAccess.ForReaders(
            IntStream.range(0, MEMBER_OF).mapToObj(i -> group(i * GROUPS / MEMBER_OF)).collect(Collectors.toSet()));

    private final Random random = new Random(1);
    private final DocumentStore store;
    private final DocumentStore readable;
    private final List<Namespace> namespaces = new ArrayList<>();
    private final BitSet permitted = new BitSet();

    private LargeStore(DocumentStore store) {
        this.store = store;
        this.readable = store.seenBy(MEMBER);
    }

    private static String group(int number) {
        return AllowedReaders.GROUP + number;
    }

    public static void main(String[] arguments) throws IOException {
        int documents = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
        int libraries = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
        Vertx vertx = Vertx.vertx();
        Path folder = Files.createTempDirectory("switchboard-large");
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        DocumentStore store = LuceneDocumentStore.open(
                        vertx, meters, Clock.systemUTC(), StoreSettings.of(folder.resolve("store"), "large"))
                .await();
        try {
            LargeStore run = new LargeStore(store);
            run.fill(documents, libraries);
            run.resources("after writing");
            run.ask();
            run.resources("after asking");
            run.recall(documents);
        } finally {
            store.close().await();
            vertx.close().await();
        }
    }

    private void fill(int documents, int libraries) {
        long start = System.nanoTime();
        for (int library = 0; library < libraries; library++) {
            Namespace namespace = Namespace.of(String.format("library %04d", library));
            namespaces.add(namespace);
            int from = (int) ((long) documents * library / libraries);
            int to = (int) ((long) documents * (library + 1) / libraries);
            for (int i = from; i < to; i += AT_ONCE) {
                Future.all(IntStream.range(i, Math.min(to, i + AT_ONCE))
                                .mapToObj(number -> store.put(namespace, document(number)))
                                .toList())
                        .await();
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "%d documents in %d libraries written in %.0f s, %.0f a second%n",
                documents, libraries, seconds, documents / seconds);
    }

    private NewDocument document(int number) {
        String source = source(number);
        String text = words(WORDS);
        Chunk chunk = Chunk.of(0, text.length()).withVector(vector(number));
        AllowedReaders allow = random.nextBoolean()
                ? AllowedReaders.ALL
                : AllowedReaders.anyOf(List.of(group(random.nextInt(GROUPS)), group(random.nextInt(GROUPS))));
        permitted.set(number, MEMBER.permits(allow));
        DocumentDetails details = new DocumentDetails(
                source, source, "txt", null, source, Json.object().put("n", random.nextInt(100)), allow);
        return new NewDocument(details, text, MODEL, List.of(chunk));
    }

    /** Words by Zipf's law. */
    private String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append('w').append((int) Math.pow(VOCABULARY, random.nextDouble())).append("q ");
        }
        return text.toString();
    }

    private static String source(int number) {
        return "document-" + number;
    }

    /** The vector of a document, made again where it is needed: all of them would be most of the heap that is measured. */
    private static float[] vector(int number) {
        return unit(new Random(number));
    }

    private static float[] unit(Random random) {
        float[] vector = new float[DIMENSION];
        double square = 0;
        for (int i = 0; i < DIMENSION; i++) {
            vector[i] = (float) random.nextGaussian();
            square += (double) vector[i] * vector[i];
        }
        for (int i = 0; i < DIMENSION; i++) {
            vector[i] /= (float) Math.sqrt(square);
        }
        return vector;
    }

    private void resources(String when) {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
        long files = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : -1;
        System.out.printf("%s: %d MiB of heap used, %d files open%n", when, heap, files);
    }

    private void ask() {
        System.out.printf("%-36s %9s %9s %13s %9s%n", "", "p50 ms", "p99 ms", "permitted p50", "p99 ms");
        measure("list 20 of one library", seen -> list(seen, List.of(any())));
        measure("list 20 of all libraries", seen -> list(seen, namespaces));
        measure("statistics of all libraries", seen -> seen.stats(namespaces));
        measure("search one library, keyword", seen -> search(seen, List.of(any()), new Fusion.KeywordOnly()));
        measure("search one library, hybrid", seen -> search(seen, List.of(any()), Fusion.standard()));
        measure("search all libraries, keyword", seen -> search(seen, namespaces, new Fusion.KeywordOnly()));
        measure("search all libraries, hybrid", seen -> search(seen, namespaces, Fusion.standard()));
    }

    /** A document and its similarity to a query. */
    private record Near(int number, float cosine) {}

    /** The documents nearest to one query, by comparing all. */
    private static final class Nearest {
        private final PriorityQueue<Near> best = new PriorityQueue<>(Comparator.comparingDouble(Near::cosine));

        void offer(Near one) {
            best.add(one);
            if (best.size() > NEAREST) {
                best.poll();
            }
        }

        Set<String> sources() {
            return best.stream().map(one -> source(one.number())).collect(Collectors.toSet());
        }
    }

    /** Which share of the ten nearest vectors a search by vectors finds. */
    private void recall(int documents) {
        List<float[]> queries = IntStream.range(0, CALLS).mapToObj(_ -> unit(random)).toList();
        List<Nearest> all = queries.stream().map(_ -> new Nearest()).toList();
        List<Nearest> visible = queries.stream().map(_ -> new Nearest()).toList();
        for (int number = 0; number < documents; number++) {
            float[] vector = vector(number);
            for (int query = 0; query < CALLS; query++) {
                Near one = new Near(number, VectorUtil.dotProduct(queries.get(query), vector));
                all.get(query).offer(one);
                if (permitted.get(number)) {
                    visible.get(query).offer(one);
                }
            }
        }
        System.out.printf(
                "recall of the ten nearest, of random vectors: %.3f of everything, %.3f of what is permitted%n",
                recall(store, queries, all), recall(readable, queries, visible));
    }

    private double recall(DocumentStore seen, List<float[]> queries, List<Nearest> nearest) {
        int found = 0;
        for (int query = 0; query < CALLS; query++) {
            Set<String> sources = nearest.get(query).sources();
            SearchRequest request = new SearchRequest(
                    "",
                    Optional.of(new SearchRequest.QueryVector(MODEL, queries.get(query))),
                    namespaces,
                    new Filter.All(),
                    NEAREST,
                    new Fusion.VectorOnly());
            found += (int) seen.search(request).await().hits().stream()
                    .filter(hit -> sources.contains(hit.chunk().document().source()))
                    .count();
        }
        return found / (double) (CALLS * NEAREST);
    }

    private Namespace any() {
        return namespaces.get(random.nextInt(namespaces.size()));
    }

    private Future<?> list(DocumentStore seen, List<Namespace> where) {
        return seen.list(new ListRequest(where, new Filter.All(), ListRequest.Order.NEWEST_FIRST, 0, 20));
    }

    private Future<?> search(DocumentStore seen, List<Namespace> where, Fusion fusion) {
        SearchRequest.QueryVector vector = new SearchRequest.QueryVector(MODEL, unit(random));
        return seen.search(new SearchRequest(words(5), Optional.of(vector), where, new Filter.All(), 10, fusion));
    }

    private void measure(String what, Function<DocumentStore, Future<?>> call) {
        long[] whole = new long[CALLS];
        long[] permitted = new long[CALLS];
        for (int i = -CALLS / 10; i < CALLS; i++) {
            long start = System.nanoTime();
            call.apply(store).await();
            long between = System.nanoTime();
            call.apply(readable).await();
            if (i >= 0) {
                whole[i] = between - start;
                permitted[i] = System.nanoTime() - between;
            }
        }
        Arrays.sort(whole);
        Arrays.sort(permitted);
        System.out.printf(
                "%-36s %9.2f %9.2f %13.2f %9.2f%n",
                what, median(whole), late(whole), median(permitted), late(permitted));
    }

    private static double median(long[] nanos) {
        return nanos[CALLS / 2] / 1e6;
    }

    private static double late(long[] nanos) {
        return nanos[CALLS * 99 / 100] / 1e6;
    }
}
