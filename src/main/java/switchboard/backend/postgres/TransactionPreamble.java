package switchboard.backend.postgres;

import java.time.Duration;
import java.util.Optional;

/**
 * How a read-only transaction begins, with timeouts from the call's deadline. Where sessions are the gateway's own from
 * beginning to end, and no caller's SQL runs in them, they are told what all calls have in common once, when they are
 * opened: a statement by itself is such a transaction then, and costs one way to the server instead of three.
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

    /** Each transaction is told everything: its session may be anybody's. */
    static TransactionPreamble each(PostgresSettings.ResultLimits limits) {
        return new TransactionPreamble(limits, false);
    }

    /** Sessions are told what calls have in common, by {@link #session}. */
    static TransactionPreamble ofSessions(PostgresSettings.ResultLimits limits) {
        return new TransactionPreamble(limits, true);
    }

    /**
     * What a new session is told, if anything: statements, and not parameters of the connection's start, of which PgBouncer
     * knows few. Numbers only: nothing to escape.
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
