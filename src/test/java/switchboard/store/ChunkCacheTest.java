package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.await;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;

@ExtendWith(VertxExtension.class)
class ChunkCacheTest {
    private static final Namespace MAPS = Namespace.of("maps");
    private static final List<Namespace> BOTH = List.of(BOOKS, MAPS);

    /** A document's text and the value of its metadata. */
    private record Written(String text, int number) {}

    @TempDir
    Path folder;

    private StoreFixture store;

    @BeforeEach
    void open(Vertx vertx) {
        store = new StoreFixture(vertx, folder);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private StoredChunk found(Namespace namespace) {
        return store.search("granite", namespace).hits().getFirst().chunk();
    }

    @Test
    void whatSeveralSearchesFindIsReadOnce() {
        store.put(BOOKS, StoreFixture.doc("a", "granite of the north"));
        StoredChunk first = found(BOOKS);
        assertSame(first, found(BOOKS));
        store.put(BOOKS, StoreFixture.doc("b", "marble"));
        assertSame(first, found(BOOKS), "another commit does not change its segment");
        store.reopen();
        assertNotSame(first, found(BOOKS), "another reader has other segments");
        assertEquals(first, found(BOOKS));
    }

    /** Both namespaces have the same document numbers. */
    @Test
    void eachSearchFindsWhatIsThereNow() {
        Random random = new Random(11);
        Map<Namespace, Map<String, Written>> written = Map.of(BOOKS, new TreeMap<>(), MAPS, new TreeMap<>());
        for (int round = 0; round < 150; round++) {
            Namespace namespace = BOTH.get(random.nextInt(2));
            String source = "s" + random.nextInt(6);
            if (random.nextInt(4) == 0) {
                written.get(namespace).remove(source);
                await(store.store().find(namespace, source))
                        .ifPresent(document -> await(store.store().delete(List.of(namespace), document.id())));
            } else {
                Written document = new Written("granite " + "x".repeat(random.nextInt(5)) + " 😀", round);
                written.get(namespace).put(source, document);
                store.put(
                        namespace,
                        StoreFixture.doc(source, document.text(), Json.object().put("number", round)));
            }
            if (random.nextInt(30) == 0) {
                store.reopen();
            }
            for (Namespace one : BOTH) {
                assertEquals(written.get(one), there(one));
            }
        }
    }

    private Map<String, Written> there(Namespace namespace) {
        return store.search("granite", namespace).hits().stream()
                .map(hit -> hit.chunk())
                .collect(Collectors.toMap(
                        chunk -> chunk.document().source(),
                        chunk -> {
                            assertEquals(namespace, chunk.document().namespace());
                            return new Written(
                                    chunk.text(),
                                    chunk.document().metadata().path("number").asInt());
                        },
                        (one, _) -> one,
                        TreeMap::new));
    }
}
