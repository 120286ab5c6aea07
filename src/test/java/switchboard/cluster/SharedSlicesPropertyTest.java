package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import switchboard.auth.Budget;
import switchboard.auth.TeamLimits;

/** Whatever several gateways do, together they let through no more than one would. */
class SharedSlicesPropertyTest {
    private static final int STEPS = 600;

    /** What one process would have let through, kept beside the nodes. */
    private static final class Book {
        /** Within this time others know of tokens, after three lost answers, too. */
        private static final long KNOWN_NANOS = 300_000_000L;

        private record Spent(SimulatedNodes.Node node, long nanos, long tokens, long day) {}

        private final SimulatedNodes nodes;
        private final TeamLimits limits;
        private final Map<Long, Long> callsByDay = new HashMap<>();
        private final Deque<Spent> spent = new ArrayDeque<>();
        private final Map<SimulatedNodes.Node, Long> woken = new HashMap<>();
        private double bucket;
        private long bucketNanos;

        Book(SimulatedNodes nodes, TeamLimits limits) {
            this.nodes = nodes;
            this.limits = limits;
            this.bucket = limits.burst() == null ? 0 : limits.burst();
        }

        private long day() {
            return Math.floorDiv(nodes.clock().millis(), 86_400_000L);
        }

        void arrived(int count) {
            Integer perSecond = limits.callsPerSecond();
            Integer burst = limits.burst();
            if (perSecond != null && burst != null) {
                long now = nodes.clock().nanos();
                bucket = Math.min(burst, bucket + (now - bucketNanos) / 1e9 * perSecond) - count;
                bucketNanos = now;
                assertTrue(bucket >= -0.05 * burst - 1e-6, "the rate is exceeded: " + bucket);
            }
        }

        void began(SimulatedNodes.Node node) {
            long calls = callsByDay.merge(day(), 1L, Long::sum);
            if (limits.callsPerDay() != null) {
                assertTrue(calls <= limits.callsPerDay(), "call " + calls + " of a day");
            }
            long before = nodes.clock().nanos() - KNOWN_NANOS;
            if (limits.tokensPerDay() != null && woken.getOrDefault(node, Long.MIN_VALUE) < before) {
                long known = spent.stream()
                        .filter(one -> one.nanos() < before && one.day() == day())
                        .mapToLong(Spent::tokens)
                        .sum();
                assertTrue(known < limits.tokensPerDay(), "a call though " + known + " tokens were used");
            }
        }

        void spent(SimulatedNodes.Node node, long tokens) {
            spent.add(new Spent(node, nodes.clock().nanos(), tokens, day()));
        }

        /** It was paused, perhaps for less than its slice lasts, and may not know what others have spent. */
        void woke(SimulatedNodes.Node node) {
            woken.put(node, nodes.clock().nanos());
        }

        /** What {@code node} has not told yet it does not tell any more, or late. */
        void silent(SimulatedNodes.Node node) {
            long told = nodes.clock().nanos() - KNOWN_NANOS;
            spent.removeIf(one -> one.node() == node && one.nanos() >= told);
        }
    }

    /** One run. */
    private static final class Run {
        private final Random random;
        private final SimulatedNodes nodes;
        private final TeamLimits limits;
        private final Book book;
        private final Map<SimulatedNodes.Node, List<Budget.Lease>> running = new HashMap<>();
        private final Map<SimulatedNodes.Node, Long> pausedAt = new HashMap<>();
        private int count;

        Run(long seed, int count, TeamLimits limits) {
            this.random = new Random(seed);
            this.nodes = new SimulatedNodes(count, limits);
            this.limits = limits;
            this.book = new Book(nodes, limits);
            this.count = count;
        }

