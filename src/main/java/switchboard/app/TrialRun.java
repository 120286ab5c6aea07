package switchboard.app;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import switchboard.insight.InsightStore;
import switchboard.insight.TrialOutcome;
import switchboard.insight.TrialReads;
import switchboard.tuning.ConfiguredWeights;
import switchboard.tuning.TeamTrials;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningProposal;
import switchboard.tuning.TuningTrial;

/**
 * What came of trials, and approvals that mind it and the configuration. Blocks while it reads the search log: call it on the thread
 * of a command.
 *
 * @param folder what was proposed, tried and decided
 * @param log the search log
 * @param configured the weights of the configuration
 */
public record TrialRun(TuningFolder folder, InsightStore log, ConfiguredWeights configured) {
    /**
     * A proposal that was put to use.
     *
     * @param trial what came of its last trial; empty if there was none
     */
    public record ApprovedProposal(TuningProposal proposal, Optional<TrialOutcome> trial) {}

    /** A proposal is only put to use by somebody who knows why not. The message says why. */
    public static final class DoubtfulProposalException extends IOException {
        private static final long serialVersionUID = 1;

        DoubtfulProposalException(String id, String why) {
            super("Proposal " + id + " " + why
                    + ", or switchboard tune approve --anyway puts it to use nevertheless. Nothing was changed.");
        }
    }

    /** What was read of the searches of {@code trial} until now, as far as the search log still has them. */
    public TrialOutcome outcome(String team, TuningTrial trial) throws IOException {
        TrialReads reads = new TrialReads(trial.id());
        log.read(team, trial.start().at(), reads::add);
        return reads.outcome();
    }

    /**
     * Puts a proposal to use, as {@link TuningFolder#approve} does.
     *
     * @param anyway also if there is a doubt about it
     * @param by who wants that
     * @throws DoubtfulProposalException if it has lost its trial, or was compared with another configuration
     */
    public ApprovedProposal approve(String id, boolean anyway, String by, Instant now) throws IOException {
        Optional<TrialOutcome> outcome = anyway ? outcome(id) : undoubted(id);
        return new ApprovedProposal(folder.approve(id, by, now), outcome);
    }

    /**
     * What came of the last trial of a proposal; empty if there was none.
     *
     * @throws DoubtfulProposalException if it has lost it, or was compared with another configuration
     */
    Optional<TrialOutcome> undoubted(String id) throws IOException {
        if (folder.proposed(id)
                .filter(proposal -> !proposal.comparedWith(configured))
                .isPresent()) {
            throw new DoubtfulProposalException(
                    id,
                    "was compared with other weights in the configuration than those now (search.sources,"
                            + " search.fusion.similarity): run tune again");
        }
        Optional<TrialOutcome> outcome = outcome(id);
        if (outcome.filter(trial -> trial.verdict() == TrialOutcome.TrialVerdict.WORSE)
                .isPresent()) {
            throw new DoubtfulProposalException(
                    id, "has lost its trial: " + outcome.get().words() + ". Leave it");
        }
        return outcome;
    }

    private Optional<TrialOutcome> outcome(String id) throws IOException {
        Optional<TuningProposal> proposal = folder.proposed(id);
        if (proposal.isEmpty()) {
            return Optional.empty(); // Approving it says why.
        }
        TeamTrials trials = folder.trials(proposal.get().team());
        Optional<TuningTrial> last = trials.of(id);
        return last.isEmpty()
                ? Optional.empty()
                : Optional.of(outcome(proposal.get().team(), last.get()));
    }
}
