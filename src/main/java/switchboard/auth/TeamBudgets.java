package switchboard.auth;

import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The budgets of all teams, and of keys with limits of their own. A change of limits keeps the counts, and a restart does
 * with {@link #save} and {@link #restore}.
 */
public final class TeamBudgets implements Budget {
    private static final Verdict.DecidedVerdict GRANTED = new Verdict.Granted();

    private final Supplier<TeamDirectory> teams;
    private final TokenEstimate estimate;
    private final Clock clock;
    private final LongSupplier nanos;
    private final ObjLongConsumer<String> spending;
    private final @Nullable SharedBudgets shared;
    private final Map<BudgetPayer, Account> accounts = new ConcurrentHashMap<>();

    /** An account with its current limits. */
    private record LimitedAccount(Account account, TeamLimits limits) {
        boolean metered() {
            return limits.tokensPerDay() != null;
        }
    }

    /**
     * Makes budgets.
     *
     * @param teams the current teams, read at every call
     * @param estimate counts the tokens of answers, if they are limited
     * @param clock the wall clock; days are UTC days
     * @param nanos a steady clock in nanoseconds, for rates
     * @param spending receives the counted tokens of each team; called on any thread
     * @param shared makes limits hold over several gateways; null if this one is by itself
     */
    public TeamBudgets(
            Supplier<TeamDirectory> teams,
            TokenEstimate estimate,
            Clock clock,
            LongSupplier nanos,
            ObjLongConsumer<String> spending,
            @Nullable SharedBudgets shared) {
        this.teams = teams;
        this.estimate = estimate;
        this.clock = clock;
        this.nanos = nanos;
        this.spending = spending;
        this.shared = shared;
    }

    @Override
    public Verdict arrive(Principal principal, int calls) {
        return arrive(accounts(principal), 0, calls);
    }

    /** Counts {@code calls} against the accounts from the one numbered {@code from}. */
    private static Verdict arrive(List<LimitedAccount> accounts, int from, int calls) {
        for (int i = from; i < accounts.size(); i++) {
            switch (accounts.get(i).account().arrive(accounts.get(i).limits(), calls)) {
                case Verdict.Granted _ -> {}
                case Verdict.DecidedVerdict refused -> {
                    return takeBack(accounts, i, calls, refused);
                }
                case Verdict.Undecided waiting -> {
                    int at = i;
                    return new Verdict.Undecided(
                            waiting.decision().compose(decided -> goOn(accounts, at, calls, decided)));
                }
            }
        }
        return GRANTED;
    }

    private static Future<Verdict.DecidedVerdict> goOn(
            List<LimitedAccount> accounts, int at, int calls, Verdict.DecidedVerdict decided) {
        return decided instanceof Verdict.Granted
                ? switch (arrive(accounts, at + 1, calls)) {
                    case Verdict.DecidedVerdict rest -> Future.succeededFuture(rest);
                    case Verdict.Undecided more -> more.decision();
                }
                : Future.succeededFuture(takeBack(accounts, at, calls, decided));
    }

    private static Verdict.DecidedVerdict takeBack(
            List<LimitedAccount> accounts, int refusing, int calls, Verdict.DecidedVerdict verdict) {
        accounts.subList(0, refusing).forEach(counted -> counted.account().takeBack(calls));
        return verdict;
    }

    @Override
    public Start begin(Principal principal) {
        return begin(principal.team(), accounts(principal), 0, new AtomicReference<>(() -> {}));
    }

    /**
     * Counts a call on the accounts from the one numbered {@code from}.
     *
     * @param giveUp what gives up waiting, whichever account is waited for
     */
    private Start begin(String team, List<LimitedAccount> accounts, int from, AtomicReference<Runnable> giveUp) {
        for (int i = from; i < accounts.size(); i++) {
            switch (accounts.get(i).account().begin(accounts.get(i).limits())) {
                case Account.Entry.Counted _ -> {}
                case Account.Entry.Refused refused -> {
                    return undone(accounts, i, refused);
                }
                case Account.Entry.Waits waiting -> {
                    giveUp.set(waiting.giveUp());
                    int at = i;
                    return new Start.Waits(
                            waiting.decision()
                                    .compose(decided -> flat(
                                            decided instanceof Account.Entry.Refused refused
                                                    ? undone(accounts, at, refused)
                                                    : begin(team, accounts, at + 1, giveUp))),
                            () -> giveUp.get().run());
                }
            }
        }
        AtomicBoolean open = new AtomicBoolean(true);
        return new Start.Leased(answer -> {
            if (open.compareAndSet(true, false)) {
                end(team, accounts, answer);
            }
        });
    }

    private static Start.DecidedStart undone(
            List<LimitedAccount> accounts, int refusing, Account.Entry.Refused refused) {
        accounts.subList(0, refusing).forEach(counted -> counted.account().undo());
        return refused.why();
    }

    private static Future<Start.DecidedStart> flat(Start start) {
        return switch (start) {
            case Start.DecidedStart decided -> Future.succeededFuture(decided);
            case Start.Waits more -> more.decision();
        };
    }

    @Override
    public void charge(Principal principal, byte[] answer) {
        count(principal.team(), accounts(principal), answer);
    }

    @Override
    public int maxResultBytes(Principal principal) {
        int most = Integer.MAX_VALUE;
        for (LimitedAccount account : accounts(principal)) {
            most = Math.min(most, resultBytes(account.limits()));
        }
        return most;
    }

    /** What {@code payer} has used today; empty if limits hold over several gateways, which only together know. */
    public Optional<TodaysUse> today(BudgetPayer payer) {
        Account account = accounts.get(payer);
        return account != null ? account.today() : shared == null ? Optional.of(TodaysUse.NOTHING) : Optional.empty();
    }

    /** What all have used, as JSON; nothing if there is nothing. */
    public byte[] save() {
        return SavedBudgets.write(accounts.entrySet().stream()
                .flatMap(account -> account
                        .getValue()
                        .save(account.getKey().team(), account.getKey().key())
                        .stream())
                .toList());
    }

    /**
     * Adds what another process has saved to what was counted since.
     *
     * @throws IllegalArgumentException if it can't be read; nothing is taken then
     */
    public void restore(byte[] saved) {
        SavedBudgets.read(saved).forEach(budget -> account(
                        new BudgetPayer(budget.team(), budget.key()),
                        budget.key().isEmpty() ? LimitScope.TEAM : LimitScope.KEY)
                .add(budget));
    }

    private void end(String team, List<LimitedAccount> accounts, byte[] answer) {
        accounts.forEach(counted -> counted.account().end());
        count(team, accounts, answer);
    }

    private void count(String team, List<LimitedAccount> accounts, byte[] answer) {
        if (accounts.stream().anyMatch(LimitedAccount::metered)) {
            estimate.count(team, answer, tokens -> {
                accounts.stream().filter(LimitedAccount::metered).forEach(counted -> counted.account()
                        .spent(tokens));
                spending.accept(team, tokens);
            });
        }
    }

    /** The accounts of {@code principal}, the narrowest limits first. */
    private List<LimitedAccount> accounts(Principal principal) {
        Optional<Team> team = teams.get().team(principal.team());
        TeamLimits ofKey = team.map(found -> found.keyLimits(principal.id())).orElse(TeamLimits.NONE);
        LimitedAccount all = new LimitedAccount(
                account(new BudgetPayer(principal.team(), ""), LimitScope.TEAM),
                team.map(Team::limits).orElse(TeamLimits.NONE));
        return ofKey.equals(TeamLimits.NONE)
                ? List.of(all)
                : List.of(
                        new LimitedAccount(
                                account(new BudgetPayer(principal.team(), principal.id()), LimitScope.KEY), ofKey),
                        all);
    }

    private static int resultBytes(TeamLimits limits) {
        return limits.resultBytes() == null ? Integer.MAX_VALUE : limits.resultBytes();
    }

    private Account account(BudgetPayer payer, LimitScope whose) {
        return accounts.computeIfAbsent(
                payer, _ -> shared == null ? new TeamAccount(clock, nanos, whose) : shared.account(payer, whose));
    }
}
