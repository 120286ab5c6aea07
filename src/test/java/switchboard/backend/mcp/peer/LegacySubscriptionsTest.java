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
import org.junit.jupiter.api.Test;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/** What a server up to 2025-11-25 is subscribed to, if it answers late, not at all, or by ending the session. */
class LegacySubscriptionsTest {
    private final List<String> asked = new ArrayList<>();
    private final List<Promise<ObjectNode>> open = new ArrayList<>();
    private boolean ends;
    private long nanos;
    private final LegacySubscriptions subscriptions = new LegacySubscriptions(this::ask, () -> nanos);

    private Future<ObjectNode> ask(Peer.Request request) {
        String uri = request.params().path("uri").asText();
        asked.add(uri);
        if (ends && uri.equals("a:bad")) {
            subscriptions.begunAnew(true);
            return Future.failedFuture(new ToolException(FailureKind.UNAVAILABLE, "It keeps forgetting."));
        }
        if (uri.equals("a:slow")) {
            Promise<ObjectNode> answer = Promise.promise();
            open.add(answer);
            return answer.future();
        }
        return Future.succeededFuture(Json.object());
    }

    private long times(String uri) {
        return asked.stream().filter(uri::equals).count();
    }

    @Test
    void aResourceThatEndsSessionsIsAskedForAfterGrowingPauses() {
        ends = true;
        subscriptions.listening(true);
        assertTrue(subscriptions.want(Set.of("a:bad", "a:good")).succeeded());
        assertEquals(1, times("a:bad"));
        assertEquals(Set.of("a:good"), subscriptions.subscribed());
        for (int minutes = 1; minutes <= 60; minutes++) {
            nanos += Duration.ofMinutes(1).toNanos();
            subscriptions.want(Set.of("a:bad", "a:good"));
        }
        assertEquals(3, times("a:bad"), "after 10 and 30 minutes");
        assertEquals(Set.of("a:good"), subscriptions.subscribed());
    }

    @Test
    void aServerThatDoesNotAnswerIsAskedForNothingForAWhile() {
        subscriptions.listening(true);
        Future<Void> wanted = subscriptions.want(Set.of("a:slow"));
        open.getFirst().fail(new ToolException(FailureKind.TIMEOUT, "It took too long."));
        assertTrue(wanted.succeeded());
        subscriptions.want(Set.of("a:slow", "a:1", "a:2"));
        assertEquals(List.of("a:slow"), asked);
        nanos += Duration.ofSeconds(21).toNanos();
        subscriptions.want(Set.of("a:1", "a:2"));
        assertEquals(Set.of("a:1", "a:2"), subscriptions.subscribed());
    }

    @Test
    void aServerWithoutAStreamIsAskedForNothingUntilItHasOne() {
        subscriptions.listening(true);
        subscriptions.unheard();
        assertTrue(subscriptions.want(Set.of("a:1")).succeeded());
        subscriptions.begunAnew(true);
        assertEquals(List.of(), asked);
        assertTrue(subscriptions.listening(true).succeeded());
        assertEquals(Set.of("a:1"), subscriptions.subscribed());
    }

    @Test
    void onlySubscriptionsAreNoCalls() {
        for (String method : List.of("resources/subscribe", "resources/unsubscribe")) {
            assertTrue(LegacySubscriptions.isSubscription(Peer.Request.reading(method, Json.object())));
        }
        assertFalse(LegacySubscriptions.isSubscription(Peer.Request.reading("x/subscribe", Json.object())));
    }

    @Test
    void nothingIsAskedAfterTheEnd() {
        subscriptions.listening(true);
        subscriptions.end();
        subscriptions.listening(true);
        subscriptions.begunAnew(true);
        assertTrue(subscriptions.want(Set.of("a:1")).succeeded());
        assertEquals(List.of(), asked);
    }
}
