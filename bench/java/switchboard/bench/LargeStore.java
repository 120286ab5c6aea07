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
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import switchboard.call.Json;
import switchboard.store.Chunk;
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
 * Many documents in many libraries: heap, open files, and how long lists and searches take. Arguments: documents
 * (100000), libraries (200).
 */
final class LargeStore {
    private static final String MODEL = "random";
    private static final int DIMENSION = 384;
    private static final int VOCABULARY = 50_000;
    private static final int WORDS = 60;
    private static final int CALLS = 200;

    private final Random random = new Random(1);
    private final DocumentStore store;
    private final List<Namespace> namespaces = new ArrayList<>();

    private LargeStore(DocumentStore store) {
        this.store = store;
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
            List<Future<?>> writes = new ArrayList<>();
            for (int i = from; i < to; i++) {
                writes.add(store.put(namespace, document("document-" + i)));
            }
            Future.all(writes).await();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "%d documents in %d libraries written in %.0f s, %.0f a second%n",
                documents, libraries, seconds, documents / seconds);
    }

    private NewDocument document(String source) {
        String text = words(WORDS);
        Chunk chunk = Chunk.of(0, text.length()).withVector(unit());
        return new NewDocument(new DocumentDetails(source, source, "txt", null, source, Json.object().put("n", random.nextInt(100))), text, MODEL, List.of(chunk));
    }

    /** Words by Zipf's law. */
    private String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append('w').append((int) Math.pow(VOCABULARY, random.nextDouble())).append("q ");
        }
        return text.toString();
    }

    private float[] unit() {
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
        System.out.printf("%-36s %9s %9s%n", "", "p50 ms", "p99 ms");
        measure("list 20 of one library", () -> list(List.of(any())));
        measure("list 20 of all libraries", () -> list(namespaces));
        measure("statistics of all libraries", () -> store.stats(namespaces));
        measure("search one library, keyword", () -> search(List.of(any()), new Fusion.KeywordOnly()));
        measure("search one library, hybrid", () -> search(List.of(any()), Fusion.standard()));
        measure("search all libraries, keyword", () -> search(namespaces, new Fusion.KeywordOnly()));
        measure("search all libraries, hybrid", () -> search(namespaces, Fusion.standard()));
    }

    private Namespace any() {
        return namespaces.get(random.nextInt(namespaces.size()));
    }

    private Future<?> list(List<Namespace> where) {
        return store.list(new ListRequest(where, new Filter.All(), ListRequest.Order.NEWEST_FIRST, 0, 20));
    }

    private Future<?> search(List<Namespace> where, Fusion fusion) {
        SearchRequest.QueryVector vector = new SearchRequest.QueryVector(MODEL, unit());
        return store.search(new SearchRequest(words(5), Optional.of(vector), where, new Filter.All(), 10, fusion));
    }

    private static void measure(String what, Supplier<Future<?>> call) {
        for (int i = 0; i < CALLS / 10; i++) {
            call.get().await();
        }
        long[] nanos = new long[CALLS];
        for (int i = 0; i < CALLS; i++) {
            long start = System.nanoTime();
            call.get().await();
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        System.out.printf("%-36s %9.2f %9.2f%n", what, nanos[CALLS / 2] / 1e6, nanos[CALLS * 99 / 100] / 1e6);
    }
}
