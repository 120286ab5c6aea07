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

/** Counts what one team, or one key, has used of its limits. Thread-safe; holds a short lock only. */
final class TeamAccount {
    private static final long NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long BUSY_RETRY_MS = 250;

    private final LongSupplier nanos;
    private final DailyCallCounts day;
    private final Budget.LimitScope whose;
    private @Nullable TeamLimits rated;
    private @Nullable Bucket bucket;
    private int running;

    /**
     * Makes an account.
     *
     * @param clock says which day it is
     * @param nanos a steady clock for rates
     * @param whose whether it is for a team or a key
     */
    TeamAccount(Clock clock, LongSupplier nanos, Budget.LimitScope whose) {
        this.nanos = nanos;
        this.day = new DailyCallCounts(clock, nanos);
        this.whose = whose;
    }

    /** Counts {@code count} messages if the rate allows all of them. */
    synchronized Budget.Verdict arrive(TeamLimits limits, int count) {
        if (limits.callsPerSecond() == null || count == 0) {
            return new Budget.Verdict.Granted();
        }
        if (bucket == null || !limits.equals(rated)) {
            bucket = bucket(limits, limits.callsPerSecond());
            rated = limits;
        }
        int most = burst(limits, limits.callsPerSecond());
        if (count > most) {
            return new Budget.Verdict.BurstExceeded(limit("burst"), most);
        }
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(count);
        return probe.isConsumed()
                ? new Budget.Verdict.Granted()
                : new Budget.Verdict.RateExceeded(
                        limit("callsPerSecond"), Math.ceilDiv(probe.getNanosToWaitForRefill(), NANOS_PER_MS));
    }

    /** Takes back the last {@code count} messages, because another limit refused them. */
    synchronized void takeBack(int count) {
        if (bucket != null) {
            bucket.addTokens(count);
        }
    }

    /** Counts a call; returns the limit that refuses it, if any. */
    synchronized Optional<Budget.Start.Exhausted> begin(TeamLimits limits) {
        if (limits.callsPerDay() != null && day.calls() >= limits.callsPerDay()) {
            return Optional.of(new Budget.Start.Exhausted(limit("callsPerDay"), day.millisLeft()));
        }
        if (limits.tokensPerDay() != null && day.tokens() >= limits.tokensPerDay()) {
            return Optional.of(new Budget.Start.Exhausted(limit("tokensPerDay"), day.millisLeft()));
        }
        if (limits.concurrentCalls() != null && running >= limits.concurrentCalls()) {
            return Optional.of(new Budget.Start.Exhausted(limit("concurrentCalls"), BUSY_RETRY_MS));
        }
        running++;
        day.call();
        return Optional.empty();
    }

    /** Takes back a counted call that is not made. */
    synchronized void undo() {
        running--;
        day.callTakenBack();
    }

    /** Ends a call. */
    synchronized void end() {
        running--;
    }

    /** Counts the tokens of an answer. */
    synchronized void spent(long answered) {
        day.spent(answered);
    }

    private Budget.Limit limit(String name) {
        return new Budget.Limit(name, whose);
    }

    private static int burst(TeamLimits limits, int perSecond) {
        return limits.burst() == null ? perSecond : Math.max(perSecond, limits.burst());
    }

    private Bucket bucket(TeamLimits limits, int perSecond) {
        return Bucket.builder()
                .withCustomTimePrecision(new MonotonicTimeMeter(nanos))
                .addLimit(Bandwidth.builder()
                        .capacity(burst(limits, perSecond))
                        .refillGreedy(perSecond, Duration.ofSeconds(1))
                        .build())
                .build();
    }
}
