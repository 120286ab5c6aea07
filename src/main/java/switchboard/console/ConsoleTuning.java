package switchboard.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.auth.Principal;

/**
 * Weights that are proposed for the searches of teams, which operators approve or undo. Each decision, and each refusal, is audited.
 * Thread-safe.
 */
public interface ConsoleTuning {
    /**
     * A proposal that somebody has seen.
     *
     * @param team whose searches; in a gateway without teams {@code ""}
     * @param id that of the proposal
     * @param hash that of what was seen
     */
    record SeenProposal(String team, String id, String hash) {}

    /**
     * An approval that somebody has seen.
     *
     * @param proposal the id of the proposal
     * @param at when it was approved, as the list has it
     */
    record SeenApproval(String team, String proposal, String at) {}

    /**
     * A trial that somebody has seen.
     *
     * @param proposal the id of what is tried
     * @param trial its own id, as the list has it
     */
    record SeenTrial(String team, String proposal, String trial) {}

    /** What operators may do here. */
    enum TuningAction {
        /** Put a proposal to use. */
        APPROVE,
        /** Go back to the weights before an approval. */
        UNDO,
        /** End the trial of a proposal. */
        END_TRIAL
    }

    /** Whether {@code person} is an operator of the whole gateway, who may see and decide. */
    boolean mayDecide(Principal person);

    /**
     * The {@code teams}: each with its {@code team}, the {@code weights} in use and their {@code approval}, the {@code proposals} and
     * the {@code decisions}, the newest first, the {@code trial} that runs, the ids of {@code damaged} proposals, and a {@code problem} if its files can't be
     * used; {@code similarity} is the configured weight of the cosine.
     */
    Future<ObjectNode> list();

    /** Puts a proposal to use, if it is still the one that was seen. */
    Future<ChangeOutcome> approve(ConsoleEditor editor, SeenProposal seen);

    /** Goes back to the weights before the last approval, if that is still the one that was seen. */
    Future<ChangeOutcome> undo(ConsoleEditor editor, SeenApproval seen);

    /** Ends a trial, if it is the one that runs. */
    Future<ChangeOutcome> endTrial(ConsoleEditor editor, SeenTrial seen);

    /** Notes that somebody tried to decide who may not. */
    void denied(ConsoleEditor editor, TuningAction action);
}
