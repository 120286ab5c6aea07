package switchboard.console;

/** Where the calls are that people watch. */
public interface CallSource {
    /** All calls that are known now. */
    RecentCalls now();

    /** Somebody watches from now on, or nobody any more. */
    void watched(boolean somebody);

    /** Whether there are gateways whose calls can't be had now. */
    boolean missing();

    /** The calls of a gateway by itself. */
    static CallSource alone(RecentCalls own) {
        return new CallSource() {
            @Override
            public RecentCalls now() {
                return own;
            }

            @Override
            public void watched(boolean somebody) {
                // It keeps them anyway.
            }

            @Override
            public boolean missing() {
                return false;
            }
        };
    }
}
