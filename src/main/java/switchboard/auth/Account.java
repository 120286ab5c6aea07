package switchboard.auth;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What one team, or one key, has used of its limits. Thread-safe; never waits long. */
final class Account {
    private static final long BUSY_RETRY_MS = 250;

    private final Clock clock;
    private final Budget.Whose whose;
    private @Nullable TeamLimits rated;
    private @Nullable Bucket bucket;
    private int running;
    private long tomorrow = Long.MIN_VALUE;
    private long calls;
    private long tokens;

    Account(Clock clock, Budget.Whose whose) {
        this.clock = clock;
        this.whose = whose;
    }

    /** Counts {@code count} messages if the rate has room for all of them. */
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
            return new Budget.Verdict.TooMany(limit("burst"), most);
        }
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(count);
        return probe.isConsumed()
                ? new Budget.Verdict.Granted()
                : new Budget.Verdict.TooFast(
                        limit("callsPerSecond"),
                        Math.max(1, TimeUnit.NANOSECONDS.toMillis(probe.getNanosToWaitForRefill())));
    }

    /** The messages that were counted last did not come in after all. */
    synchronized void turnedAway(int count) {
        if (bucket != null && count > 0) {
            bucket.addTokens(count);
        }
    }

    /** Counts a call, or says what is against it. */
    synchronized Optional<Budget.Start.Exhausted> begin(TeamLimits limits) {
        turnPage();
        if (limits.callsPerDay() != null && calls >= limits.callsPerDay()) {
            return Optional.of(new Budget.Start.Exhausted(limit("callsPerDay"), untilTomorrow()));
        }
        if (limits.tokensPerDay() != null && tokens >= limits.tokensPerDay()) {
            return Optional.of(new Budget.Start.Exhausted(limit("tokensPerDay"), untilTomorrow()));
        }
        if (limits.concurrentCalls() != null && running >= limits.concurrentCalls()) {
            return Optional.of(new Budget.Start.Exhausted(limit("concurrentCalls"), BUSY_RETRY_MS));
        }
        running++;
        calls++;
        return Optional.empty();
    }

    /** A call that was counted is not made after all. */
    synchronized void undo() {
        running--;
        calls = Math.max(0, calls - 1);
    }

    /** A call is over. */
    synchronized void end() {
        running--;
    }

    /** A call was answered with so many tokens. */
    synchronized void spent(long answered) {
        turnPage();
        tokens += answered;
    }

    private void turnPage() {
        long now = clock.millis();
        if (now >= tomorrow) {
            tomorrow = LocalDate.ofInstant(Instant.ofEpochMilli(now), ZoneOffset.UTC)
                    .plusDays(1)
                    .atStartOfDay(ZoneOffset.UTC)
                    .toInstant()
                    .toEpochMilli();
            calls = 0;
            tokens = 0;
        }
    }

    private long untilTomorrow() {
        return tomorrow - clock.millis();
    }

    private Budget.Limit limit(String name) {
        return new Budget.Limit(name, whose);
    }

    private static int burst(TeamLimits limits, int perSecond) {
        return limits.burst() == null ? perSecond : Math.max(perSecond, limits.burst());
    }

    private Bucket bucket(TeamLimits limits, int perSecond) {
        return Bucket.builder()
                .withCustomTimePrecision(new ClockMeter(clock))
                .addLimit(Bandwidth.builder()
                        .capacity(burst(limits, perSecond))
                        .refillGreedy(perSecond, Duration.ofSeconds(1))
                        .build())
                .build();
    }

    private record ClockMeter(Clock clock) implements TimeMeter {
        @Override
        public long currentTimeNanos() {
            return TimeUnit.MILLISECONDS.toNanos(clock.millis());
        }

        @Override
        public boolean isWallClockBased() {
            return true;
        }
    }
}
