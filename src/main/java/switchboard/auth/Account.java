package switchboard.auth;

import io.vertx.core.Future;
import java.util.Optional;

/** Counts what one team, or one key, has used of its limits. Thread-safe; never blocks. */
interface Account {
    /** Counts {@code count} messages if the rate allows all of them. */
    Budget.Verdict arrive(TeamLimits limits, int count);

    /** Takes back the last {@code count} messages, because another limit refused them. */
    void takeBack(int count);

    /** Counts a call, unless a limit refuses it. */
    Entry begin(TeamLimits limits);

    /** Takes back a counted call that is not made. */
    void undo();

    /** Ends a call. */
    void end();

    /** Counts the tokens of an answer. */
    void spent(long answered);

    /** Adds what another process has counted. */
    void add(SavedBudget saved);

    /** What has to be counted on by the next process, of {@code team} or its key {@code key}; empty if that is nothing. */
    Optional<SavedBudget> save(String team, String key);

    /** What was used today; empty if only the others know, too. */
    default Optional<TodaysUse> today() {
        return Optional.empty();
    }

    /** What {@link #begin} says of a call. */
    sealed interface Entry {
        /** An entry that nobody has to wait for. */
        sealed interface DecidedEntry extends Entry {}

        /** The only {@link Counted}. */
        DecidedEntry COUNTED = new Counted();

        /** The call is counted as one under way, and as one of the day. */
        record Counted() implements DecidedEntry {}

        /** A limit is reached; nothing is counted. */
        record Refused(Budget.Start.Exhausted why) implements DecidedEntry {}

        /**
         * It is not decided yet.
         *
         * @param decision does not fail; completes on any thread
         * @param giveUp has it refused at once, if it is not decided
         */
        record Waits(Future<DecidedEntry> decision, Runnable giveUp) implements Entry {}
    }
}
