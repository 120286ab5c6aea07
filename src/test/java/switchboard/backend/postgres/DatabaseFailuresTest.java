package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.config.Secret;
import switchboard.database.HostAndPort;
import switchboard.telemetry.MetricNames;
import switchboard.testing.HandClock;
import switchboard.upstream.LiveSecrets;

/** What the failures of a server and of its connections mean, for the caller and for the circuit breaker. */
class DatabaseFailuresTest {
    private static final ConnectionProfile.Database PLACE = new ConnectionProfile.Database(
            "", HostAndPort.list("db.internal", 5432), "books", new LiveSecrets(List.of(Secret.of("pw-of-the-role"))));

    private static PgException error(@Nullable String state, @Nullable String position, String message) {
        return new PgException(
                message, "ERROR", state, null, null, position, null, null, null, null, null, null, null, null, null,
                null, null);
    }

    private static ToolReply.Failed failed(Throwable cause) {
        return DatabaseFailures.of(cause, PLACE);
    }

    @ParameterizedTest
    @CsvSource({
        "57014, TIMEOUT, false, false",
        "55P03, TIMEOUT, false, false",
        "25P03, TIMEOUT, false, false",
        "25P04, TIMEOUT, false, false",
        "25006, DENIED, true, false",
        "42501, DENIED_UPSTREAM, true, false",
        "42502, INVALID_ARGUMENT, true, false",
        "57P01, UNAVAILABLE, false, true",
        "57P02, UNAVAILABLE, false, true",
        "57P03, UNAVAILABLE, false, true",
        "57P05, UNAVAILABLE, false, true",
        "08006, UNAVAILABLE, false, true",
        "58030, UNAVAILABLE, false, false",
        "XX000, UNAVAILABLE, false, false",
        "F0000, UNAVAILABLE, false, false",
        "'', UNAVAILABLE, false, false",
        "28P01, DENIED_UPSTREAM, false, false",
        "3D000, DENIED_UPSTREAM, false, false",
        "53300, OVERLOADED, false, false",
        "42601, INVALID_ARGUMENT, true, false",
        "42P01, INVALID_ARGUMENT, true, false",
        "22012, INVALID_ARGUMENT, true, false",
        "4, UNAVAILABLE, false, false"
    })
    void aStateIsThisKindAndSaysThisOfTheServer(
            String state, FailureKind kind, boolean aboutTheQuery, boolean unreachable) {
        PgException error = error(state, null, "it says so");
        ToolReply.Failed failed = failed(error);
        assertEquals(kind, failed.kind());
        assertEquals(state, failed.code());
        assertEquals(state, failed.details().path("sqlstate").asText());
        assertTrue(failed.message().contains("it says so (SQLSTATE " + state + ")"), failed.message());
        assertEquals(aboutTheQuery, DatabaseFailures.aboutTheQuery(error));
        assertEquals(unreachable, DatabaseFailures.unreachable(error));
        boolean soon = kind == FailureKind.OVERLOADED || kind == FailureKind.UNAVAILABLE;
        assertEquals(soon ? Long.valueOf(1_000) : null, failed.retryAfterMs());
    }

    @ParameterizedTest
    @CsvSource({"20, 5, 15", "20, 19, 1", "20, 20, ", "20, 25, ", "'', 0, ", ", 0, "})
    void aPositionIsThatInTheCallersOwnText(@Nullable String position, int before, @Nullable Integer told) {
        ToolReply.Failed failed = DatabaseFailures.error(error("42601", position, "syntax error"), PLACE, before);
        assertEquals(told != null, failed.details().has("position"));
        assertEquals(told != null, failed.message().contains("at character"));
        if (told != null) {
            assertEquals(told, failed.details().path("position").asInt());
            assertTrue(failed.message().contains("at character " + told), failed.message());
        }
    }

