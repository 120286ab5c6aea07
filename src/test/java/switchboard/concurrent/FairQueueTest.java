package switchboard.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import switchboard.testing.TeamShares;

class FairQueueTest {
    private record Call(String team, int number) {}

    /** What a caller does with places, and what it holds of them by its own book. */
    private static final class Book {
        private final FairQueue<Call> fairQueue;
        private final Map<String, List<Call>> held = new TreeMap<>();
        private final List<Call> waiting = new ArrayList<>();
        private int number;

        Book(FairQueue<Call> fairQueue) {
            this.fairQueue = fairQueue;
        }

        void begin(String team) {
            Call call = new Call(team, number++);
            if (fairQueue.enter(team)) {
                hold(call);
            } else if (fairQueue.queue(team, call)) {
                waiting.add(call);
                grant();
            }
        }

        void end(String team) {
            List<Call> own = held.getOrDefault(team, List.of());
            if (!own.isEmpty()) {
                own.removeLast();
                fairQueue.leave(team);
                grant();
            }
        }

        void cancel(int which) {
            if (!waiting.isEmpty()) {
                Call call = waiting.remove(which % waiting.size());
                assertTrue(fairQueue.leaveQueue(call.team(), call));
                assertFalse(fairQueue.leaveQueue(call.team(), call));
            }
        }

        private void hold(Call call) {
            held.computeIfAbsent(call.team(), _ -> new ArrayList<>()).add(call);
        }

        private void grant() {
            for (Optional<Call> next = fairQueue.next(); next.isPresent(); next = fairQueue.next()) {
                Call call = next.get();
                assertEquals(
                        call,
                        waiting.stream()
                                .filter(one -> one.team().equals(call.team()))
                                .findFirst()
                                .orElseThrow(),
                        "first come, first served");
                waiting.remove(call);
                hold(call);
            }
        }

        int held() {
            return held.values().stream().mapToInt(List::size).sum();
        }
    }

