package switchboard.console;

import java.time.Duration;

/** What a gateway has counted of calls, for the page Usage: in memory, and saved from time to time. Thread-safe; nothing blocks. */
public interface CountedUsage {
    /**
     * Counts calls that ended in the same way.
     *
     * @param calls how many
     * @param bytes the size of the answers
     * @param took how long a call took
     */
    void count(UsageKey key, UsageOutcome outcome, int calls, long bytes, Duration took);

    /** What another process is to go on with; empty if there is nothing. */
    byte[] save();

    /**
     * Adds what another process has saved to what was counted since.
     *
     * @throws IllegalArgumentException if that is not what {@link #save} has written; then nothing is added
     */
    void restore(byte[] saved);
}
