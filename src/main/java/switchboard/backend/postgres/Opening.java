package switchboard.backend.postgres;

import io.vertx.pgclient.PgConnectOptions;
import java.time.Duration;

/**
 * How a read-only transaction begins, with timeouts from the call's deadline. Where sessions are the gateway's own from
 * beginning to end, and no caller's SQL runs in them, they are told what all calls have in common once, when they are
 * opened: a statement by itself is such a transaction then, and costs one way to the server instead of three.
 */
final class Opening {
    /** Kept back from the deadline so that the server's timeout speaks before the gateway's. */
    private static final long SLACK_MS = 100;

    /** Longer than a call that waits between two of its statements. */
    private static final long LONGEST_PAUSE_MS = 60_000;

    private final PostgresSettings.Limits limits;
    private final boolean readOnlySessions;

    private Opening(PostgresSettings.Limits limits, boolean readOnlySessions) {
        this.limits = limits;
        this.readOnlySessions = readOnlySessions;
    }

    /** Each transaction is told everything: its session may be anybody's. */
    static Opening each(PostgresSettings.Limits limits) {
        return new Opening(limits, false);
    }

    /** Sessions are told what calls have in common; those of {@link #told}. */
    static Opening ofSessions(PostgresSettings.Limits limits) {
        return new Opening(limits, true);
    }

    /** {@code options} for connections whose transactions begin this way. */
    PgConnectOptions told(PgConnectOptions options) {
        return readOnlySessions
                ? options.addProperty("default_transaction_read_only", "on")
                        .addProperty("default_transaction_isolation", "repeatable read")
                        .addProperty("statement_timeout", String.valueOf(statementMs()))
                        .addProperty("lock_timeout", String.valueOf(lockMs()))
                        .addProperty(
                                "idle_in_transaction_session_timeout", String.valueOf(statementMs() + LONGEST_PAUSE_MS))
                        .addProperty("standard_conforming_strings", "on")
                        .addProperty("extra_float_digits", "3")
                : options;
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