    @Test
    void aSecretIsNeverRepeatedAndAnAddressOnlyInTheCallersOwnErrors() {
        ToolReply.Failed own = failed(error("22P02", null, "bad value pw-of-the-role near db.internal:5432"));
        assertFalse(own.message().contains("pw-of-the-role"), own.message());
        ToolReply.Failed ours = failed(error("28P01", null, "no login with pw-of-the-role from 10.1.2.3"));
        assertFalse(ours.message().contains("pw-of-the-role"), ours.message());
        assertFalse(ours.message().contains("10.1.2.3"), ours.message());
        PgException detailed = new PgException(
                "m",
                "ERROR",
                "22000",
                "detail pw-of-the-role",
                "hint pw-of-the-role",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        assertFalse(failed(detailed).toString().contains("pw-of-the-role"));
        assertTrue(
                failed(detailed).message().contains("Detail: detail"),
                failed(detailed).message());
        assertTrue(
                failed(detailed).message().contains("Hint: hint"),
                failed(detailed).message());
    }

    @Test
    void whatHasNoStateIsToldByItsWay() {
        ToolException expected = new ToolException(FailureKind.CONFLICT, "as it is");
        assertSame(expected.failed(), failed(expected));
        for (Throwable busy : List.of(
                new ReadOnlyPool.Busy(),
                VertxException.noStackTrace("Timeout"),
                VertxException.noStackTrace("max wait queue size of 3 reached"))) {
            assertEquals(FailureKind.OVERLOADED, failed(busy).kind(), busy::toString);
            assertEquals(1_000L, failed(busy).retryAfterMs());
            assertFalse(DatabaseFailures.unreachable(busy), busy::toString);
        }
        for (Throwable away : List.of(
                ClosedConnectionException.INSTANCE,
                new IOException("refused"),
                VertxException.noStackTrace("SSL handshake failed"),
                VertxException.noStackTrace("gone"),
                new IllegalStateException(new IOException("refused")))) {
            assertEquals(FailureKind.UNAVAILABLE, failed(away).kind(), away::toString);
            assertTrue(DatabaseFailures.unreachable(away), away::toString);
            assertFalse(failed(away).message().contains("refused"), away::toString);
        }
        assertTrue(failed(VertxException.noStackTrace("SSL handshake failed"))
                .message()
                .contains("sslRootCert"));
        assertTrue(failed(ClosedConnectionException.INSTANCE).message().contains("Nothing was changed"));
        assertThrows(NullPointerException.class, () -> failed(new NullPointerException("a defect")));
        assertFalse(DatabaseFailures.unreachable(expected));
        assertFalse(DatabaseFailures.unreachable(new NullPointerException()));
    }

    // ---- the breaker

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ServerCircuitBreaker guard = new ServerCircuitBreaker(PLACE, clock, meters, Tags.empty());
    private int asked;

    private Throwable run(@Nullable Throwable failure) {
        Future<String> ran = guard.run(() -> {
            asked++;
            return failure == null ? Future.succeededFuture("ok") : Future.failedFuture(failure);
        });
        return ran.failed() ? ran.cause() : null;
    }

    private double level() {
        return meters.get(MetricNames.POSTGRES_BREAKER).gauge().value();
    }

    private void break10() {
        for (int i = 0; i < 10; i++) {
            assertEquals(0, level(), "after " + i);
            run(new IOException("refused"));
        }
        assertEquals(2, level());
    }

    @Test
    void aServerThatIsAwayIsNotAskedForTwoSecondsAndThenByTwo() {
        break10();
        ToolReply.Failed refused = ((ToolException) run(null)).failed();
        assertEquals(FailureKind.UNAVAILABLE, refused.kind());
        assertEquals(2_000L, refused.retryAfterMs());
        assertEquals(10, asked);
        clock.forward(Duration.ofMillis(1_999));
        run(null);
        assertEquals(10, asked);
        clock.forward(Duration.ofMillis(2));
        assertNull(run(null));
        assertEquals(1, level());
        assertNull(run(null));
        assertEquals(0, level());
        assertEquals(12, asked);
    }

    @Test
    void aGoodCheckEndsThePauseAndChangesNothingElse() {
        guard.recovered();
        assertEquals(0, level());
        break10();
        guard.recovered();
        assertEquals(1, level());
        run(new IOException("refused"));
        run(new IOException("refused"));
        assertEquals(2, level(), "it is away again");
    }

    @Test
    void failuresOfQueriesAndOfTheCallerSayNothingAgainstTheServer() {
        for (int i = 0; i < 20; i++) {
            run(new ToolException(FailureKind.TIMEOUT, "late"));
            run(new ToolException(FailureKind.CANCELLED, "taken back"));
            run(new ToolException(FailureKind.OVERLOADED, "busy"));
            run(new ToolException(FailureKind.INVALID_ARGUMENT, "wrong"));
            run(error("42601", null, "syntax"));
        }
        assertEquals(100, asked);
        assertEquals(0, level());
        // Neither for it: while it is tried again, what did not reach it decides nothing.
        ServerCircuitBreaker other = new ServerCircuitBreaker(PLACE, clock, meters, Tags.of("of", "other"));
        for (int i = 0; i < 10; i++) {
            other.run(() -> Future.failedFuture(new IOException("refused")));
        }
        clock.forward(Duration.ofSeconds(3));
        for (int i = 0; i < 10; i++) {
            assertTrue(other.run(() -> Future.failedFuture(new ToolException(FailureKind.CANCELLED, "taken back")))
                    .cause()
                    .getMessage()
                    .contains("taken back"));
        }
        assertEquals(
                1,
                meters.get(MetricNames.POSTGRES_BREAKER)
                        .tag("of", "other")
                        .gauge()
                        .value());
    }

    // ---- transactions

    private static final PostgresSettings.ResultLimits LIMITS = new PostgresSettings.ResultLimits(
            10, switchboard.config.Size.ofMiB(1), Duration.ofSeconds(30), Duration.ofSeconds(2), 5);

    private static String settings(long statement, long lock, long idle) {
        return "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = " + statement
                + "; SET LOCAL lock_timeout = " + lock + "; SET LOCAL idle_in_transaction_session_timeout = " + idle
                + "; SET LOCAL standard_conforming_strings = on; SET LOCAL extra_float_digits = 3; SELECT 1";
    }

    @Test
    void aTransactionOnlyReadsAndEndsWithItsCall() {
        TransactionPreamble each = TransactionPreamble.each(LIMITS);
        assertTrue(each.session().isEmpty());
        assertEquals(settings(30_000, 2_000, 89_900), each.statements(Duration.ofSeconds(60)));
        assertEquals(settings(4_900, 2_000, 34_900), each.statements(Duration.ofSeconds(5)));
        assertEquals(settings(900, 900, 30_900), each.statements(Duration.ofSeconds(1)));
        assertEquals(settings(1, 1, 30_001), each.statements(Duration.ofMillis(100)), "0 would be no limit");
        assertEquals(settings(1, 1, 30_001), each.statements(Duration.ZERO));
    }

    @Test
    void whereTheSessionHasTheSettingsOnlyShorterCallsHaveTheirOwn() {
        TransactionPreamble sessions = TransactionPreamble.ofSessions(LIMITS);
        assertEquals(
                "SET SESSION default_transaction_read_only = on"
                        + "; SET SESSION default_transaction_isolation = 'repeatable read'"
                        + "; SET SESSION statement_timeout = 30000; SET SESSION lock_timeout = 2000"
                        + "; SET SESSION idle_in_transaction_session_timeout = 90000"
                        + "; SET SESSION standard_conforming_strings = on; SET SESSION extra_float_digits = 3",
                sessions.session().orElseThrow());
        String bare = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1";
        assertEquals(bare, sessions.statements(Duration.ofMillis(30_100)));
        assertEquals(settings(29_999, 2_000, 59_999), sessions.statements(Duration.ofMillis(30_099)));
        assertTrue(sessions.needless(Duration.ofMillis(30_100)));
        assertFalse(TransactionPreamble.each(LIMITS).needless(Duration.ofHours(1)));
    }
}
