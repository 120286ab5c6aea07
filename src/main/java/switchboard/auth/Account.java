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

    /** Whether a call may begin. */
    sealed interface Entry {
        /** It is counted. */
        Entry COUNTED = new Counted();

        /** It is counted. */
        record Counted() implements Entry {}

        /** It is refused. */
        record Refused(Budget.Start.Exhausted why) implements Entry {}

        /**
         * It is not decided yet.
         *
         * @param decision what becomes of it, which does not fail; never this type
         * @param giveUp has it refused at once, if it is not decided
         */
        record Waits(Future<Entry> decision, Runnable giveUp) implements Entry {}
    }
}
