package switchboard.auth;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

/**
 * The budgets of all teams, and of keys with limits of their own. A change of limits keeps the counts, and a restart does
 * with {@link #save} and {@link #restore}.
 */
public final class TeamBudgets implements Budget {
    private final Supplier<TeamDirectory> teams;
    private final TokenEstimate estimate;
    private final Clock clock;
    private final LongSupplier nanos;
    private final ObjLongConsumer<String> spending;
    private final Map<Payer, TeamAccount> accounts = new ConcurrentHashMap<>();

    /** A team (if {@code key} is empty) or one of its keys. */
    private record Payer(String team, String key) {}

    /** An account with its current limits. */
    private record LimitedAccount(TeamAccount account, TeamLimits limits) {
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
     */
    public TeamBudgets(
            Supplier<TeamDirectory> teams,
            TokenEstimate estimate,
            Clock clock,
            LongSupplier nanos,
            ObjLongConsumer<String> spending) {
        this.teams = teams;
        this.estimate = estimate;
        this.clock = clock;
        this.nanos = nanos;
        this.spending = spending;
    }

    @Override
    public Verdict arrive(Principal principal, int calls) {
        List<LimitedAccount> accounts = accounts(principal);
        for (int i = 0; i < accounts.size(); i++) {
            Verdict verdict = accounts.get(i).account().arrive(accounts.get(i).limits(), calls);
            if (!(verdict instanceof Verdict.Granted)) {
                accounts.subList(0, i).forEach(counted -> counted.account().takeBack(calls));
                return verdict;
            }
        }
        return new Verdict.Granted();
    }

    @Override
    public Start begin(Principal principal) {
        List<LimitedAccount> accounts = accounts(principal);
        for (int i = 0; i < accounts.size(); i++) {
            Optional<Start.Exhausted> exhausted =
                    accounts.get(i).account().begin(accounts.get(i).limits());
            if (exhausted.isPresent()) {
                accounts.subList(0, i).forEach(counted -> counted.account().undo());
                return exhausted.get();
            }
        }
        AtomicBoolean open = new AtomicBoolean(true);
        return new Start.Leased(answer -> {
            if (open.compareAndSet(true, false)) {
                end(principal.team(), accounts, answer);
            }
        });
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
                        new Payer(budget.team(), budget.key()),
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
                account(new Payer(principal.team(), ""), LimitScope.TEAM),
                team.map(Team::limits).orElse(TeamLimits.NONE));
        return ofKey.equals(TeamLimits.NONE)
                ? List.of(all)
                : List.of(
                        new LimitedAccount(account(new Payer(principal.team(), principal.id()), LimitScope.KEY), ofKey),
                        all);
    }

    private static int resultBytes(TeamLimits limits) {
        return limits.resultBytes() == null ? Integer.MAX_VALUE : limits.resultBytes();
    }

    private TeamAccount account(Payer payer, LimitScope whose) {
        return accounts.computeIfAbsent(payer, _ -> new TeamAccount(clock, nanos, whose));
    }
}
