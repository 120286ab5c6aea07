package switchboard.app;

import static switchboard.replica.ReplicaNode.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import switchboard.call.Json;
import switchboard.store.AllowedReaders;
import switchboard.store.Chunk;
import switchboard.store.DocumentDetails;
import switchboard.store.DocumentDigest;
import switchboard.store.DocumentForm;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.store.StoreSettings;
import switchboard.store.StoreTransfer;

/** The folder of a store whose documents are moved. */
final class MovedFolder {
    private static final Namespace BOOKS = Namespace.of("books");

    private MovedFolder() {}

    /** A store in {@code place} while {@code work} is done. */
    static void in(Path place, Consumer<LuceneDocumentStore> work) {
        Vertx vertx = Vertx.vertx();
        LuceneDocumentStore store = await(LuceneDocumentStore.open(
                vertx, new SimpleMeterRegistry(), Clock.systemUTC(), StoreSettings.of(place, "docs")));
        try {
            work.accept(store);
        } finally {
            await(store.close());
            await(vertx.close());
        }
    }

    /** The digests of all documents in {@code place}, by library and source. */
    static Map<String, DocumentDigest> digests(Path place) {
        Map<String, DocumentDigest> all = new TreeMap<>();
        in(place, store -> {
            StoreTransfer transfer = store.transfer();
            for (Namespace library : store.namespaces()) {
                for (String id : await(transfer.ids(library))) {
                    for (DocumentForm form : await(transfer.read(library, List.of(id)))) {
                        String source =
                                DocumentForm.document(library, form.facts()).source();
                        all.put(library + " " + source, DocumentDigest.of(form));
                    }
                }
            }
        });
        return all;
    }

    static NewDocument document(String source, String text, AllowedReaders allow, float... vector) {
        ObjectNode metadata = Json.object().put("日本語", "Größe \u0000 😀").put("half", "\ud800");
        metadata.put("number", 1.50)
                .put("big", 1L << 40)
                .putObject("nested")
                .putArray("list")
                .add(1)
                .add("x");
        DocumentDetails details = new DocumentDetails(
                source, "title of " + source, "txt", "2026-01-02T03:04:05Z", "h" + text.hashCode(), metadata, allow);
        int half = text.length() / 2;
        Chunk first = Chunk.of(0, half).onPages(List.of(1, 3)).below("Top > Below", "context words");
        Chunk second = Chunk.of(half, text.length()).withLabels(Map.of("kind", "code", "a", "b"));
        return vector.length == 0
                ? new NewDocument(details, text, null, List.of(first, second))
                : new NewDocument(details, text, "model", List.of(first.withVector(vector), second));
    }

    static void many(LuceneDocumentStore store, int count) {
        List<Future<?>> puts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            puts.add(store.put(BOOKS, document("s" + i, "heron number " + i, AllowedReaders.ALL, 0.6f, 0.8f)));
            if (puts.size() == 500) {
                puts.forEach(MovedFolder::done);
                puts.clear();
            }
        }
        puts.forEach(MovedFolder::done);
    }

    private static void done(Future<?> one) {
        await(one);
    }
}
