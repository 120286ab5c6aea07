package switchboard.auth;

import io.vertx.core.Promise;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An account of a gateway that shares limits with others. It has a slice of each, and answers at once while that lasts; otherwise the call
 * waits until the slice was exchanged. What is not used goes back soon. Holds a short lock only.
 */
final class SharedAccount implements Account {
    /** How long a call waits for what other gateways may give back. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    /** What other gateways give back of a day arrives within this time. */
    private static final long BACK_MS = 1_000;

    private final BudgetPayer payer;
    private final Budget.LimitScope whose;
    private final SharedBudgets shared;
    private final DaySlice calls = new DaySlice();
    private final DaySlice tokens = new DaySlice();
    private final RateSlice rate = new RateSlice();
    private final PlaceSlice places = new PlaceSlice();
    private final SliceTimes times;
    private final WaitingCalls waiting = new WaitingCalls();
    private TeamLimits limits = TeamLimits.NONE;
    private TeamLimits reportedLimits = TeamLimits.NONE;
    private boolean first = true;
    private boolean alone;
    private boolean pausing; // until those who wait are asked for again
    private int rounds;
    private @Nullable SavedBudget restored;

    SharedAccount(BudgetPayer payer, Budget.LimitScope whose, SharedBudgets shared) {
        this.payer = payer;
        this.whose = whose;
        this.shared = shared;
        this.times = new SliceTimes(shared::nanos);
    }

    /** The team or key whose limits it counts. */
    BudgetPayer payer() {
        return payer;
    }

    @Override
    public synchronized Budget.Verdict arrive(TeamLimits now, int count) {
        if (now.callsPerSecond() == null || count == 0) {
            return new Budget.Verdict.Granted();
        }
        use(now);
        int most = now.atOnce(now.callsPerSecond());
        if (count > most) {
            return new Budget.Verdict.BurstExceeded(limit("burst"), most);
        }
        Budget.Verdict.DecidedVerdict verdict = verdict(count);
        if (verdict != null) {
            return verdict;
        }
        if (waiting.full()) {
            return new Budget.Verdict.RateExceeded(limit("callsPerSecond"), TeamAccount.BUSY_RETRY_MS);
        }
        Promise<Budget.Verdict.DecidedVerdict> verdictLater = Promise.promise();
        queue(new WaitingCalls.WaitingMessages(count, shared.nanos(), verdictLater));
        return new Budget.Verdict.Undecided(verdictLater.future());
    }

    /** Whether {@code count} messages fit the rate; null if the others have to be asked. */
    private Budget.Verdict.@Nullable DecidedVerdict verdict(int count) {
        Integer perSecond = limits.callsPerSecond();
        if (perSecond == null) {
            return new Budget.Verdict.Granted();
        }
        long now = shared.nanos();
        int burst = limits.atOnce(perSecond);
        if (standsAlone()) {
            rate.standAlone(perSecond, burst, shared.nodes(), now, times.leaseLasts());
            long wait = rate.takeAlone(count, now);
            return wait == 0 ? new Budget.Verdict.Granted() : tooFast(wait);
        }
        if (!times.leaseLasts()) {
            rate.expire();
        } else if (rate.take(count)) {
            if (rate.low()) {
                shared.soon(this);
            }
            return new Budget.Verdict.Granted();
        }
        long wait = rate.waitMs(count, perSecond, burst, now);
        return wait == 0 ? null : tooFast(wait);
    }

    private Budget.Verdict.DecidedVerdict tooFast(long waitMs) {
        return new Budget.Verdict.RateExceeded(limit("callsPerSecond"), waitMs);
    }

    @Override
    public synchronized void takeBack(int count) {
        if (limits.callsPerSecond() != null) {
            rate.takeBack(count);
        }
    }

    @Override
    public synchronized Entry begin(TeamLimits now) {
        use(now);
        Entry.DecidedEntry entry = entry();
        if (entry != null) {
            return entry;
        }
        if (waiting.full()) {
            return refuse("concurrentCalls", TeamAccount.BUSY_RETRY_MS);
        }
        WaitingCalls.WaitingCall call = new WaitingCalls.WaitingCall(shared.nanos(), Promise.promise());
        queue(call);
        return new Entry.Waits(call.entry().future(), () -> giveUp(call));
    }

