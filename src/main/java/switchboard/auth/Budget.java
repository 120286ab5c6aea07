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
            return new Start.Leased(_ -> {});
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
        record TooFast(Limit limit, long retryAfterMs) implements Verdict {}

        /** Never: at most {@code most} calls fit at once. */
        record TooMany(Limit limit, int most) implements Verdict {}
    }

    /**
     * A limit that is reached.
     *
     * @param name as in the teams file
     * @param whose it is
     */
    record Limit(String name, Whose whose) {
        /** For callers: {@code the limit burst of your team}. */
        public String text() {
            return "the limit " + name + " of your " + whose.word;
        }

        /** For metrics: {@code team.burst}. */
        public String label() {
            return whose.word + "." + name;
        }
    }

    /** Whom a limit holds back. */
    enum Whose {
        /** All callers of the team together. */
        TEAM("team"),
        /** The callers with one of its keys. */
        KEY("key");

        private final String word;

        Whose(String word) {
            this.word = word;
        }
    }

    /** Whether a call may start. */
    sealed interface Start {
        /** The call may start; the lease is given back when it has ended. */
        record Leased(Lease lease) implements Start {}

        /**
         * The call may not start.
         *
         * @param limit the limit that is reached
         * @param retryAfterMs when it makes sense to try again
         */
        record Exhausted(Limit limit, long retryAfterMs) implements Start {}
    }

    /** Leave to run one call. */
    @FunctionalInterface
    interface Lease {
        /** The call is over and was answered with {@code answer}, which must not be changed; counted once. */
        void end(byte[] answer);
    }
}