        void go() {
            for (int step = 0; step < STEPS; step++) {
                SimulatedNodes.Node node = nodes.node(random.nextInt(count));
                switch (random.nextInt(40)) {
                    case 0 -> kill(node);
                    case 1 -> pause(node);
                    case 2 -> node.loses(1 + random.nextInt(3));
                    case 3 -> nodes.forward(random.nextInt(3_000));
                    case 4 -> nodes.forward(random.nextInt(100) == 0 ? 40_000_000 : 200);
                    default -> use(node);
                }
                nodes.forward(random.nextInt(random.nextInt(20) + 1));
                pausedAt.forEach((paused, since) -> {
                    if (!paused.runs() && nodes.clock().nanos() - since > 3_000_000_000L && random.nextInt(5) == 0) {
                        paused.goOn();
                        book.woke(paused);
                    }
                });
            }
        }

        private void kill(SimulatedNodes.Node node) {
            if (node.runs()) {
                node.kill();
                book.silent(node);
                running.remove(node); // its calls are over with it
                nodes.add();
                count++;
            }
        }

        /** Its calls stand still with it, and end when it goes on. */
        private void pause(SimulatedNodes.Node node) {
            if (node.runs()) {
                node.pause();
                book.silent(node);
                pausedAt.put(node, nodes.clock().nanos());
                running.remove(node, running.get(node));
            }
        }

        private void use(SimulatedNodes.Node node) {
            if (!node.runs()) {
                return;
            }
            List<Budget.Lease> own = running.computeIfAbsent(node, _ -> new ArrayList<>());
            if (!own.isEmpty() && random.nextInt(3) > 0) {
                end(node, own.remove(random.nextInt(own.size())));
            } else if (random.nextBoolean()) {
                int calls = 1 + random.nextInt(random.nextInt(4) + 1);
                Budget.Verdict verdict = node.budgets().arrive(SimulatedNodes.CALLER, calls);
                if (verdict instanceof Budget.Verdict.Undecided asking) {
                    asking.decision().onComplete(done -> counted(done.result(), calls));
                } else {
                    counted(verdict, calls);
                }
            } else {
                Budget.Start start = node.budgets().begin(SimulatedNodes.CALLER);
                if (start instanceof Budget.Start.Waits asking) {
                    asking.decision().onComplete(done -> began(node, done.result()));
                } else {
                    began(node, start);
                }
            }
        }

        private void counted(Budget.Verdict verdict, int calls) {
            if (verdict instanceof Budget.Verdict.Granted) {
                book.arrived(calls);
            }
        }

        private void began(SimulatedNodes.Node node, Budget.Start start) {
            if (start instanceof Budget.Start.Leased leased) {
                book.began(node);
                running.computeIfAbsent(node, _ -> new ArrayList<>()).add(leased.lease());
                long all = running.values().stream().mapToInt(List::size).sum();
                assertTrue(limits.concurrentCalls() == null || all <= limits.concurrentCalls(), all + " calls at once");
            }
        }

        private void end(SimulatedNodes.Node node, Budget.Lease lease) {
            int tokens = random.nextInt(100);
            book.spent(node, tokens);
            lease.end(new byte[4 * tokens]);
        }
    }

    @Property(tries = 60)
    void aRateIsNeverExceeded(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 5) int nodes,
            @ForAll @IntRange(min = 1, max = 200) int perSecond,
            @ForAll @IntRange(min = 0, max = 300) int more) {
        new Run(seed, nodes, new TeamLimits(perSecond, perSecond + more, null, null, null, null)).go();
    }

    @Property(tries = 60)
    void neitherIsADay(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 5) int nodes,
            @ForAll @IntRange(min = 1, max = 400) int calls,
            @ForAll @IntRange(min = 1, max = 20_000) int tokens) {
        new Run(seed, nodes, new TeamLimits(null, null, null, null, (long) calls, (long) tokens)).go();
    }

    @Property(tries = 60)
    void norAreConcurrentCalls(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 5) int nodes,
            @ForAll @IntRange(min = 1, max = 12) int atOnce) {
        new Run(seed, nodes, new TeamLimits(null, null, atOnce, null, null, null)).go();
    }

    @Property(tries = 40)
    void norIsAnyOfThemTogether(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 5) int nodes,
            @ForAll @IntRange(min = 1, max = 50) int size) {
        new Run(seed, nodes, new TeamLimits(size, 2 * size, size, null, 20L * size, 500L * size)).go();
    }
}