    @Property(tries = 300)
    void noTeamIsAboveItsShareAndNoPlaceIsLost(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 12) int bound,
            @ForAll @IntRange(max = 12) int queue,
            @ForAll @IntRange(min = 1, max = 4) int teams,
            @ForAll @DoubleRange(min = 0.01, max = 1) double part) {
        TeamShare share = TeamShares.among(part, teams);
        FairQueue<Call> fairQueue = new FairQueue<>(() -> bound, queue, share);
        Book book = new Book(fairQueue);
        Random random = new Random(seed);
        for (int step = 0; step < 400; step++) {
            String team = "team" + random.nextInt(teams);
            switch (random.nextInt(5)) {
                case 0, 1 -> book.begin(team);
                case 2, 3 -> book.end(team);
                default -> book.cancel(random.nextInt(100));
            }
            assertEquals(book.held(), fairQueue.taken());
            assertEquals(book.waiting.size(), fairQueue.waiting());
            assertTrue(fairQueue.taken() <= bound && fairQueue.waiting() <= queue);
            for (int i = 0; i < teams; i++) {
                String one = "team" + i;
                int own = book.held.getOrDefault(one, List.of()).size();
                assertEquals(own, fairQueue.taken(one));
                assertTrue(own <= share.of(bound), one);
                assertTrue(fairQueue.waiting(one) <= share.of(queue), one);
                // Nobody waits beside a place that is free for it.
                assertTrue(fairQueue.waiting(one) == 0 || own == share.of(bound) || fairQueue.taken() == bound, one);
            }
        }
        for (int i = 0; i < teams; i++) {
            while (!book.held.getOrDefault("team" + i, List.of()).isEmpty() || fairQueue.waiting("team" + i) > 0) {
                for (int j = 0; j < teams; j++) {
                    book.end("team" + j);
                }
            }
        }
        assertEquals(0, fairQueue.taken());
        assertEquals(0, fairQueue.waiting());
        for (int i = 0; i < share.of(bound); i++) {
            assertTrue(fairQueue.enter("team0"), "all are free again");
        }
    }

    @Test
    void teamsThatWaitTakeTurns() {
        FairQueue<String> fairQueue = new FairQueue<>(() -> 1, 10, TeamShares.among(0.5, 3));
        assertTrue(fairQueue.enter("a"));
        for (String waiter : List.of("a1", "a2", "a3", "b1", "c1", "b2")) {
            assertTrue(fairQueue.queue(waiter.substring(0, 1), waiter));
        }
        List<String> order = new ArrayList<>();
        String holder = "a";
        for (int i = 0; i < 6; i++) {
            fairQueue.leave(holder);
            String next = fairQueue.next().orElseThrow();
            order.add(next);
            holder = next.substring(0, 1);
        }
        assertEquals(List.of("a1", "b1", "c1", "a2", "b2", "a3"), order);
    }

    @Test
    void theShareCountsOnlyWithSeveralTeamsAndForWorkOfNoneOfThemToo() {
        for (int teams = 0; teams < 2; teams++) {
            FairQueue<String> alone = new FairQueue<>(() -> 4, 0, TeamShares.among(0.5, teams));
            for (int i = 0; i < 4; i++) {
                assertTrue(alone.enter("a"));
            }
        }
        FairQueue<String> shared = new FairQueue<>(() -> 4, 2, TeamShares.among(0.5, 2));
        assertTrue(shared.enter("a"));
        assertTrue(shared.enter("a"));
        assertFalse(shared.enter("a"));
        assertTrue(shared.queue("a", "a1"));
        assertFalse(shared.queue("a", "a2"));
        assertTrue(shared.enter(""), "who waits for its share holds up nobody");
        assertTrue(shared.enter(""));
        assertFalse(shared.enter(""));
    }

    @Test
    void aClearedQueueHasNobodyAndTakesOthers() {
        FairQueue<String> fairQueue = new FairQueue<>(() -> 1, 3, TeamShares.among(1, 2));
        assertTrue(fairQueue.enter("a"));
        assertTrue(fairQueue.queue("a", "a1"));
        assertTrue(fairQueue.queue("b", "b1"));
        assertTrue(fairQueue.queue("a", "a2"));
        assertFalse(fairQueue.queue("b", "b2"));
        assertEquals(List.of("a1", "a2", "b1"), fairQueue.clearQueue());
        assertEquals(0, fairQueue.waiting());
        assertEquals(0, fairQueue.waiting("a"));
        assertFalse(fairQueue.leaveQueue("b", "b1"));
        assertEquals(1, fairQueue.taken());
        fairQueue.leave("a");
        assertEquals(Optional.empty(), fairQueue.next());
        assertTrue(fairQueue.enter("b"));
        for (String waiter : List.of("b1", "b2", "b3")) {
            assertTrue(fairQueue.queue("b", waiter));
        }
        assertEquals(List.of("b1", "b2", "b3"), fairQueue.clearQueue());
        assertEquals(List.of(), fairQueue.clearQueue());
    }

    @Test
    void aShareIsAWholeNumberAndAtLeastOneOfWhatThereIs() {
        TeamShare half = TeamShares.among(0.5, 2);
        assertEquals(
                List.of(0, 1, 1, 1, 2, 2),
                IntStream.range(0, 6).map(half::of).boxed().toList());
        assertEquals(9, TeamShares.among(0.9, 2).of(10));
        assertEquals(10, TeamShares.among(1, 2).of(10));
        assertEquals(1, TeamShares.among(0.01, 2).of(10));
        assertEquals(10, TeamShares.among(0.5, 1).of(10));
        assertEquals(10, TeamShare.ALL.of(10));
        TeamShare later = new TeamShare(0.5);
        assertEquals(10, later.of(10), "as long as nobody has said how many teams there are");
        later.among(() -> 2);
        assertEquals(5, later.of(10));
    }

    @Test
    void aBoundThatGrowsLetsInThoseThatWaitFirst() {
        int[] bound = {2};
        FairQueue<String> fairQueue = new FairQueue<>(() -> bound[0], 4, TeamShares.among(0.5, 2));
        assertTrue(fairQueue.enter("a"));
        assertTrue(fairQueue.enter("b"));
        assertTrue(fairQueue.queue("a", "a1"));
        bound[0] = 4;
        assertFalse(fairQueue.enter("b"), "somebody waits for it");
        assertEquals(Optional.of("a1"), fairQueue.next());
        assertTrue(fairQueue.enter("b"));
    }
}
