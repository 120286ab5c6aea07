package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import switchboard.call.Caller;
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentStore;
import switchboard.store.Namespace;

/** How often the folders of a collection are computed while its documents change, and what is kept. */
class FolderTreesTest {
    private static final Namespace DOCS = Namespace.of("docs");

    private final List<Promise<NavigableMap<String, FolderTrees.Folder>>> reads = new ArrayList<>();
    private final List<Namespace> there = new ArrayList<>(List.of(DOCS));
    private String state = "1";

    private final DocumentStore store = (DocumentStore) Proxy.newProxyInstance(
            DocumentStore.class.getClassLoader(),
            new Class<?>[] {DocumentStore.class},
            (_, method, _) -> switch (method.getName()) {
                case "state" -> Future.succeededFuture(state);
                case "accessTo" -> DocumentAccess.EVERYTHING;
                case "facts" -> {
                    reads.add(Promise.promise());
                    yield reads.getLast().future();
                }
                default -> throw new AssertionError(method.getName());
            });

    private final FolderTrees trees = new FolderTrees(_ -> store, () -> there);

    private Future<NavigableMap<String, FolderTrees.Folder>> asked(Namespace namespace) {
        return trees.of(namespace, Caller.unrestricted());
    }

    @Test
    void whileDocumentsChangeAllWhoAskShareTheNextRead() {
        Future<?> first = asked(DOCS);
        List<Future<?>> later = new ArrayList<>();
        for (int i = 2; i < 20; i++) {
            state = "" + i;
            later.add(asked(DOCS));
        }
        assertEquals(1, reads.size(), "one read at a time");
        reads.getFirst().complete(new TreeMap<>());
        assertTrue(first.succeeded());
        assertEquals(2, reads.size(), "what is read after they have asked is new enough for all of them");
        assertTrue(later.stream().noneMatch(Future::isComplete));
        reads.getLast().complete(new TreeMap<>());
        assertTrue(later.stream().allMatch(Future::succeeded));
        state = "20";
        asked(DOCS);
        assertEquals(3, reads.size(), "what was read before somebody asks may be too old");
    }

    @Test
    void aReadThatFailsIsNotKept() {
        Future<?> first = asked(DOCS);
        state = "2";
        Future<?> second = asked(DOCS);
        reads.getFirst().fail("away");
        assertTrue(first.failed());
        reads.getLast().complete(new TreeMap<>());
        assertTrue(second.succeeded());
        assertTrue(asked(DOCS).succeeded());
        assertEquals(2, reads.size());
    }

    @Test
    void treesOfCollectionsThatAnotherGatewayHasRemovedAreNotKept() {
        Namespace gone = Namespace.of("gone");
        there.add(gone);
        Future<?> first = asked(gone);
        reads.getLast().complete(new TreeMap<>());
        assertTrue(first.succeeded());
        assertTrue(asked(gone).succeeded());
        assertEquals(1, reads.size());
        there.remove(gone);
        asked(DOCS);
        assertFalse(asked(gone).isComplete());
        assertEquals(3, reads.size());
    }
}
