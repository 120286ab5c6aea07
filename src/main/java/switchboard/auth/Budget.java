package switchboard.auth;

import io.vertx.core.Future;

/**
 * Applies the limits of a team to its calls. Thread-safe; never blocks. Where limits hold over several gateways, an answer may have to be waited
 * for.
 *
 * <p>Call {@link #arrive} once for a message, before any work, then {@link #begin} for each call, then {@link
 * Lease#end} when the call is over, whatever its result.
 */
public interface Budget {
    /** No limits. */
    Budget UNLIMITED = new Budget() {
        @Override
        public Verdict arrive(Principal principal, int calls) {
            return new Verdict.Granted();
        }

        @Override
        public Start begin(Principal principal) {
            return new Start.Leased(_ -> {});
        }

        @Override
        public int maxResultBytes(Principal principal) {
            return Integer.MAX_VALUE;
        }
    };

    /** Counts {@code calls} calls (a batch has several) against the rate. If they don't fit, none is counted. */
    Verdict arrive(Principal principal, int calls);

    /** Starts one call, if the limits on concurrent calls and on the day's calls allow it. */
    Start begin(Principal principal);

    /** Counts the tokens of an answer that is given after its call was over; the array must not be changed. */
    default void charge(Principal principal, byte[] answer) {}

    /** The maximum size of the result of one call, in bytes. */
    int maxResultBytes(Principal principal);

    /** Whether calls fit the rate. */
    sealed interface Verdict {
        /** A verdict that nobody has to wait for. */
        sealed interface DecidedVerdict extends Verdict {}

        /** The calls fit. */
        record Granted() implements DecidedVerdict {}

        /** The calls do not fit now. Try again after {@code retryAfterMs}. */
        record RateExceeded(Limit limit, long retryAfterMs) implements DecidedVerdict {}

        /** The calls never fit: at most {@code most} are allowed at once. */
        record BurstExceeded(Limit limit, int most) implements DecidedVerdict {}

        /**
         * Other gateways have to be asked.
         *
         * @param decision does not fail; completes on any thread
         */
        record Undecided(Future<DecidedVerdict> decision) implements Verdict {}
    }

    /**
     * A limit that is reached.
     *
     * @param name its name in the teams file
     * @param whose whether it is the team's or the key's
     */
    record Limit(String name, LimitScope whose) {
        /** For messages: {@code the limit burst of your team}. */
        public String text() {
            return "the limit " + name + " of your " + whose.word;
        }

        /** For metrics: {@code team.burst}. */
        public String label() {
            return whose.word + "." + name;
        }
    }

    /** Whether a limit applies to a team or to one key. */
    enum LimitScope {
        /** All callers of the team together. */
        TEAM("team"),
        /** The callers with one key. */
        KEY("key");

        private final String word;

        LimitScope(String word) {
            this.word = word;
        }
    }

    /** Whether a call may start. */
    sealed interface Start {
        /** A decision that nobody has to wait for. */
        sealed interface DecidedStart extends Start {}

        /** The call may start. The lease must be ended when the call is over. */
        record Leased(Lease lease) implements DecidedStart {}

        /**
         * The call may not start.
         *
         * @param limit the limit that is reached
         * @param retryAfterMs when to try again
         */
        record Exhausted(Limit limit, long retryAfterMs) implements DecidedStart {}

        /**
         * Other gateways have to be asked.
         *
         * @param decision does not fail; completes on any thread
         * @param giveUp has the call refused at once, if it is not decided; nothing is counted then
         */
        record Waits(Future<DecidedStart> decision, Runnable giveUp) implements Start {}
    }

    /** Permission to run one call. */
    @FunctionalInterface
    interface Lease {
        /**
         * Ends the call, which was answered with {@code answer}; the array must not be changed. Further calls do
         * nothing.
         */
        void end(byte[] answer);
    }
}
