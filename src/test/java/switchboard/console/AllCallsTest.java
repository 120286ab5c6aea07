package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;

/** The messages by which one gateway shows its calls at another, with what can go wrong between them. */
class AllCallsTest {
    private static final CallAudience ALL = new CallAudience.Everybody();
    private static final CallAudience RED = new CallAudience.OfTeam("red");
    private static final CallAudience GREEN = new CallAudience.OfTeam("green");
    private static final CallAudience SHOP = new CallAudience.OfBackends("keeper", Set.of("shop"));

    /** A message, and what becomes of it. */
    private record Sent(String message, Set<String> nodes, Promise<List<String>> outcome) {}

    private final RecentCalls south = new RecentCalls();
    private final RecentCalls north = new RecentCalls();
    private final List<Sent> mail = new ArrayList<>();
    private long now;
    private int made;
    private final CallSender sender = new CallSender(south, "s0123456", "south", this::leave, () -> now);
    private final AllCalls all = new AllCalls(north, "north", () -> now);

    private Future<List<String>> leave(String message, Set<String> nodes) {
        Promise<List<String>> outcome = Promise.promise();
        mail.add(new Sent(message, nodes, outcome));
        return outcome.future();
    }

    private void call(RecentCalls where, String team, int times) {
        for (int call = 0; call < times; call++) {
            where.add(new FinishedCall(
                    Instant.EPOCH,
                    new FinishedCall.CallerKey(team, "k"),
                    new FinishedCall.CalledTool("tools/call", "t", "vectordb"),
                    new FinishedCall.CallOutcome("allowed", "ok", 1),
                    new FinishedCall.CallEffort(Duration.ZERO, 1, List.of(), 0),
                    new FinishedCall.CallIds(Integer.toString(made++), null)));
        }
    }

    /** What is sent now arrives at the others. */
    private void arrives() {
        assertTrue(sender.send());
        Sent sent = mail.removeFirst();
        all.received("s0123456", sent.message());
        sent.outcome().complete(List.copyOf(sent.nodes()));
    }

    private void watch() {
        sender.watched("n", all.watch());
    }

    private static List<Integer> requests(RecentCalls.NewCalls calls) {
        return calls.calls().stream()
                .map(call -> {
                    try {
                        return Json.parse(call.json()).path("request").asInt();
                    } catch (JsonProcessingException e) {
                        throw new AssertionError(e);
                    }
                })
                .toList();
    }

    @Test
    void whatWasBeforeComesLittleByLittleAndNothingOfItIsMissed() {
        call(south, "red", 250);
        long place = all.now().first(ALL).place();
        watch();
        arrives();
        List<Integer> seen = new ArrayList<>();
        while (seen.size() < SentCalls.MOST) {
            RecentCalls.NewCalls next = all.now().after(ALL, place, 128);
            assertTrue(next.calls().size() <= AllCalls.AT_ONCE, next::toString);
            assertEquals(0, next.missed());
            place = next.place();
            seen.addAll(requests(next));
        }
        assertEquals(50, seen.getFirst(), "the newest of them");
        assertEquals(249, seen.getLast());
        call(south, "red", 1);
        arrives();
        assertEquals(List.of(250), requests(all.now().after(ALL, place, 128)));
        assertTrue(sender.send());
        assertEquals(List.of(), mail, "nothing is new");
    }

    @Test
    void itEndsHalfAMinuteAfterTheLastWord() {
        assertFalse(sender.send(), "nobody watches");
        watch();
        arrives();
        now += Duration.ofSeconds(20).toNanos();
        watch();
        arrives();
        assertTrue(all.heard(Set.of("s0123456")), "it answers, although there are no calls");
        assertFalse(all.heard(Set.of("s0123456", "another")));
        now += Duration.ofSeconds(29).toNanos();
        assertTrue(sender.send());
        assertFalse(all.heard(Set.of("s0123456")));
        now += Duration.ofSeconds(1).toNanos();
        assertFalse(sender.send());
        watch();
        sender.stop();
        assertFalse(sender.send(), "it is being stopped");
        watch();
        assertFalse(sender.send());
        assertEquals(List.of(), mail);
    }

    @Test
    void whatIsLeftOutIsCountedByTeam() {
        watch();
        arrives();
        long red = all.now().first(RED).place();
        long everything = all.now().first(ALL).place();
        long green = all.now().first(GREEN).place();
        call(south, "red", 300);
        call(south, "blue", 150);
        arrives();
        RecentCalls.NewCalls ofRed = all.now().after(RED, red, 500);
        assertEquals(50, ofRed.calls().size());
        assertEquals(250, ofRed.missed());
        assertEquals(250, all.now().after(ALL, everything, 500).missed());
        assertEquals(0, all.now().after(GREEN, green, 500).missed());
        assertEquals(
                RecentCalls.NewCalls.SOME,
                all.now().after(SHOP, everything, 500).missed());
    }

    @Test
    void aMessageThatComesTwiceOrOverlapsIsTakenOnce() {
        watch();
        arrives();
        long place = all.now().first(ALL).place();
        call(south, "red", 3);
        assertTrue(sender.send());
        Sent perhaps = mail.removeFirst();
        all.received("s0123456", perhaps.message());
        all.received("s0123456", perhaps.message());
        assertTrue(sender.send(), "it waits for the outcome");
        assertEquals(List.of(), mail);
        perhaps.outcome().fail("nobody knows whether it was left");
        call(south, "red", 2);
        arrives();
        RecentCalls.NewCalls seen = all.now().after(ALL, place, 128);
        assertEquals(List.of(0, 1, 2, 3, 4), requests(seen));
        assertEquals(0, seen.missed());
        call(south, "red", 1);
        assertTrue(sender.send());
        Sent lost = mail.removeFirst();
        all.received("s0123456", lost.message());
        lost.outcome().fail("nobody knows");
        call(south, "red", 400);
        arrives();
        RecentCalls.NewCalls later = all.now().after(ALL, seen.place(), 500);
        assertEquals(201, later.calls().size());
        assertEquals(200, later.missed());
    }

