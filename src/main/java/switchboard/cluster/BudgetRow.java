package switchboard.cluster;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.auth.BudgetGrant;
import switchboard.auth.BudgetLedger;
import switchboard.auth.BudgetLimits;
import switchboard.auth.BudgetReport;

/**
 * What all nodes have used of one payer's limits, and what each holds. All arithmetic of shared limits is here. Immutable.
 *
 * @param day the UTC day of the counts
 * @param calls of that day, used or held by a node
 * @param tokens the same
 * @param level calls that may come at once, without those that nodes hold; null if as many as the limit allows
 * @param atMillis when that was
 * @param leases what nodes hold, by node
 */
record BudgetRow(
        long day, long calls, long tokens, @Nullable Double level, long atMillis, Map<String, BudgetLease> leases) {
    /** Of a payer that has used nothing. */
    static final BudgetRow NEW = new BudgetRow(0, 0, 0, null, 0, Map.of());

    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    /** Transactions that wait for each other may see times in another order; more than this is a clock that was set. */
    private static final long TOLERATED_MS = 10_000;

    /** For so long others let a node go first that needs a place and has waited longer. */
    private static final long TURN_MS = 100;

    private static final double ROUNDING = 1e-6;

    BudgetRow {
        leases = Map.copyOf(leases);
    }

    /** The row after an exchange, and what the node has then. */
    record Exchanged(BudgetRow row, BudgetGrant grant) {}

    /** What becomes of a day's count. */
    private record DayCount(long total, BudgetLease.DayPart part) {
        BudgetGrant.DayGrant grant(long elsewhere) {
            return new BudgetGrant.DayGrant(part.taken(), total, elsewhere);
        }
    }

    /** The rate after an exchange: what is left for all, what the node gets, and what it holds then. */
    private record RateCount(@Nullable Double level, long granted, long held) {
        BudgetGrant.RateGrant grant(long elsewhere) {
            return new BudgetGrant.RateGrant(granted, level == null ? 0 : level, elsewhere);
        }
    }

    /**
     * Exchanges slices with {@code node}.
     *
     * @param nowMillis the database's clock
     * @param nodes how many nodes there are; none takes more than its part of what is left, unless it needs it
     */
    Exchanged exchange(String node, BudgetReport report, long nowMillis, int nodes) {
        long now = nowMillis < atMillis && atMillis - nowMillis <= TOLERATED_MS ? atMillis : nowMillis;
        BudgetRow turned = at(Math.floorDiv(now, DAY_MS), now, node);
        List<BudgetLease> others = turned.others(node);
        DayCount ofCalls = turned.count(
                node,
                turned.calls,
                BudgetLease::calls,
                report,
                report.calls(),
                report.limits().callsPerDay(),
                nodes);
        DayCount ofTokens = turned.count(
                node,
                turned.tokens,
                BudgetLease::tokens,
                report,
                report.tokens(),
                report.limits().tokensPerDay(),
                nodes);
        RateCount ofRate = turned.rate(node, report, now, nodes);
        BudgetLease.PlacePart places = turned.places(node, report, now, nodes);
        Map<String, BudgetLease> next = new HashMap<>(turned.leases);
        next.put(
                node,
                new BudgetLease(now + BudgetLedger.LEASE_MS, ofCalls.part(), ofTokens.part(), ofRate.held(), places));
        BudgetGrant grant = new BudgetGrant(
                turned.day,
                ofCalls.grant(
                        others.stream().mapToLong(lease -> lease.calls().left()).sum()),
                ofTokens.grant(others.stream()
                        .mapToLong(lease -> lease.tokens().left())
                        .sum()),
                ofRate.grant(others.stream().mapToLong(BudgetLease::rate).sum()),
                new BudgetGrant.PlaceGrant(places.held(), held(others)));
        return new Exchanged(
                new BudgetRow(turned.day, ofCalls.total(), ofTokens.total(), ofRate.level(), now, next), grant);
    }

    private List<BudgetLease> others(String node) {
        return leases.entrySet().stream()
                .filter(lease -> !lease.getKey().equals(node))
                .map(Map.Entry::getValue)
                .toList();
    }

    private static int held(List<BudgetLease> leases) {
        return leases.stream().mapToInt(lease -> lease.places().held()).sum();
    }

    /** This row on the day {@code calendar}, without the leases that have ended: what those nodes had counts as used. */
    private BudgetRow at(long calendar, long now, String node) {
        // A clock that is behind, as another server's may be, comes to the same midnight again: no day's budget is
        // given twice.
        long today = day - calendar == 1 ? day : calendar;
        boolean turns = today > day; // a clock that was set back counts on
        Map<String, BudgetLease> open = new HashMap<>();
        leases.forEach((holder, lease) -> {
            long left = lease.untilMillis() - now;
            boolean lasts = left > 0 && left <= BudgetLedger.LEASE_MS + TOLERATED_MS;
            if (lasts || holder.equals(node)) {
                BudgetLease valid = lasts ? lease : lease.ended();
                open.put(holder, turns ? valid.onNewDay() : valid);
            }
        });
        return new BudgetRow(today, turns ? 0 : calls, turns ? 0 : tokens, level, atMillis, open);
    }

    private DayCount count(
            String node,
            long total,
            Function<BudgetLease, BudgetLease.DayPart> part,
            BudgetReport report,
            BudgetReport.DayUse use,
            @Nullable Long limit,
            int nodes) {
        boolean sameDay = report.day() == null || report.day() == day;
        BudgetLease own = leases.get(node);
        long before = own == null ? use.taken() : part.apply(own).taken();
        long others = sameDay ? Math.max(0, total - before) : total;
        long used = sameDay ? use.used() : 0;
        long kept = sameDay ? use.kept() : 0;
        long free = limit == null ? 0 : Math.max(0, limit - others - used - kept);
        long left = kept + granted(free, use.needed(), use.wanted(), nodes);
        return new DayCount(others + used + left, new BudgetLease.DayPart(used + left, left));
    }

    /** What a node gets of {@code free}: what it needs, and what it would like beside if there is plenty. */
    private static long granted(long free, long needed, long wanted, int nodes) {
        return Math.min(free, Math.max(needed, Math.min(wanted, free / (2L * nodes))));
    }

    private RateCount rate(String node, BudgetReport report, long now, int nodes) {
        Integer perSecond = report.limits().callsPerSecond();
        BudgetReport.RateUse use = report.rate();
        if (perSecond == null) {
            return new RateCount(level, 0, use.kept());
        }
        double burst = report.limits().burst();
        long own = leases.getOrDefault(node, BudgetLease.NONE).rate();
        long held = leases.values().stream().mapToLong(BudgetLease::rate).sum();
        double refilled = level == null ? burst : level + Math.max(0, now - atMillis) * (double) perSecond / 1000;
        // What nodes hold fills the bucket, too.
        double before = Math.min(refilled, burst - held);
        double after = Math.min(before + use.back(), burst - (held - own) - use.kept()) - use.debt();
        long whole = (long) Math.max(0, Math.floor(after + ROUNDING));
        long granted = granted(whole, use.needed(), use.wanted(), nodes);
        return new RateCount(Math.max(-burst, after - granted), granted, use.kept() + granted);
    }

    private BudgetLease.PlacePart places(String node, BudgetReport report, long now, int nodes) {
        Integer limit = report.limits().concurrentCalls();
        BudgetReport.PlaceUse use = report.places();
        if (limit == null) {
            return BudgetLease.PlacePart.NONE;
        }
        BudgetLease.PlacePart own = leases.getOrDefault(node, BudgetLease.NONE).places();
        List<BudgetLease> others = others(node);
        int before = others.stream()
                .filter(other ->
                        now - other.askedMillis() <= TURN_MS && other.places().servedMillis() < own.servedMillis())
                .mapToInt(other -> other.places().missing())
                .sum();
        int free = Math.max(0, limit - held(others) - use.kept());
        int mine = Math.max(0, free - before);
        int share = Math.max(0, limit / nodes - use.kept());
        int granted =
                Math.min(mine, Math.max(use.needed(), Math.min(use.wanted(), Math.max(share, mine / (2 * nodes)))));
        return new BudgetLease.PlacePart(
                use.kept() + granted,
                Math.max(0, use.needed() - granted),
                granted > 0 && use.needed() > 0 ? now : own.servedMillis());
    }

    /** When the rate has no memory of what was used; {@code nowMillis} if it is so already. */
    long fullAtMillis(BudgetLimits limits) {
        Integer perSecond = limits.callsPerSecond();
        return level == null || perSecond == null
                ? atMillis
                : atMillis + (long) Math.ceil(Math.max(0, limits.burst() - level) * 1000 / perSecond);
    }
}
