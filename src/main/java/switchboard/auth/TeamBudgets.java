package switchboard.auth;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The budgets of all teams, in this process's memory: a restart begins a new day. A team whose limits change keeps what
 * it has used today.
 */
public final class TeamBudgets implements Budget {
    private static final long BUSY_RETRY_MS = 250;

    private final Supplier<TeamDirectory> teams;
    private final Clock clock;
    private final Map<String, Account> accounts = new ConcurrentHashMap<>();

    /**
     * Budgets.
     *
     * @param teams the directory in force, asked at every call
     * @param clock what time it is; days are UTC days
     */
    public TeamBudgets(Supplier<TeamDirectory> teams, Clock clock) {
        this.teams = teams;
        this.clock = clock;
    }

    @Override
    public Verdict arrive(Principal principal, int calls) {
        return account(principal).arrive(limits(principal), calls);
    }

    @Override
    public Start begin(Principal principal) {
        return account(principal).begin(limits(principal));
    }

    @Override
    public int maxResultBytes(Principal principal) {
        Integer most = limits(principal).resultBytes();
        return most == null ? Integer.MAX_VALUE : most;
    }

    private Account account(Principal principal) {
        return accounts.computeIfAbsent(principal.team(), team -> new Account(clock));
    }

    private TeamLimits limits(Principal principal) {
        return teams.get().team(principal.team()).map(Team::limits).orElse(TeamLimits.NONE);
    }

    /** What one team has used. */
    private static final class Account {
        private final Clock clock;
        private @Nullable TeamLimits rated;
        private @Nullable Bucket bucket;
        private int running;
        private LocalDate day = LocalDate.EPOCH;
        private long calls;
        private long tokens;

        Account(Clock clock) {
            this.clock = clock;
        }

        synchronized Verdict arrive(TeamLimits limits, int count) {
            if (limits.callsPerSecond() == null || count == 0) {
                return new Verdict.Granted();
            }
            if (bucket == null || !limits.equals(rated)) {
                bucket = bucket(limits, limits.callsPerSecond());
                rated = limits;
            }
            int most = burst(limits, limits.callsPerSecond());
            if (count > most) {
                return new Verdict.TooMany(most);
            }
            ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(count);
            return probe.isConsumed()
                    ? new Verdict.Granted()
                    : new Verdict.TooFast(Math.max(1, TimeUnit.NANOSECONDS.toMillis(probe.getNanosToWaitForRefill())));
        }

        synchronized Start begin(TeamLimits limits) {
            turnPage();
            if (limits.callsPerDay() != null && calls >= limits.callsPerDay()) {
                return new Start.Exhausted("callsPerDay", untilTomorrow());
            }
            if (limits.tokensPerDay() != null && tokens >= limits.tokensPerDay()) {
                return new Start.Exhausted("tokensPerDay", untilTomorrow());
            }
            if (limits.concurrentCalls() != null && running >= limits.concurrentCalls()) {
                return new Start.Exhausted("concurrentCalls", BUSY_RETRY_MS);
            }
            running++;
            calls++;
            AtomicBoolean open = new AtomicBoolean(true);
            return new Start.Leased((bytes, used) -> {
                if (open.compareAndSet(true, false)) {
                    end(used);
                }
            });
        }

        private synchronized void end(long used) {
            turnPage();
            running--;
            tokens += used;
        }

        private void turnPage() {
            LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
            if (!today.equals(day)) {
                day = today;
                calls = 0;
                tokens = 0;
            }
        }

        private long untilTomorrow() {
            return Duration.between(
                            clock.instant(),
                            day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant())
                    .toMillis();
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
