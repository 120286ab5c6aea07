package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.Chunk;
import switchboard.store.DocumentDetails;
import switchboard.store.DocumentStore;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.store.StoreSettings;
import switchboard.store.StoredDocument;

/** What is told of calls between whose steps the store goes away, or a document is replaced. */
class PartlyDoneTest {
    private static final Namespace DOCS = Namespace.of("docs");

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private DocumentStore store;

    @BeforeEach
    void open() {
        store = await(LuceneDocumentStore.open(
                vertx, new SimpleMeterRegistry(), Clock.systemUTC(), StoreSettings.of(folder, "docs")));
    }

    @AfterEach
    void close() {
        await(store.close());
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.await(60, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("nothing came for a minute", e);
        }
    }

    /** The store, of which the calls of {@code method} that {@code when} names by their number first run {@code before}. */
    private DocumentStore with(String method, IntPredicate when, Supplier<Future<?>> before) {
        AtomicInteger calls = new AtomicInteger();
        return (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(), new Class<?>[] {DocumentStore.class}, (_, called, arguments) -> {
                    boolean chosen = called.getName().equals(method) && when.test(calls.incrementAndGet());
                    return (chosen ? before.get() : Future.succeededFuture()).compose(_ -> result(called, arguments));
                });
    }

    private Future<?> result(Method called, Object[] arguments) {
        try {
            return (Future<?>) called.invoke(store, arguments);
        } catch (ReflectiveOperationException e) {
            return Future.failedFuture(e);
        }
    }

    private static Memories.NewMemory memory(String content) {
        return new Memories.NewMemory(content, "fact", 0.5, null, null);
    }

    private static MemoryExtractTool extract(DocumentStore with) {
        return new MemoryExtractTool(
                new Memories(_ -> with, Clock.systemUTC()),
                new SearchSessions.InMemory(new Sessions(Clock.systemUTC(), 10)),
                new MemoryExtraction(Optional.empty()));
    }

    private static ObjectNode structured(ToolReply reply) {
        return ((ToolReply.Ok) reply).structured();
    }

    @Test
    void memoriesThatWereStoredBeforeTheStoreWentAwayAreTold() {
        Supplier<Future<?>> away =
                () -> Future.failedFuture(new ToolException(FailureKind.UNAVAILABLE, "The store is away."));
        List<Memories.NewMemory> drafts = List.of(memory("herons"), memory("egrets"), memory("rails"));
        ObjectNode some =
                structured(await(extract(with("put", call -> call > 1, away)).kept(drafts, Caller.unrestricted())));
        assertFalse(some.path("complete").asBoolean(true), some::toString);
        assertEquals(1, some.path("count").asInt());
        assertEquals("herons", some.path("memories").path(0).path("content").asText());
        assertTrue(some.path("reason").asText().startsWith("1 of 3 memories were stored"), some::toString);
        assertTrue(some.path("reason").asText().endsWith("The store is away."), some::toString);
        ObjectNode all = structured(await(extract(store).kept(drafts, Caller.unrestricted())));
        assertTrue(all.path("complete").asBoolean(), all::toString);
        assertEquals(3, all.path("count").asInt());
        Future<ToolReply> none =
                extract(with("put", _ -> true, away)).kept(List.of(memory("coots")), Caller.unrestricted());
        assertEquals(
                FailureKind.UNAVAILABLE,
                assertThrows(ToolException.class, () -> await(none)).failed().kind());
    }

    private static NewDocument document(String source, String text) {
        return new NewDocument(
                new DocumentDetails(source, source, "file", null, "0", Json.object()),
                text,
                null,
                List.of(Chunk.of(0, text.length())));
    }

    @Test
    void aDocumentThatIsReplacedWhileItIsReadIsRead() {
        StoredDocument first = await(store.put(DOCS, document("a", "old"))).document();
        DocumentStore replaced = with("read", call -> call == 1, () -> store.put(DOCS, document("a", "new")));
        assertEquals(
                "new",
                await(DocumentAddresses.newest(replaced, first)).orElseThrow().text());
        DocumentStore again = with("read", _ -> true, () -> store.put(DOCS, document("a", "newer")));
        assertTrue(await(DocumentAddresses.newest(again, first)).isEmpty(), "and not for ever");
        DocumentStore removed = with("find", _ -> true, () -> store.find(DOCS, "a")
                .compose(
                        found -> store.delete(List.of(DOCS), found.orElseThrow().id())));
        assertTrue(await(DocumentAddresses.newest(removed, first)).isEmpty());
    }
}
