package switchboard.auth;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;

/**
 * Exchanges the slices of all accounts with the database: what needs it within a few milliseconds is one exchange, and one is made after another.
 * Every second what is open is reported, so that leases go on and unused slices go back. While the database does not answer, each gateway
 * applies its part of the limits, and what it lets through is charged afterwards. Thread-safe.
 */
public final class SharedBudgets {
    /** The pause between two reports of what is open. */
    static final long PERIOD_MS = 1_000;

    private static final long GATHER_MS = 2;
    private static final long FIRST_PAUSE_MS = 5;
    private static final long LONGEST_PAUSE_MS = 40;
    private static final int ROUNDS_OF_ASKING = 25;
    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    /** A day that begins while the database is away begins so much later, as the two clocks may not run alike. */
    private static final long LATE_MS = 2_000;

    private final BudgetLedger ledger;
    private final Timers timers;
    private final LongSupplier nanos;
    private final Map<BudgetPayer, SharedAccount> accounts = new ConcurrentHashMap<>();
    private final Set<SharedAccount> open = ConcurrentHashMap.newKeySet();
    private final Set<SharedAccount> due = new LinkedHashSet<>();
    private final FailedExchanges failures = new FailedExchanges();
    private boolean scheduled;
    private Future<Void> underWay = Future.succeededFuture();
    private boolean closed;
    private volatile boolean away;
    private volatile @Nullable Seen seen;

    /** Runs what is due later, on any thread. */
    @FunctionalInterface
    public interface Timers {
        /** Runs {@code action} after {@code millis}; returns what cancels it. */
        Runnable after(long millis, Runnable action);
    }

    /** The database's clock at a time of the steady clock. */
    private record Seen(long millis, long nanos) {}

    /**
     * Shared limits.
     *
     * @param nanos a steady clock in nanoseconds
     */
    public SharedBudgets(BudgetLedger ledger, Timers timers, LongSupplier nanos) {
        this.ledger = ledger;
        this.timers = timers;
        this.nanos = nanos;
        ledger.listen(payer -> {
            SharedAccount account = accounts.get(payer);
            if (account != null) {
                account.ask();
            }
        });
    }

    /** Begins to report what is open. */
    public void start() {
        timers.after(PERIOD_MS, this::tick);
    }

    /** The account of {@code payer}. */
    SharedAccount account(BudgetPayer payer, Budget.LimitScope whose) {
        return accounts.computeIfAbsent(payer, _ -> new SharedAccount(payer, whose, this));
    }

    /** The steady clock, in nanoseconds. */
    long nanos() {
        return nanos.getAsLong();
    }

    /** How many gateways there are. */
    int nodes() {
        return Math.max(1, ledger.nodes());
    }

    /** Whether this gateway applies its part of the limits by itself now. */
    public boolean away() {
        return away;
    }

    private @Nullable Long millis() {
        Seen last = seen;
        return last == null ? null : last.millis() + TimeUnit.NANOSECONDS.toMillis(nanos() - last.nanos());
    }

    /** The UTC day by the database's clock, as far as it is known; a little late. */
    @Nullable
    Long today() {
        Long now = millis();
        return now == null ? null : Math.floorDiv(now - LATE_MS, DAY_MS);
    }

    /** Milliseconds until {@code day} ends. */
    long millisLeft(@Nullable Long day) {
        Long now = millis();
        return now == null || day == null ? PERIOD_MS : Math.max(1, (day + 1) * DAY_MS - now);
    }

    private void tick() {
        List<SharedAccount> reporting = new ArrayList<>();
        for (SharedAccount account : List.copyOf(open)) {
            open.remove(account);
            if (account.tick()) {
                open.add(account);
                reporting.add(account);
            }
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            due.addAll(reporting);
        }
        if (!reporting.isEmpty() || away || seen == null || !ledger.reachable()) {
            schedule(0);
        }
        timers.after(PERIOD_MS, this::tick);
    }

    /** Exchanges the slices of {@code account} within a few milliseconds. */
    void soon(SharedAccount account) {
        open.add(account);
        boolean ended;
        synchronized (this) {
            due.add(account);
            ended = closed;
        }
        if (ended) {
            timers.after(GATHER_MS, account::unanswered);
        } else if (!away) { // otherwise with the next period
            schedule(GATHER_MS);
        }
    }

