package switchboard.backend.mcp.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;

/** What a server of 2026-07-28 is asked to announce, if it refuses, is slow, or ends streams. */
class ListenStreamTest {
    private static final Set<String> SOME = Set.of("a:1", "a:2", "a:3", "a:4", "a:5");

    private final List<Asked> asked = new ArrayList<>();
    private final List<String> announced = new ArrayList<>();
    private final Set<String> refused = new TreeSet<>();
    private boolean acknowledges = true;
    private boolean refusesLists;
    private long nanos;

    /** A request for a stream. */
    private record Asked(
            Set<String> uris, Consumer<ObjectNode> messages, Promise<Transport.TransportReply> answer, boolean[] left) {
        void acknowledge() {
            messages.accept(Json.object().put("method", "notifications/subscriptions/acknowledged"));
        }
    }

    private final ListenStream stream = new ListenStream(capabilities(), this::open, () -> nanos);

    private static ObjectNode capabilities() {
        ObjectNode capabilities = Json.object();
        capabilities.putObject("resources").put("subscribe", true);
        capabilities.putObject("tools").put("listChanged", true);
        return capabilities;
    }

    private Transport.Sent open(ObjectNode params, Consumer<ObjectNode> messages) {
        Set<String> uris = new TreeSet<>();
        params.at("/notifications/resourceSubscriptions").forEach(uri -> uris.add(uri.asText()));
        Asked one = new Asked(uris, messages, Promise.promise(), new boolean[1]);
        asked.add(one);
        if (uris.stream().anyMatch(refused::contains)
                || (refusesLists && params.path("notifications").has("toolsListChanged"))) {
            ObjectNode error = Json.object();
            error.putObject("error").put("code", -32602).put("message", "no");
            one.answer().complete(new Transport.TransportReply(200, error, null));
        } else if (acknowledges) {
            one.acknowledge();
        }
        return new Transport.Sent(one.answer().future(), () -> one.left()[0] = true);
    }

    private Future<Void> listen() {
        return stream.listen(message -> announced.add(message.at("/params/uri").asText()));
    }

    private Asked last() {
        return asked.getLast();
    }

    private void after(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void oneBadResourceHidesNoOther() {
        refused.add("a:3");
        Future<Void> listening = listen();
        assertTrue(stream.watch(SOME).succeeded());
        assertEquals(Set.of("a:1", "a:2", "a:4", "a:5"), last().uris());
        assertFalse(last().left()[0]);
        assertFalse(listening.isComplete());
        int before = asked.size();
        assertTrue(stream.watch(SOME).succeeded());
        assertEquals(before, asked.size(), "it is not asked for again so soon");
        refused.clear();
        after(Duration.ofMinutes(11));
        assertTrue(stream.watch(SOME).succeeded());
        assertEquals(SOME, last().uris());
    }

    @Test
    void aServerThatRefusesAllIsAskedAFewTimesAndSendsItsLists() {
        Set<String> many = new TreeSet<>();
        for (int i = 0; i < 500; i++) {
            many.add("a:" + i);
        }
        refused.addAll(many);
        Future<Void> listening = listen();
        assertTrue(stream.watch(many).succeeded());
        assertTrue(asked.size() < 40, () -> asked.size() + " requests");
        assertFalse(listening.isComplete());
        assertFalse(asked.getFirst().left()[0], "the stream of its lists");
    }

    @Test
    void resourcesAreAskedForWhereListsAreRefused() {
        refusesLists = true;
        Future<Void> listening = listen();
        assertFalse(listening.isComplete());
        assertTrue(stream.watch(SOME).succeeded());
        assertEquals(SOME, last().uris());
        assertFalse(listening.isComplete());
    }

    @Test
    void theAcknowledgedStreamStaysUntilAnotherIs() {
        listen();
        stream.watch(Set.of("a:1"));
        Asked standing = last();
        acknowledges = false;
        Future<Void> second = stream.watch(Set.of("a:1", "a:2"));
        Asked slow = last();
        Future<Void> third = stream.watch(SOME);
        after(Duration.ofSeconds(6));
        Future<Void> fourth = stream.watch(SOME);
        assertTrue(slow.left()[0], "replaced after a while");
        assertFalse(standing.left()[0]);
        assertEquals(SOME, last().uris());
        last().acknowledge();
        assertTrue(standing.left()[0]);
        slow.answer().fail("left");
        assertTrue(second.succeeded() && third.succeeded() && fourth.succeeded());
        slow.acknowledge();
        assertFalse(last().left()[0], "what is late changes nothing");
    }

    @Test
    void aFailedReplacementIsTriedAgain() {
        listen();
        stream.watch(Set.of("a:1"));
        Asked standing = last();
        acknowledges = false;
        Future<Void> wanted = stream.watch(SOME);
        last().answer().fail("connection reset");
        assertTrue(wanted.succeeded());
        assertFalse(standing.left()[0]);
        acknowledges = true;
        after(Duration.ofSeconds(21));
        assertTrue(stream.watch(SOME).succeeded());
        assertEquals(SOME, last().uris());
        assertTrue(standing.left()[0]);
    }

    @Test
    void whatIsWatchedIsAnnouncedWhenTheStreamIsRenewed() {
        Future<Void> listening = listen();
        stream.watch(Set.of("a:1"));
        assertEquals(List.of(), announced);
        last().answer().fail("the server restarts");
        assertTrue(listening.failed());
        listen();
        assertEquals(List.of("a:1"), announced);
        stream.watch(SOME);
        assertEquals(List.of("a:1"), announced);
    }

    @Test
    void nothingIsAskedOnceItWasLeft() {
        listen();
        stream.watch(SOME);
        int before = asked.size();
        stream.leave();
        assertTrue(last().left()[0]);
        assertTrue(stream.watch(Set.of("a:1")).succeeded());
        assertTrue(listen().failed());
        assertEquals(before, asked.size());
    }
}
