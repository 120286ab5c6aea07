package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.auth.ApiKey;
import switchboard.auth.Budget;
import switchboard.auth.BudgetAnswer;
import switchboard.auth.BudgetGrant;
import switchboard.auth.BudgetLedger;
import switchboard.auth.BudgetPayer;
import switchboard.auth.BudgetReport;
import switchboard.auth.Principal;
import switchboard.auth.SharedBudgets;
import switchboard.auth.Team;
import switchboard.auth.TeamBudgets;
import switchboard.auth.TeamDirectory;
import switchboard.auth.TeamLimits;
import switchboard.auth.TokenEstimate;
import switchboard.testing.HandClock;

/** Gateways that share limits by the rows of a database in memory. Time passes only in {@link #forward}; an exchange takes a millisecond each way. */
final class SimulatedNodes {
    static final Principal CALLER = new Principal("a", "k", List.of());

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T12:00:00Z"));
    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private final Map<BudgetPayer, BudgetRow> rows = new HashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private TeamLimits limits;
    private TeamLimits ofKey = TeamLimits.NONE;
    private long numbers;
    private int exchanges;
    private boolean away;

    private record Due(long millis, long number, @Nullable Node of, Runnable action) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(millis, other.millis);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    SimulatedNodes(int count, TeamLimits limits) {
        this.limits = limits;
        for (int i = 0; i < count; i++) {
            add();
        }
    }

    /** One more gateway. */
    Node add() {
        Node node = new Node("node" + numbers++);
        nodes.add(node);
        return node;
    }

    Node node(int index) {
        return nodes.get(index);
    }

    HandClock clock() {
        return clock;
    }

    int exchanges() {
        return exchanges;
    }

    int rows() {
        return rows.size();
    }

    void limits(TeamLimits now) {
        limits = now;
    }

    void keyLimits(TeamLimits now) {
        ofKey = now;
    }

    /** The database goes, or comes back. */
    void away(boolean now) {
        away = now;
    }

    /** Time passes. */
    void forward(long millis) {
        long until = now() + millis;
        while (!due.isEmpty() && due.peek().millis() <= until) {
            Due next = due.poll();
            clock.forward(Duration.ofMillis(Math.max(0, next.millis() - now())));
            Node of = next.of();
            if (of != null && of.paused) {
                of.missed.add(next.action());
            } else if (of == null || !of.killed) {
                next.action().run();
            }
        }
        clock.forward(Duration.ofMillis(until - now()));
    }

    private long now() {
        return clock.nanos() / 1_000_000;
    }

    private void later(long millis, @Nullable Node of, Runnable action) {
        due.add(new Due(now() + millis, numbers++, of, action));
    }

    /** One gateway. */
    final class Node implements BudgetLedger {
        private final String id;
        private final List<Runnable> missed = new ArrayList<>();
        private final SharedBudgets shared;
        private final TeamBudgets budgets;
        private Consumer<BudgetPayer> asked = _ -> {};
        private boolean killed;
        private boolean paused;
        private boolean cut;
        private int loses;
        private @Nullable TeamLimits own;

        Node(String id) {
            this.id = id;
            this.shared = new SharedBudgets(
                    this,
                    (millis, action) -> {
                        boolean[] open = {true};
                        later(millis, this, () -> {
                            if (open[0]) {
                                action.run();
                            }
                        });
                        return () -> open[0] = false;
                    },
                    clock::nanos);
            Supplier<TeamDirectory> teams = () -> new TeamDirectory(List.of(new Team(
                    "a",
                    List.of(new Team.TeamKey("k", ApiKey.sha256("k"), null, ofKey)),
                    List.of(),
                    Map.of(),
                    null,
                    own == null ? limits : own)));
            this.budgets = new TeamBudgets(teams, TokenEstimate.ROUGH, clock, clock::nanos, (_, _) -> {}, shared);
            shared.start();
        }

        TeamBudgets budgets() {
            return budgets;
        }

        /** Its own version of the file. */
        void limits(TeamLimits now) {
            own = now;
        }

        /** It hears and says nothing more. */
        void kill() {
            killed = true;
        }

        boolean runs() {
            return !killed && !paused;
        }

        void pause() {
            paused = true;
        }

        void goOn() {
            paused = false;
            List<Runnable> all = List.copyOf(missed);
            missed.clear();
            all.forEach(action -> later(0, this, action));
        }

        /** Nothing reaches the database from here, or does again. */
        void cut(boolean now) {
            cut = now;
        }

        /** The next {@code answers} are lost, though their exchanges were made. */
        void loses(int answers) {
            loses = answers;
        }

        boolean away() {
            return shared.away();
        }

        Future<Void> close() {
            return shared.close();
        }

        /** Whether {@code calls} messages are let through, when that is decided. */
        boolean arrives(int calls) {
            Budget.Verdict verdict = verdict(calls);
            return verdict instanceof Budget.Verdict.Granted;
        }

        Budget.Verdict verdict(int calls) {
            Budget.Verdict verdict = budgets.arrive(CALLER, calls);
            return verdict instanceof Budget.Verdict.Undecided asking ? wait(asking.decision()) : verdict;
        }

        Budget.Start start() {
            Budget.Start start = budgets.begin(CALLER);
            return start instanceof Budget.Start.Waits asking ? wait(asking.decision()) : start;
        }

        /** A call that has begun, or null. */
        Budget.@Nullable Lease begin() {
            return start() instanceof Budget.Start.Leased leased ? leased.lease() : null;
        }

        private <T> T wait(Future<T> decision) {
            for (int i = 0; i < 3_000 && !decision.isComplete(); i++) {
                forward(1);
            }
            return decision.result();
        }

        @Override
        public Future<BudgetAnswer> exchange(List<BudgetReport> reports) {
            Promise<BudgetAnswer> answer = Promise.promise();
            boolean lost = loses > 0;
            loses = Math.max(0, loses - 1);
            later(1, null, () -> {
                if (away || cut) {
                    later(1, this, () -> answer.tryFail("away"));
                    return;
                }
                exchanges++;
                Map<BudgetPayer, BudgetGrant> grants = new HashMap<>();
                for (BudgetReport report : reports) {
                    BudgetRow row = rows.get(report.payer());
                    if (row == null && report.first()) {
                        row = BudgetRow.NEW;
                    }
                    if (row != null) {
                        BudgetRow.Exchanged exchanged = row.exchange(id, report, clock.millis(), nodes());
                        rows.put(report.payer(), exchanged.row());
                        grants.put(report.payer(), exchanged.grant());
                    }
                }
                BudgetAnswer said = new BudgetAnswer(clock.millis(), grants);
                later(1, this, () -> {
                    if (lost) {
                        answer.tryFail("lost");
                    } else {
                        answer.tryComplete(said);
                    }
                });
            });
            return answer.future();
        }

        @Override
        public int nodes() {
            return (int) nodes.stream().filter(node -> !node.killed).count();
        }

        @Override
        public boolean reachable() {
            return !away && !cut;
        }

        @Override
        public void ask(BudgetPayer payer) {
            nodes.stream().filter(node -> node != this).forEach(node -> later(5, node, () -> node.asked.accept(payer)));
        }

        @Override
        public void listen(Consumer<BudgetPayer> listener) {
            asked = listener;
        }
    }
}