    /** The same after a pause that grows with {@code rounds}; the other gateways are asked for what they don't use. */
    void again(SharedAccount account, int rounds) {
        if (rounds % ROUNDS_OF_ASKING == 0) {
            ask(account.payer());
        }
        timers.after(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(rounds, 3)), () -> soon(account));
    }

    /** Asks the other gateways for what they don't use. */
    void ask(BudgetPayer payer) {
        ledger.ask(payer);
    }

    private void schedule(long millis) {
        synchronized (this) {
            if (scheduled || !underWay.isComplete() || closed) {
                return;
            }
            scheduled = true;
        }
        timers.after(failures.any() ? Math.max(millis, FailedExchanges.PAUSE_MS) : millis, this::exchange);
    }

    private void exchange() {
        List<SharedAccount> now = new ArrayList<>();
        Promise<Void> end = Promise.promise();
        synchronized (this) {
            scheduled = false;
            if (closed || !underWay.isComplete()) {
                return;
            }
            underWay = end.future();
            due.stream().limit(BudgetLedger.MOST).forEach(now::add);
            now.forEach(due::remove);
        }
        Future<Void> made = report(now, false).recover(_ -> {
            failed(now);
            return Future.succeededFuture();
        });
        Futures.settle(made, _ -> over(end), _ -> over(end));
    }

    private void over(Promise<Void> end) {
        end.tryComplete();
        boolean more;
        synchronized (this) {
            more = !away && (!due.isEmpty() || failures.any());
        }
        if (more) {
            schedule(GATHER_MS);
        }
    }

    /** Reports, and fails if that is not answered soon. */
    private Future<Void> report(List<SharedAccount> now, boolean leaving) {
        long began = nanos();
        List<BudgetReport> reports =
                now.stream().map(account -> account.report(leaving)).toList();
        return soonEnough(exchange(reports)).transform(done -> {
            if (done.failed()) {
                failures.failed(nanos() - began);
                return Future.failedFuture(done.cause());
            }
            answered(now, done.result(), began);
            return Future.succeededFuture();
        });
    }

    private Future<BudgetAnswer> exchange(List<BudgetReport> reports) {
        try {
            return ledger.exchange(reports);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private void answered(List<SharedAccount> now, BudgetAnswer answer, long began) {
        seen = new Seen(answer.nowMillis(), began);
        away = false;
        failures.answered();
        now.forEach(account -> {
            var grant = answer.grants().get(account.payer());
            long end = grant == null ? 0 : (grant.day() + 1) * DAY_MS;
            account.answered(grant, end - answer.nowMillis());
        });
    }

    private void failed(List<SharedAccount> now) {
        if (!away && failures.leftMs() > 0) {
            synchronized (this) {
                due.addAll(now);
            }
        } else {
            away = true;
            now.forEach(SharedAccount::unanswered);
            open.forEach(SharedAccount::unanswered);
        }
    }

    /** The answer, or a failure if it takes too long for those who wait. */
    private Future<BudgetAnswer> soonEnough(Future<BudgetAnswer> answer) {
        Promise<BudgetAnswer> soon = Promise.promise();
        Runnable cancel = timers.after(failures.waitMs(), () -> soon.tryFail("no answer in time"));
        answer.onComplete(done -> {
            cancel.run();
            if (done.succeeded()) {
                soon.tryComplete(done.result());
            } else {
                soon.tryFail(done.cause());
            }
        });
        return soon.future();
    }

    /** Gives everything back. Whoever waits is told by what this gateway may let through by itself. */
    public Future<Void> close() {
        Future<Void> last;
        synchronized (this) {
            closed = true;
            last = underWay;
        }
        return last.compose(_ -> leave()).transform(_ -> {
            away = true;
            open.forEach(SharedAccount::unanswered);
            return Future.succeededFuture();
        });
    }

    /** Ends with the first failure: a database that does not answer costs no more time. */
    private Future<Void> leave() {
        List<SharedAccount> all = List.copyOf(open);
        List<List<SharedAccount>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += BudgetLedger.MOST) {
            parts.add(all.subList(from, Math.min(all.size(), from + BudgetLedger.MOST)));
        }
        return Futures.oneByOne(parts.iterator(), this::leave);
    }

    private Future<Void> leave(List<SharedAccount> some) {
        return report(some, true).recover(failure -> {
            if (away || failures.leftMs() == 0) {
                return Future.failedFuture(failure);
            }
            Promise<Void> paused = Promise.promise();
            timers.after(FailedExchanges.PAUSE_MS, paused::tryComplete);
            return paused.future().compose(_ -> leave(some));
        });
    }
}
