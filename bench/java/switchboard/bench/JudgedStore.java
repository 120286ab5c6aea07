package switchboard.bench;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.eval.JudgedSet;
import switchboard.eval.VectorCache;
import switchboard.store.Chunk;
import switchboard.store.DocumentDetails;
import switchboard.store.DocumentStore;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.NewDocument;
import switchboard.store.Namespace;
import switchboard.store.StoreSettings;

/** The texts of a judged set in the embedded store, a chunk each. */
final class JudgedStore {
    /** The library that is searched where none is named. */
    static final Namespace SPACE = Namespace.of("default");

    private static final int AT_ONCE = 32;

    private JudgedStore() {}

    static DocumentStore open(Vertx vertx, MeterRegistry meters, Path folder) {
        return LuceneDocumentStore.open(vertx, meters, Clock.systemUTC(), StoreSettings.of(folder, "bench"))
                .await();
    }

    /**
     * Puts the texts with their vectors into {@code folder}, unless an earlier run did.
     *
     * @param work the work folder of an {@code eval}, whose vectors need not be made again; made if missing
     */
    static void fill(Vertx vertx, MeterRegistry meters, Path folder, JudgedSet set, Embedder embedder, Path work)
            throws IOException {
        Path done = folder.resolveSibling("filled-" + set.name());
        if (Files.exists(done)) {
            return;
        }
        Files.createDirectories(folder);
        DocumentStore store = open(vertx, meters, folder);
        List<Future<?>> pending = new ArrayList<>();
        try (VectorCache known = VectorCache.open(work.resolve("vectors"), embedder)) {
            for (Map.Entry<String, String> text : set.texts().entrySet()) {
                Future<float[]> vector = known.find(text.getValue())
                        .map(Future::succeededFuture)
                        .orElseGet(() -> embedder.embedDocuments(List.of(text.getValue()), EmbedListener.NONE)
                                .map(List::getFirst));
                pending.add(vector.compose(values -> store.put(
                        SPACE, document(text.getKey(), text.getValue(), embedder.model(), values))));
                if (pending.size() == AT_ONCE) {
                    Future.all(pending).await();
                    pending.clear();
                }
            }
        }
        Future.all(pending).await();
        store.close().await();
        Files.createFile(done);
    }

    /** A document of one chunk. */
    static NewDocument document(String source, String text, @Nullable String model, float @Nullable [] vector) {
        Chunk chunk = Chunk.of(0, text.length());
        return new NewDocument(new DocumentDetails(source, source, "txt", null, "hash", Json.object()), text, model, List.of(vector == null ? chunk : chunk.withVector(vector)));
    }
}
