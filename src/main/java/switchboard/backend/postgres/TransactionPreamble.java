package switchboard.backend.postgres;

import java.time.Duration;
import java.util.Optional;

/**
 * How a read-only transaction begins, with timeouts from the call's deadline. If sessions belong to the gateway for
 * their whole life and run no SQL of callers, their common settings are set once when they are opened. A single
 * statement is then such a transaction by itself, and needs one round trip instead of three.
 */
final class TransactionPreamble {
    /** Kept back from the deadline so that the server's timeout speaks before the gateway's. */
    private static final long SLACK_MS = 100;

    /** Longer than a call that waits between two of its statements. */
    private static final long LONGEST_PAUSE_MS = 60_000;

    private final PostgresSettings.ResultLimits limits;
    private final boolean readOnlySessions;

    private TransactionPreamble(PostgresSettings.ResultLimits limits, boolean readOnlySessions) {
        this.limits = limits;
        this.readOnlySessions = readOnlySessions;
    }

    /** Sends all settings in each transaction, because sessions may be shared. */
    static TransactionPreamble each(PostgresSettings.ResultLimits limits) {
        return new TransactionPreamble(limits, false);
    }

    /** Sends common settings once for each session, with {@link #session}. */
    static TransactionPreamble ofSessions(PostgresSettings.ResultLimits limits) {
        return new TransactionPreamble(limits, true);
    }

    /**
     * The statements for a new session, if any. Statements are used instead of startup parameters, because PgBouncer
     * supports few of those. They contain only numbers, so nothing needs escaping.
     */
    Optional<String> session() {
        return readOnlySessions
                ? Optional.of("SET SESSION default_transaction_read_only = on"
                        + "; SET SESSION default_transaction_isolation = 'repeatable read'"
                        + "; SET SESSION statement_timeout = " + statementMs()
                        + "; SET SESSION lock_timeout = " + lockMs()
                        + "; SET SESSION idle_in_transaction_session_timeout = " + (statementMs() + LONGEST_PAUSE_MS)
                        + "; SET SESSION standard_conforming_strings = on; SET SESSION extra_float_digits = 3")
                : Optional.empty();
    }

    /** Whether a statement by itself is such a transaction for a call with {@code remaining} time. */
    boolean needless(Duration remaining) {
        return readOnlySessions && left(remaining) >= statementMs();
    }

    /**
     * The statements that open a transaction for a call with {@code remaining} time, the last of which fixes its snapshot.
     * Numbers only: nothing to escape.
     */
    String statements(Duration remaining) {
        return "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
                + (needless(remaining) ? "" : settings(left(remaining))) + "; SELECT 1";
    }

    private String settings(long left) {
        return "; SET LOCAL statement_timeout = " + Math.min(left, statementMs())
                + "; SET LOCAL lock_timeout = " + Math.min(left, lockMs())
                + "; SET LOCAL idle_in_transaction_session_timeout = " + (left + statementMs())
                + "; SET LOCAL standard_conforming_strings = on; SET LOCAL extra_float_digits = 3";
    }

    private static long left(Duration remaining) {
        return Math.max(1, remaining.toMillis() - SLACK_MS);
    }

    private long statementMs() {
        return limits.statementTimeout().toMillis();
    }

    private long lockMs() {
        return limits.lockTimeout().toMillis();
    }
}
