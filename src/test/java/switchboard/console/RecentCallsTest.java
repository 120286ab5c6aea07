package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;

/** What is kept of calls, and what a reader that comes late has missed. */
class RecentCallsTest {
    private static final CallAudience ALL = new CallAudience.Everybody();
    private static final CallAudience RED = new CallAudience.OfTeam("red");
    private static final CallAudience SHOP = new CallAudience.OfBackends("keeper", Set.of("shop"));

    private final RecentCalls recent = new RecentCalls();
    private int made;

    private void call(String team, String backend, int times) {
        for (int call = 0; call < times; call++) {
            recent.add(new FinishedCall(
                    Instant.EPOCH,
                    new FinishedCall.CallerKey(team, "k"),
                    new FinishedCall.CalledTool("tools/call", "t", backend),
                    new FinishedCall.CallOutcome("allowed", "ok", 1),
                    new FinishedCall.CallEffort(Duration.ZERO, 1, List.of(), 0),
                    new FinishedCall.CallIds(Integer.toString(made++), null)));
        }
    }

    private static List<Integer> requests(RecentCalls.NewCalls calls) {
        return calls.calls().stream().map(RecentCallsTest::request).toList();
    }

    private static int request(RecentCalls.ShownCall call) {
        try {
            return Json.parse(call.json()).path("request").asInt();
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whoBeginsSeesTheLastOnesAndHasMissedNothing() {
        assertEquals(List.of(), requests(recent.first(ALL)));
        call("red", "vectordb", 2);
        call("blue", "shop", RecentCalls.KEPT + 10);
        RecentCalls.NewCalls first = recent.first(ALL);
        assertEquals(RecentCalls.AT_FIRST, first.calls().size());
        assertEquals(made - 1, requests(first).getLast());
        assertEquals(0, first.missed());
        assertEquals(List.of(), requests(recent.first(RED)), "they are gone");
        assertEquals(0, recent.first(RED).missed());
    }

    @Test
    void whatComesLaterIsSeenOnceInOrder() {
        call("red", "vectordb", 3);
        long place = recent.first(ALL).place();
        assertEquals(List.of(), requests(recent.after(ALL, place, 10)));
        call("blue", "shop", 1);
        call("red", "shop", 2);
        RecentCalls.NewCalls next = recent.after(ALL, place, 10);
        assertEquals(List.of(3, 4, 5), requests(next));
        assertEquals(0, next.missed());
        assertEquals(
                next.place(),
                recent.after(ALL, next.calls().get(1).place(), 10)
                        .calls()
                        .getLast()
                        .place());
        assertEquals(List.of(), requests(recent.after(ALL, next.place(), 10)));
        assertEquals(List.of(4, 5), requests(recent.after(RED, 3, 10)), "places of a team are its own");
        assertEquals(List.of(3, 4, 5), requests(recent.after(SHOP, place, 10)));
    }

    @Test
    void ofManyTheNewestAreSeenAndTheOthersCounted() {
        call("red", "vectordb", 1);
        long place = recent.first(RED).place();
        call("red", "vectordb", 50);
        call("blue", "vectordb", 7);
        RecentCalls.NewCalls next = recent.after(RED, place, 10);
        assertEquals(List.of(41, 42, 43, 44, 45, 46, 47, 48, 49, 50), requests(next));
        assertEquals(40, next.missed());
        assertEquals(51, next.place());
    }

    /** The calls of others take the place of one's own, but nobody learns how many there were. */
    @Test
    void whatIsNotKeptIsCountedForATeamWithoutThoseOfOthers() {
        call("red", "vectordb", 5);
        long place = recent.first(RED).place();
        call("red", "vectordb", 20);
        call("blue", "vectordb", RecentCalls.KEPT - 5);
        RecentCalls.NewCalls next = recent.after(RED, place, RecentCalls.KEPT);
        assertEquals(5, next.calls().size());
        assertEquals(15, next.missed());
        call("blue", "vectordb", RecentCalls.KEPT);
        call("red", "vectordb", 0);
        assertEquals(20, recent.after(RED, place, 10).missed());
        assertEquals(25, recent.after(RED, place, 10).place());
        RecentCalls.NewCalls all = recent.after(ALL, 0, RecentCalls.KEPT);
        assertEquals(RecentCalls.KEPT, all.calls().size());
        assertEquals(made - RecentCalls.KEPT, all.missed());
        assertEquals(RecentCalls.NewCalls.SOME, recent.after(SHOP, 0, 10).missed(), "nobody has counted them");
    }

    @Test
    void whoWaitsForTheEndIsToldOnce() {
        AtomicInteger told = new AtomicInteger();
        recent.atEnd(told::incrementAndGet);
        recent.close();
        recent.close();
        assertEquals(1, told.get());
        recent.atEnd(told::incrementAndGet);
        assertEquals(2, told.get(), "at once");
    }
}
