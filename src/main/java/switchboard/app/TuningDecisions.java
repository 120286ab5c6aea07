package switchboard.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.config.GatewayConfig;
import switchboard.config.InsightConfig;
import switchboard.config.SearchConfig;
import switchboard.console.ChangeOutcome;
import switchboard.console.ConsoleEditor;
import switchboard.console.ConsoleTuning;
import switchboard.insight.TrialOutcome;
import switchboard.tuning.TeamTuning;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningProposal;
import switchboard.tuning.TuningTrial;
import switchboard.tuning.UnsharedTuningException;

/**
 * Shows and approves proposed weights as the command {@code tune} does.
 *
 * @param live what searches rank by
 * @param trials what came of trials
 * @param operator who may do that: operators of the whole gateway
 */
record TuningDecisions(
        GatewayConfig config,
        LiveTuning live,
        TrialRun trials,
        AuditedChanges changes,
        Predicate<Principal> operator,
        Clock clock)
        implements ConsoleTuning {
    private static final Logger LOG = LoggerFactory.getLogger(TuningDecisions.class);

    /** Of more proposals, or decisions, the newest. */
    private static final int MOST = 50;

    @Override
    public boolean mayDecide(Principal person) {
        return operator.test(person);
    }

    @Override
    public Future<ObjectNode> list() {
        return changes.executor().run(() -> {
            SearchConfig.Fusion fusion = config.search().fusion();
            ObjectNode all = Json.object()
                    .put("tunable", fusion.method() == SearchConfig.Fusion.Method.LINEAR)
                    .put("similarity", fusion.similarity())
                    .put("cluster", config.cluster() != null);
            ArrayNode teams = all.putArray("teams");
            SortedSet<String> names = new TreeSet<>(config.insight().teams().keySet());
            names.remove(InsightConfig.EVERYBODY);
            names.addAll(live.folder().teams());
            names.forEach(team -> teams.add(shown(team)));
            return all;
        });
    }

    private ObjectNode shown(String team) {
        ObjectNode shown = Json.object().put("team", team);
        ArrayNode proposals = shown.putArray("proposals");
        ArrayNode decisions = shown.putArray("decisions");
        ArrayNode damaged = shown.putArray("damaged");
        try {
            TuningFolder.TeamProposals all = live.folder().allProposals(team);
            all.damaged().forEach(damaged::add);
            TeamTuning tuning = live.folder().decisions(team);
            shown.set("weights", tuning.weights().json());
            tuning.approval().ifPresent(approval -> shown.set("approval", approval.json()));
            newest(all.whole()).forEach(one -> proposals.add(shown(one, tuning)));
            newest(tuning.decisions()).forEach(one -> decisions.add(one.json()));
            live.folder()
                    .trials(team)
                    .running(clock.instant(), tuning.weights())
                    .ifPresent(trial -> shown.set("trial", shown(team, trial)));
        } catch (TuningFolder.RefusedTuningException e) {
            shown.put("problem", e.getMessage());
        } catch (IOException e) {
            LOG.warn("the proposals for a team can't be read: {}", e.toString());
            shown.put("problem", "Its files can't be read. The gateway's log says why.");
        }
        return shown;
    }

    private static <T> List<T> newest(List<T> all) {
        return all.reversed().stream().limit(MOST).toList();
    }

    /** A trial, with what came of it until now as far as that can be read. */
    private ObjectNode shown(String team, TuningTrial trial) {
        ObjectNode shown = trial.json();
        try {
            TrialOutcome outcome = trials.outcome(team, trial);
            shown.set(
                    "outcome",
                    Json.tree(outcome)
                            .put("p", outcome.p())
                            .put("verdict", outcome.verdict().name().toLowerCase(Locale.ROOT))
                            .put("conclusion", outcome.conclusion()));
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("what came of a trial can't be read: {}", e.toString());
        }
        return shown;
    }

    private ObjectNode shown(TuningProposal proposal, TeamTuning tuning) {
        boolean approved = tuning.approval()
                .filter(approval -> approval.proposal().equals(proposal.id()))
                .isPresent();
        boolean upToDate = proposal.before().equals(tuning.weights()) && proposal.comparedWith(trials.configured());
        return proposal.json()
                .put("hash", proposal.hash())
                .put("state", approved ? "approved" : upToDate ? "waiting" : "outdated");
    }

    @Override
    public Future<ChangeOutcome> approve(ConsoleEditor editor, SeenProposal seen) {
        return changes.make(editor, LiveTuning.APPROVE, seen.id(), () -> {
            if (!known(seen.team())) {
                return noTeam(seen.team());
            }
            TuningFolder.TeamProposals all = live.folder().allProposals(seen.team());
            if (all.damaged().stream().noneMatch(seen.id()::equals)
                    && all.whole().stream().map(TuningProposal::id).noneMatch(seen.id()::equals)) {
                return unchanged(
                        ChangeOutcome.Problem.UNKNOWN,
                        "id: there is no proposal " + seen.id() + " for team \"" + seen.team() + "\".");
            }
            try {
                trials.undoubted(seen.id()); // before the lock, because it reads the log
            } catch (TrialRun.DoubtfulProposalException e) {
                return unchanged(ChangeOutcome.Problem.CONFLICT, String.valueOf(e.getMessage()));
            } catch (IOException _) {
                LOG.debug("what came of a trial can't be read; approving says why");
            }
            return decided(editor, seen.team(), (by, now) -> {
                live.folder()
                        .approve(
                                seen.id(),
                                proposal -> proposal.team().equals(seen.team())
                                        && proposal.hash().equals(seen.hash()),
                                by,
                                now);
            });
        });
    }

    @Override
    public Future<ChangeOutcome> undo(ConsoleEditor editor, SeenApproval seen) {
        return changes.make(
                editor,
                LiveTuning.UNDO,
                seen.proposal(),
                () -> known(seen.team())
                        ? decided(editor, seen.team(), (by, now) -> live.folder()
                                .undo(
                                        seen.team(),
                                        last -> last.proposal().equals(seen.proposal())
                                                && last.at().toString().equals(seen.at()),
                                        by,
                                        now))
                        : noTeam(seen.team()));
    }

    @Override
    public Future<ChangeOutcome> endTrial(ConsoleEditor editor, SeenTrial seen) {
        return changes.make(
                editor,
                LiveTrials.END,
                seen.proposal(),
                () -> known(seen.team())
                        ? changed(
                                seen.team(),
                                now -> live.endTrial(
                                        seen.trial(),
                                        (by, time) -> live.folder()
                                                .end(
                                                        seen.team(),
                                                        trial -> trial.id().equals(seen.trial())
                                                                && trial.proposal()
                                                                        .equals(seen.proposal()),
                                                        by,
                                                        time),
                                        name(editor.person()),
                                        now,
                                        other -> other.note(changes.audit())))
                        : noTeam(seen.team()));
    }

    @Override
    public void denied(ConsoleEditor editor, TuningAction action) {
        changes.denied(
                editor,
                switch (action) {
                    case APPROVE -> LiveTuning.APPROVE;
                    case UNDO -> LiveTuning.UNDO;
                    case END_TRIAL -> LiveTrials.END;
                });
    }

    /** Whether something was proposed for {@code team}: who asks for another name creates no folder of it. */
    private boolean known(String team) throws IOException {
        return live.folder().teams().contains(team);
    }

    private ChangeOutcome decided(ConsoleEditor editor, String team, LiveTuning.DecisionMaker maker) {
        return changed(
                team, now -> live.decide(maker, name(editor.person()), now, other -> other.note(changes.audit())));
    }

    /** A change of files that notes when it was made. */
    @FunctionalInterface
    private interface TimedChange {
        /** Makes the change; {@code now} is the time that it notes. Blocks. */
        void at(Instant now) throws IOException;
    }

    private ChangeOutcome changed(String team, TimedChange change) {
        try {
            change.at(clock.instant());
            return new ChangeOutcome.Changed(shown(team));
        } catch (TuningFolder.RefusedTuningException e) {
            return unchanged(ChangeOutcome.Problem.CONFLICT, String.valueOf(e.getMessage()));
        } catch (UnsharedTuningException e) {
            return unchanged(ChangeOutcome.Problem.UNAVAILABLE, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.warn("a decision about weights of searches can't be written: {}", e.toString());
            return unchanged(
                    ChangeOutcome.Problem.UNAVAILABLE,
                    "The files can't be read or written; the gateway's log says why. Look at the list again.");
        }
    }

    /** Who decides, for the record. */
    private static String name(Principal person) {
        return person.team().isEmpty() ? person.id() : person.team() + "/" + person.id();
    }

    private static ChangeOutcome noTeam(String team) {
        return unchanged(ChangeOutcome.Problem.UNKNOWN, "team: nothing was proposed for a team \"" + team + "\".");
    }

    private static ChangeOutcome unchanged(ChangeOutcome.Problem reason, String message) {
        return new ChangeOutcome.Unchanged(reason, message);
    }
}
