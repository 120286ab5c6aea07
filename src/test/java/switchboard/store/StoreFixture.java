package switchboard.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.concurrent.TeamShare;
import switchboard.testing.HandClock;

/** A store in a folder of a test, with a clock that the test moves. */
final class StoreFixture implements AutoCloseable {
    static final Namespace BOOKS = Namespace.of("books");

    final Vertx vertx;
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final HandClock clock = HandClock.ticking(Instant.ofEpochMilli(1_700_000_000_000L));
    final StoreSettings settings;
    private @Nullable LuceneDocumentStore store;

    StoreFixture(Vertx vertx, Path folder) {
        this(vertx, new StoreSettings(folder, "test", 64, Duration.ofMinutes(5), 2, 1000, TeamShare.ALL));
    }

    StoreFixture(Vertx vertx, StoreSettings settings) {
        this.vertx = vertx;
        this.settings = settings;
    }

    LuceneDocumentStore store() {
        LuceneDocumentStore open = store;
        return open == null ? open(FSDirectory::open) : open;
    }

    LuceneDocumentStore open(DirectoryFactory directories) {
        LuceneDocumentStore opened = await(LuceneDocumentStore.open(vertx, meters, clock, settings, directories));
        store = opened;
        return opened;
    }

    /** Closes the store and opens it again, as a restart does. */
    LuceneDocumentStore reopen() {
        closeStore();
        return store();
    }

    void closeStore() {
        if (store != null) {
            await(store.close());
            store = null;
        }
    }

    /** Waits for a result; a minute is forever. */
    static <T> T await(Future<T> future) {
        try {
            return future.await(120, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("nothing came for a minute", e);
        }
    }

    PutResult put(Namespace namespace, NewDocument document) {
        return await(store().put(namespace, document));
    }

    SearchResult search(String query, Namespace... namespaces) {
        return search(new SearchRequest(
                query, Optional.empty(), List.of(namespaces), new Filter.All(), 10, new Fusion.KeywordOnly()));
    }

    SearchResult search(SearchRequest request) {
        return await(store().search(request));
    }

    List<String> sources(SearchResult result) {
        return result.hits().stream()
                .map(hit -> hit.chunk().document().source())
                .toList();
    }

    /** A document of one chunk. */
    static NewDocument doc(String source, String text) {
        return doc(source, text, Json.object());
    }

    static NewDocument doc(String source, String text, ObjectNode metadata) {
        return new NewDocument(
                new DocumentDetails(source, "", "md", null, "hash-" + text.hashCode(), metadata),
                text,
                null,
                List.of(Chunk.of(0, text.length())));
    }

    /** A document of one chunk with a vector of the model {@code m}. */
    static NewDocument vectorDoc(String source, String text, float... vector) {
        Chunk chunk = Chunk.of(0, text.length()).withVector(vector);
        return new NewDocument(
                new DocumentDetails(source, "", "md", null, "hash", Json.object()), text, "m", List.of(chunk));
    }

    /** A random vector of length 1. */
    static float[] unit(Random random, int dimension) {
        float[] vector = new float[dimension];
        double square = 0;
        for (int i = 0; i < dimension; i++) {
            vector[i] = (float) random.nextGaussian();
            square += vector[i] * vector[i];
        }
        for (int i = 0; i < dimension; i++) {
            vector[i] /= (float) Math.sqrt(square);
        }
        return vector;
    }

    static double dot(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (double) a[i] * b[i];
        }
        return sum;
    }

    @Override
    public void close() {
        closeStore();
    }
}
