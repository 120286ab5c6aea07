package switchboard.auth;

/**
 * What a team's limits say to a caller. Thread-safe; never waits.
 *
 * <p>The order of use: {@link #arrive} once for a message, before any work; {@link #begin} for each call; {@link Lease#end}
 * when the call is over, however it went.
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
            return new Start.Leased((bytes, tokens) -> {});
        }

        @Override
        public int maxResultBytes(Principal principal) {
            return Integer.MAX_VALUE;
        }
    };

    /** Whether {@code calls} more calls (a batch has several) fit the rate now; if they don't, none is counted. */
    Verdict arrive(Principal principal, int calls);

    /** Whether one more call may start: concurrency and what is left of the day. */
    Start begin(Principal principal);

    /** The largest result of one call, in bytes. */
    int maxResultBytes(Principal principal);

    /** Whether calls fit. */
    sealed interface Verdict {
        /** They do. */
        record Granted() implements Verdict {}

        /** Not before {@code retryAfterMs} have passed. */
        record TooFast(long retryAfterMs) implements Verdict {}

        /** Never: at most {@code most} calls fit at once. */
        record TooMany(int most) implements Verdict {}
    }

    /** Whether a call may start. */
    sealed interface Start {
        /** It may. */
        record Leased(Lease lease) implements Start {}

        /**
         * It may not.
         *
         * @param limit the name of the limit that is reached, as in the teams file
         * @param retryAfterMs when it makes sense to try again
         */
        record Exhausted(String limit, long retryAfterMs) implements Start {}
    }

    /** Leave to run one call. */
    @FunctionalInterface
    interface Lease {
        /** The call is over and returned that much; counted once. */
        void end(long resultBytes, long resultTokens);
    }
}
