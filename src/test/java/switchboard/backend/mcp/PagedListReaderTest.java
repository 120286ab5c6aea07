package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import switchboard.backend.mcp.PagedListReader.ListedEntries;
import switchboard.backend.mcp.peer.Peer;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/** A list of another server, page by page. */
class PagedListReaderTest {
    private final Deque<ObjectNode> pages = new ArrayDeque<>();
    private final List<ObjectNode> asked = new ArrayList<>();

    private final class Listing implements Peer {
        @Override
        public JsonNode description() {
            return Json.object();
        }

        @Override
        public String version() {
            return "2025-11-25";
        }

        @Override
        public boolean asksInReply() {
            return false;
        }

        @Override
        public Future<ObjectNode> request(Request request, CallContext context) {
            asked.add(request.params());
            return Future.succeededFuture(pages.size() > 1 ? pages.removeFirst() : pages.getFirst());
        }

        @Override
        public Future<Void> listen(Consumer<ObjectNode> notifications, Runnable opened) {
            throw new AssertionError("nobody listens");
        }

        @Override
        public Future<Void> leave() {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }
    }

    private static ObjectNode page(String next, String... names) {
        ObjectNode page = Json.object();
        var entries = page.putArray("tools");
        Arrays.stream(names).forEach(name -> entries.addObject().put("name", name));
        return next == null ? page : page.put("nextCursor", next);
    }

    private Future<ListedEntries> read(int most) {
        return PagedListReader.all(new Listing(), "tools/list", "tools", most, null);
    }

    private String refused(int most) {
        ToolException refusal =
                assertThrows(ToolException.class, () -> read(most).await());
        assertEquals(FailureKind.UNAVAILABLE, refusal.failed().kind());
        return refusal.failed().message();
    }

    @Test
    void allPagesAreOneListInOrder() {
        pages.addAll(List.of(page("p2", "a", "b"), page("p3"), page(null, "c")));
        ListedEntries all = read(3).await();
        assertEquals(
                List.of("a", "b", "c"),
                all.entries().stream().map(entry -> entry.path("name").asText()).toList());
        assertEquals(
                List.of(
                        Json.object(),
                        Json.object().put("cursor", "p2"),
                        Json.object().put("cursor", "p3")),
                asked);
        assertEquals(Long.MAX_VALUE, all.ttlMs(), "the server does not say");
    }

    @Test
    void aListHasUpToItsMostEntries() {
        pages.add(page(null, "a", "b"));
        assertEquals(2, read(2).await().entries().size());
        assertTrue(refused(1).contains("more than the 1 entries"), () -> refused(1));
    }

    @Test
    void whatIsNoEntryIsLeftOut() {
        ObjectNode page = page(null, "a");
        page.withArray("tools").add("text").add(7).addNull();
        pages.add(page);
        assertEquals(1, read(1).await().entries().size());
    }

    @Test
    void theShortestLifeOfAPageIsThatOfTheList() {
        pages.addAll(List.of(
                page("p2", "a").put("ttlMs", 500),
                page("p3", "b").put("ttlMs", 300),
                page(null).put("ttlMs", 400)));
        assertEquals(300, read(9).await().ttlMs());
    }

    @Test
    void aCursorThatComesAgainIsTheEndOfTrust() {
        pages.add(page("again", "a"));
        assertTrue(refused(1000).contains("does not end"));
        assertEquals(2, asked.size());
    }
}
