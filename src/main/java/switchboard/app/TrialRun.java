package switchboard.app;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import switchboard.insight.InsightStore;
import switchboard.insight.TrialOutcome;
import switchboard.insight.TrialReads;
import switchboard.tuning.TeamTrials;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningProposal;
import switchboard.tuning.TuningTrial;

/**
 * What came of trials, and approvals that mind it. Blocks while it reads the search log: call it on the thread of a command.
 *
 * @param folder what was proposed, tried and decided
 * @param log the search log
 */
public record TrialRun(TuningFolder folder, InsightStore log) {
    /**
     * A proposal that was put to use.
     *
     * @param trial what came of its last trial; empty if there was none
     */
    public record ApprovedProposal(TuningProposal proposal, Optional<TrialOutcome> trial) {}

    /** A proposal is not put to use, because it has lost its trial. */
    public static final class LostTrialException extends IOException {
        private static final long serialVersionUID = 1;

        LostTrialException(String message) {
            super(message);
        }
    }

    /** What was read of the searches of {@code trial} until now, as far as the search log still has them. */
    public TrialOutcome outcome(String team, TuningTrial trial) throws IOException {
        TrialReads reads = new TrialReads(trial.id());
        log.read(team, reads::add);
        return reads.outcome();
    }

    /**
     * Puts a proposal to use, as {@link TuningFolder#approve} does.
     *
     * @param anyway also if it has lost its trial
     * @param by who wants that
     * @throws LostTrialException if it has lost its trial
     */
    public ApprovedProposal approve(String id, boolean anyway, String by, Instant now) throws IOException {
        Optional<TrialOutcome> outcome = anyway ? outcome(id) : notLost(id);
        return new ApprovedProposal(folder.approve(id, by, now), outcome);
    }

    /**
     * What came of the last trial of a proposal; empty if there was none.
     *
     * @throws LostTrialException if it has lost it
     */
    Optional<TrialOutcome> notLost(String id) throws IOException {
        Optional<TrialOutcome> outcome = outcome(id);
        if (outcome.filter(trial -> trial.verdict() == TrialOutcome.TrialVerdict.WORSE)
                .isPresent()) {
            throw new LostTrialException("Proposal " + id + " has lost its trial: "
                    + outcome.get().words()
                    + ". Nothing was changed; switchboard tune approve --anyway puts it to use nevertheless.");
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