    private void queue(WaitingCalls.Waiting one) {
        rounds = waiting.isEmpty() ? 0 : rounds;
        waiting.add(one);
        if (!pausing) {
            shared.soon(this);
        }
    }

    private void giveUp(WaitingCalls.WaitingCall call) {
        synchronized (this) {
            if (!waiting.remove(call)) {
                return;
            }
        }
        call.entry().complete(refuse("concurrentCalls", TeamAccount.BUSY_RETRY_MS));
    }

    /** Counts a call, or says what refuses it; null if the others have to be asked. */
    private Entry.@Nullable DecidedEntry entry() {
        boolean byItself = standsAlone();
        if (byItself || !limits.daily()) {
            turn();
        }
        if (byItself) {
            calls.standAlone(limits.callsPerDay(), shared.nodes());
            tokens.standAlone(limits.tokensPerDay(), shared.nodes());
        }
        boolean ask = false;
        if (limits.callsPerDay() != null && !roomToday(calls, byItself)) {
            if (byItself || usedUp(calls, limits.callsPerDay())) {
                return refuse("callsPerDay", shared.millisLeft(times.day()));
            }
            ask = true;
        }
        if (limits.tokensPerDay() != null && !roomToday(tokens, byItself)) {
            if (byItself || usedUp(tokens, limits.tokensPerDay())) {
                return refuse("tokensPerDay", shared.millisLeft(times.day()));
            }
            ask = true;
        }
        Integer atOnce = limits.concurrentCalls();
        if (atOnce != null
                && !(byItself ? places.roomAlone(atOnce, shared.nodes()) : times.leaseLasts() && places.room())) {
            if (byItself || places.full(atOnce)) {
                return refuse("concurrentCalls", TeamAccount.BUSY_RETRY_MS);
            }
            ask = true;
        }
        return ask ? null : counted();
    }

    private Entry.DecidedEntry counted() {
        places.begin();
        calls.use(1);
        if (limits.callsPerDay() != null && calls.low()) {
            shared.soon(this);
        }
        return Entry.COUNTED;
    }

    private boolean roomToday(DaySlice slice, boolean byItself) {
        return slice.room() && (byItself || times.daySliceLasts());
    }

    private boolean usedUp(DaySlice slice, long limit) {
        return times.dayLasts() && times.recentlyAnswered() && slice.exhausted(limit);
    }

    /** The limit that a call lacks that has waited long enough, or that can't be had by waiting. */
    private Entry.DecidedEntry lacking() {
        if (limits.callsPerDay() != null && !roomToday(calls, false)) {
            return refuse("callsPerDay", BACK_MS);
        }
        if (limits.tokensPerDay() != null && !roomToday(tokens, false)) {
            return refuse("tokensPerDay", BACK_MS);
        }
        return refuse("concurrentCalls", TeamAccount.BUSY_RETRY_MS);
    }

    @Override
    public synchronized void undo() {
        if (!times.turnedLately()) { // otherwise it may be of the day before
            calls.takeBack();
        }
        ended();
    }

    @Override
    public synchronized void end() {
        ended();
    }

    private void ended() {
        places.end();
        Integer atOnce = limits.concurrentCalls();
        if (atOnce != null && places.spare() && (times.asked() || atOnce < shared.nodes())) {
            shared.soon(this);
        }
    }

    @Override
    public synchronized void spent(long answered) {
        tokens.use(answered);
        if (limits.tokensPerDay() != null && (tokens.owes() || tokens.low())) {
            shared.soon(this);
        }
    }

    @Override
    public synchronized void add(SavedBudget saved) {
        restored = saved;
        shared.soon(this);
    }

    /** What was used while the database was away, and is not in it yet. */
    @Override
    public synchronized Optional<SavedBudget> save(String team, String key) {
        if (restored != null) {
            return Optional.of(restored);
        }
        boolean owes =
                (limits.callsPerDay() != null && calls.owes()) || (limits.tokensPerDay() != null && tokens.owes());
        Long today = times.day() == null ? shared.today() : times.day();
        return owes && today != null
                ? Optional.of(new SavedBudget(team, key, today, calls.owed(), tokens.owed(), SavedBudget.WHOLE, 0))
                : Optional.empty();
    }

    /** Counts what another process of this gateway could not report, once the day is known. */
    private void takeOver(SavedBudget saved) {
        restored = null;
        if (Objects.equals(times.day(), saved.day())) {
            calls.use(Math.max(0, saved.calls()));
            tokens.use(Math.max(0, saved.tokens()));
            shared.soon(this);
        }
    }

