package switchboard.auth;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An account of a gateway by itself. Holds a short lock only. */
final class TeamAccount implements Account {
    private static final long NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);
    static final long BUSY_RETRY_MS = 250;

    /** After this time without a call, what another process had left of a rate is no longer saved. */
    private static final long RATE_KEPT_MS = Duration.ofDays(1).toMillis();

    private final Clock clock;
    private final LongSupplier nanos;
    private final DailyCallCounts day;
    private final Budget.LimitScope whose;
    private @Nullable SavedBudget before;
    private @Nullable Rate rate;
    private int running;

    /** The rate of {@code limits}, with at most {@code burst} calls at once. */
    private record Rate(TeamLimits limits, int burst, Bucket bucket) {}

    /**
     * Makes an account.
     *
     * @param clock says which day it is
     * @param nanos a steady clock for rates
     * @param whose whether it is for a team or a key
     */
    TeamAccount(Clock clock, LongSupplier nanos, Budget.LimitScope whose) {
        this.clock = clock;
        this.nanos = nanos;
        this.day = new DailyCallCounts(clock, nanos);
        this.whose = whose;
    }

    @Override
    public synchronized void add(SavedBudget saved) {
        day.add(saved);
        before = saved;
    }

    @Override
    public synchronized Optional<SavedBudget> save(String team, String key) {
        long available = SavedBudget.WHOLE;
        long atMillis = 0;
        if (rate != null && rate.bucket().getAvailableTokens() < rate.burst()) {
            available = rate.bucket().getAvailableTokens();
            atMillis = clock.millis();
        } else if (rate == null && before != null && clock.millis() - before.atMillis() < RATE_KEPT_MS) {
            available = before.available();
            atMillis = before.atMillis();
        }
        return day.calls() == 0 && day.tokens() == 0 && available == SavedBudget.WHOLE
                ? Optional.empty()
                : Optional.of(new SavedBudget(team, key, day.day(), day.calls(), day.tokens(), available, atMillis));
    }

    @Override
    public synchronized Optional<TodaysUse> today() {
        return Optional.of(new TodaysUse(day.calls(), day.tokens()));
    }

    @Override
    public synchronized Budget.Verdict arrive(TeamLimits limits, int count) {
        if (limits.callsPerSecond() == null || count == 0) {
            return new Budget.Verdict.Granted();
        }
        Rate current = rate;
        if (current == null || !limits.equals(current.limits())) {
            current = rate(limits, limits.callsPerSecond());
            rate = current;
            before = null;
        }
        if (count > current.burst()) {
            return new Budget.Verdict.BurstExceeded(limit("burst"), current.burst());
        }
        ConsumptionProbe probe = current.bucket().tryConsumeAndReturnRemaining(count);
        return probe.isConsumed()
                ? new Budget.Verdict.Granted()
                : new Budget.Verdict.RateExceeded(
                        limit("callsPerSecond"), Math.ceilDiv(probe.getNanosToWaitForRefill(), NANOS_PER_MS));
    }

    @Override
    public synchronized void takeBack(int count) {
        if (rate != null) {
            rate.bucket().addTokens(count);
        }
    }

    @Override
    public synchronized Entry begin(TeamLimits limits) {
        if (limits.callsPerDay() != null && day.calls() >= limits.callsPerDay()) {
            return refused("callsPerDay", day.millisLeft());
        }
        if (limits.tokensPerDay() != null && day.tokens() >= limits.tokensPerDay()) {
            return refused("tokensPerDay", day.millisLeft());
        }
        if (limits.concurrentCalls() != null && running >= limits.concurrentCalls()) {
            return refused("concurrentCalls", BUSY_RETRY_MS);
        }
        running++;
        day.call();
        return Entry.COUNTED;
    }

    private Entry refused(String name, long retryAfterMs) {
        return new Entry.Refused(new Budget.Start.Exhausted(limit(name), retryAfterMs));
    }

    @Override
    public synchronized void undo() {
        running--;
        day.callTakenBack();
    }

    @Override
    public synchronized void end() {
        running--;
    }

    @Override
    public synchronized void spent(long answered) {
        day.spent(answered);
    }

    private Budget.Limit limit(String name) {
        return new Budget.Limit(name, whose);
    }

    private Rate rate(TeamLimits limits, int perSecond) {
        int burst = limits.atOnce(perSecond);
        Bucket bucket = Bucket.builder()
                .withCustomTimePrecision(new MonotonicTimeMeter(nanos))
                .addLimit(Bandwidth.builder()
                        .capacity(burst)
                        .refillGreedy(perSecond, Duration.ofSeconds(1))
                        .initialTokens(before == null ? burst : before.availableAt(clock.millis(), perSecond, burst))
                        .build())
                .build();
        return new Rate(limits, burst, bucket);
    }
}
