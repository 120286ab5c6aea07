package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.FailureKind;
import switchboard.call.Lifetime;
import switchboard.testing.FaultServer;

/** Servers of the two kinds: what their statuses mean, how long they are waited for, and pauses that an owner begins and ends. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class UpstreamKindTest extends UpstreamFixture {
    @ParameterizedTest
    @CsvSource({
        "ENGINE, 499, false",
        "ENGINE, 500, false",
        "ENGINE, 501, false",
        "ENGINE, 502, true",
        "ENGINE, 504, true",
        "ENGINE, 505, false",
        "ENGINE, 429, false",
        "PROVIDER, 499, false",
        "PROVIDER, 500, true",
        "PROVIDER, 599, true",
        "PROVIDER, 600, false",
        "PROVIDER, 429, false"
    })
    void aStatusIsAFailureOfTheServer(UpstreamKind kind, int status, boolean failing) {
        assertEquals(failing, kind.failing(status));
        assertEquals(failing || status == 429, kind.passing(status));
    }

    @Test
    void aProviderThatAnswers500IsRepeatedAndThenPaused() {
        try (FaultServer server = new FaultServer(FaultServer.reply(500, "text/plain", "", "retry-after: 0"))) {
            UpstreamClient client = client(UpstreamKind.PROVIDER, server.url(), withRetries(1));
            for (int i = 0; i < 5; i++) {
                assertFalse(client.paused());
                assertEquals(
                        500, client.send(READ, Lifetime.within(LONG)).await().status());
            }
            assertEquals(10, server.requests().size());
            assertTrue(client.paused());
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    failure(client.send(READ, Lifetime.within(LONG))).kind());
            assertEquals(10, server.requests().size());
        }
    }

    /** Three seconds are more than an engine is waited for. */
    @Test
    void aProviderIsWaitedForAsLongAsTheWorkMayTake() {
        try (FaultServer server =
                new FaultServer(FaultServer.reply(429, "text/plain", "", "retry-after: 3"), FaultServer.json("{}"))) {
            UpstreamClient client = client(UpstreamKind.PROVIDER, server.url(), withRetries(1));
            assertEquals(429, client.send(READ, Lifetime.within(SOON)).await().status());
            assertEquals(1, server.requests().size());
        }
        try (FaultServer server =
                new FaultServer(FaultServer.reply(429, "text/plain", "", "retry-after: 3"), FaultServer.json("{}"))) {
            UpstreamClient client = client(UpstreamKind.PROVIDER, server.url(), withRetries(1));
            assertEquals(200, client.send(READ, Lifetime.within(LONG)).await().status());
            assertEquals(2, server.requests().size());
        }
    }

    @Test
    void workWithoutACallEndsAtItsLimit() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(""))) {
            UpstreamClient client = client(UpstreamKind.PROVIDER, server.url(), withRetries(1));
            assertEquals(
                    FailureKind.TIMEOUT,
                    failure(client.send(READ, Lifetime.within(SHORT))).kind());
            assertEquals(
                    FailureKind.TIMEOUT,
                    failure(client.send(READ, Lifetime.within(Duration.ZERO))).kind());
            assertEquals(1, server.requests().size());
        }
    }

    @Test
    void anOwnerBeginsAndEndsAPause() {
        try (FaultServer server = new FaultServer(FaultServer.json("{}"))) {
            UpstreamClient client = client(server.url(), withRetries(0));
            AtomicInteger pauses = new AtomicInteger();
            client.onPause(pauses::incrementAndGet);
            client.pause();
            client.pause();
            assertTrue(client.paused());
            assertEquals(1, pauses.get());
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    failure(client.send(READ, Lifetime.within(LONG))).kind());
            client.forgetFailures();
            assertFalse(client.paused());
            assertTrue(client.send(READ, Lifetime.within(LONG)).await().success());
            assertEquals(1, server.requests().size());
        }
    }
}
