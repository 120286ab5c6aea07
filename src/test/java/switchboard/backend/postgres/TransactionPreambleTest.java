package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import switchboard.config.Size;

/** Every transaction is read-only and ends with its call, whatever the session was opened with. */
class TransactionPreambleTest {
    private static final PostgresSettings.ResultLimits LIMITS =
            new PostgresSettings.ResultLimits(10, new Size(1024), Duration.ofSeconds(30), Duration.ofSeconds(2), 5);

    private final TransactionPreamble each = TransactionPreamble.each(LIMITS);
    private final TransactionPreamble ofSessions = TransactionPreamble.ofSessions(LIMITS);

    @Test
    void eachTransactionIsReadOnlyFromItsFirstWord() {
        for (TransactionPreamble preamble : new TransactionPreamble[] {each, ofSessions}) {
            for (long ms : new long[] {0, 500, 30_099, 30_100, 90_000}) {
                String begin = preamble.statements(Duration.ofMillis(ms));
                assertTrue(begin.startsWith("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;"), begin);
                assertTrue(begin.endsWith("; SELECT 1"), begin);
            }
        }
    }

    @Test
    void aStatementHasNoMoreTimeThanItsCall() {
        assertEquals(
                "; SET LOCAL statement_timeout = 400; SET LOCAL lock_timeout = 400"
                        + "; SET LOCAL idle_in_transaction_session_timeout = 30400"
                        + "; SET LOCAL standard_conforming_strings = on; SET LOCAL extra_float_digits = 3; SELECT 1",
                afterBegin(each, 500));
        assertEquals(afterBegin(each, 500), afterBegin(ofSessions, 500));
        assertTrue(afterBegin(each, 90_000).contains("statement_timeout = 30000; SET LOCAL lock_timeout = 2000;"));
        assertTrue(afterBegin(each, 0).contains("statement_timeout = 1;"), "0 would be no limit at all");
    }

    private static String afterBegin(TransactionPreamble preamble, long ms) {
        return preamble.statements(Duration.ofMillis(ms))
                .substring("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY".length());
    }

    @Test
    void aStatementIsATransactionByItselfOnlyWhereTheSessionsTimeoutIsShortEnough() {
        assertTrue(ofSessions.needless(Duration.ofMillis(30_100)));
        assertFalse(ofSessions.needless(Duration.ofMillis(30_099)));
        assertFalse(each.needless(Duration.ofHours(1)));
        assertEquals("; SELECT 1", afterBegin(ofSessions, 30_100));
    }

    @Test
    void onlySessionsOfTheGatewayAloneAreSetUpOnce() {
        assertEquals(Optional.empty(), each.session());
        String session = ofSessions.session().orElseThrow();
        assertTrue(session.startsWith("SET SESSION default_transaction_read_only = on;"), session);
        assertTrue(session.contains("statement_timeout = 30000;"), session);
        assertTrue(session.contains("lock_timeout = 2000;"), session);
    }
}