    private void use(TeamLimits now) {
        if (!now.equals(limits)) {
            limitsChanged();
            limits = now;
        }
    }

    private void limitsChanged() {
        calls.drop();
        tokens.drop();
        places.drop();
        rate.forget();
    }

    private boolean standsAlone() {
        alone = alone || shared.away();
        return shared.away();
    }

    private void turn() {
        Long today = shared.today();
        if (today != null && times.turn(today)) {
            calls.turn();
            tokens.turn();
        }
    }

    /** Another gateway needs what this one does not use. */
    void ask() {
        synchronized (this) {
            times.ask();
        }
        shared.soon(this);
    }

    /** A period is over; returns whether there is something to report. */
    synchronized boolean tick() {
        calls.tick();
        tokens.tick();
        rate.tick();
        places.tick();
        return !waiting.isEmpty()
                || alone
                || (limits.callsPerSecond() != null && rate.open())
                || (limits.concurrentCalls() != null && places.held())
                || (limits.callsPerDay() != null && (calls.left() > 0 || calls.owes()))
                || (limits.tokensPerDay() != null && (tokens.left() > 0 || tokens.owes()));
    }

    /** What this gateway uses and needs. */
    synchronized BudgetReport report(boolean leaving) {
        long now = shared.nanos();
        boolean back = leaving || times.asked();
        int starting = waiting.calls();
        pausing = false;
        times.report();
        reportedLimits = limits;
        return new BudgetReport(
                payer,
                limits.shared(),
                first,
                times.day(),
                calls.report(limits.callsPerDay(), times.daySliceLasts(), starting, back),
                tokens.report(limits.tokensPerDay(), times.daySliceLasts(), Math.min(1, starting), back),
                rate.report(limits.callsPerSecond() != null, times.leaseLasts(), waiting.messages(), back, now),
                places.report(limits.concurrentCalls(), times.leaseLasts(), starting, back, shared.nodes()));
    }

    /**
     * The last report was answered.
     *
     * @param grant null if it has to be made as the first one
     * @param millisLeft until the day ends
     */
    void answered(@Nullable BudgetGrant grant, long millisLeft) {
        List<Runnable> decided;
        synchronized (this) {
            if (grant == null) {
                first = true;
                shared.soon(this);
                return;
            }
            first = false;
            alone = false;
            boolean anotherDay = times.answered(grant.day(), millisLeft);
            calls.answered(grant.calls(), anotherDay);
            tokens.answered(grant.tokens(), anotherDay);
            rate.answered(grant.rate(), times.reported());
            places.answered(grant.places());
            if (!reportedLimits.equals(limits)) {
                limitsChanged();
            }
            if (restored != null) {
                takeOver(restored);
            }
            if (limits.tokensPerDay() != null && tokens.exceeded(limits.tokensPerDay())) {
                shared.ask(payer);
            }
            decided = decide();
            if (!waiting.isEmpty()) {
                pausing = true;
                shared.again(this, rounds++);
            }
        }
        decided.forEach(Runnable::run);
    }

    /** The database does not answer: who waits is told by what this gateway may let through by itself. */
    void unanswered() {
        decide().forEach(Runnable::run);
    }

    private synchronized List<Runnable> decide() {
        long patient = shared.nanos() - PATIENCE_NANOS;
        return waiting.decide(
                one -> {
                    Budget.Verdict.DecidedVerdict verdict = verdict(one.count());
                    return verdict == null && one.since() - patient <= 0 ? tooFast(refillMs(one.count())) : verdict;
                },
                one -> {
                    Entry.DecidedEntry entry = entry();
                    return entry == null && one.since() - patient <= 0 ? lacking() : entry;
                });
    }

    private long refillMs(int count) {
        Integer perSecond = limits.callsPerSecond();
        return perSecond == null
                ? 1
                : Math.max(1, rate.refillMs(count, perSecond, limits.atOnce(perSecond), shared.nanos()));
    }

    private Budget.Limit limit(String name) {
        return new Budget.Limit(name, whose);
    }

    private Entry.DecidedEntry refuse(String name, long retryAfterMs) {
        return new Entry.Refused(new Budget.Start.Exhausted(limit(name), retryAfterMs));
    }
}