    /** It was left, but not read: whose calls these were nobody knows. */
    @Test
    void aMessageThatIsLostIsMissed() {
        watch();
        arrives();
        call(south, "red", 1);
        arrives();
        long everything = all.now().first(ALL).place();
        long red = all.now().first(RED).place();
        long green = all.now().first(GREEN).place();
        call(south, "red", 7);
        assertTrue(sender.send());
        mail.removeFirst().outcome().complete(List.of("n"));
        call(south, "red", 2);
        arrives();
        RecentCalls.NewCalls seen = all.now().after(ALL, everything, 128);
        assertEquals(2, seen.calls().size());
        assertEquals(7, seen.missed());
        RecentCalls.NewCalls ofRed = all.now().after(RED, red, 128);
        assertEquals(RecentCalls.NewCalls.SOME, ofRed.missed());
        assertEquals(2, ofRed.calls().size());
        assertEquals(0, all.now().after(RED, ofRed.place(), 128).missed(), "it is said once");
        RecentCalls.NewCalls ofGreen = all.now().after(GREEN, green, 128);
        assertEquals(RecentCalls.NewCalls.SOME, ofGreen.missed(), "perhaps of this team");
        call(north, "green", 1);
        RecentCalls.NewCalls own = all.now().after(GREEN, ofGreen.place(), 128);
        assertEquals(0, own.missed());
        assertEquals(1, own.calls().size());
    }

    @Test
    void whoWatchesAgainGoesOnWhereItWas() {
        watch();
        arrives();
        call(south, "red", 2);
        arrives();
        long place = all.now().first(ALL).place();
        now += Duration.ofMinutes(1).toNanos();
        assertFalse(sender.send());
        call(south, "red", 3);
        watch();
        arrives();
        RecentCalls.NewCalls seen = all.now().after(ALL, place, 128);
        assertEquals(List.of(2, 3, 4), requests(seen));
        now += Duration.ofMinutes(1).toNanos();
        assertFalse(sender.send());
        call(south, "red", 1_300);
        watch();
        arrives();
        RecentCalls.NewCalls later = all.now().after(ALL, seen.place(), 2_000);
        assertEquals(1_300, later.missed() + SentCalls.MOST);
        assertEquals(AllCalls.AT_ONCE, later.calls().size());
    }

    @Test
    void callsHaveTheNameOfTheirGatewayAndTwoOfOneNameDiffer() {
        call(north, "red", 1);
        call(south, "red", 1);
        watch();
        arrives();
        call(south, "blue", 1);
        String message = SentCalls.text("south", 0, false, south.next(CallPosition.BEGIN, 10));
        all.heard(Set.of("s0123456", "t987654"));
        all.received("t987654", message);
        Set<String> names = new TreeSet<>();
        all.now().first(ALL).calls().forEach(call -> {
            try {
                names.add(Json.parse(call.json()).path("gateway").asText());
            } catch (JsonProcessingException e) {
                throw new AssertionError(e);
            }
        });
        assertEquals(Set.of("north", "south", "south t987"), names);
    }

    @Test
    void aMessageIsSmallHoweverLongItsCallsAre() {
        for (int call = 0; call < 200; call++) {
            south.add(new ReceivedCall(
                    "red", "b", ("{\"request\":\"" + "x".repeat(9_000) + "\"}").getBytes(StandardCharsets.UTF_8)));
        }
        String message = SentCalls.text("south", 0, false, south.next(CallPosition.BEGIN, 200));
        assertTrue(message.length() < SentCalls.MOST_BYTES + 1_000, message.length() + " characters");
        assertTrue(message.contains("\"left_out\":{\"red\":"));
    }

    @Test
    void whatIsNoMessageIsRefused() {
        for (String message : List.of(
                "",
                "[]",
                "{}",
                "{\"gateway\":\"g\",\"from\":3,\"to\":1,\"calls\":[]}",
                "{\"gateway\":\"g\",\"from\":-1,\"to\":1,\"calls\":[]}",
                "{\"gateway\":\"g\",\"from\":1,\"to\":1,\"calls\":[{\"request\":\"r\",\"time\":\"t\",\"team\":\"\",\"backend\":\"\"}]}",
                "{\"gateway\":\"g\",\"from\":0,\"to\":1,\"calls\":[{\"request\":\"r\",\"time\":\"t\",\"team\":1,\"backend\":\"\"}]}",
                "{\"gateway\":\"g\",\"from\":0,\"to\":1,\"calls\":[],\"left_out\":{\"red\":-1}}",
                "{\"gateway\":1,\"from\":0,\"to\":1,\"calls\":[]}")) {
            assertThrows(IllegalArgumentException.class, () -> all.received("n", message), message);
        }
        for (String message : List.of("", "{}", "{\"seen\":{\"s0123456\":\"x\"}}")) {
            assertThrows(IllegalArgumentException.class, () -> sender.watched("n", message), message);
        }
        assertFalse(sender.send());
    }
}
