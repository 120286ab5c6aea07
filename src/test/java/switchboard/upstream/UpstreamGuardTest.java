package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.call.Tracing;
import switchboard.telemetry.MetricNames;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class UpstreamGuardTest extends UpstreamFixture {
    @Test
    void overloadIsRetriedAndItsRetryAfterPassedOn() {
        try (FaultServer server = new FaultServer(
                FaultServer.reply(429, "text/plain", "slow down"),
                FaultServer.reply(503, "text/plain", "", "retry-after: 0"),
                FaultServer.json("{}"),
                FaultServer.reply(503, "text/plain", "", "retry-after: 10"),
                FaultServer.reply(429, "text/plain", "", "Retry-After: Thu, 01 Jan 2026 00:01:00 GMT"),
                FaultServer.reply(429, "text/plain", "", "Retry-After: soon"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            assertTrue(client.send(READ, new FakeCall(LONG)).await().success());
            assertEquals(3, server.requests().size());
            UpstreamResponse later = client.send(READ, new FakeCall(LONG)).await();
            assertEquals(10_000L, later.retryAfterMs());
            assertEquals(4, server.requests().size(), "ten seconds are for the caller to wait");
            assertEquals(FailureKind.UNAVAILABLE, later.unexplained().kind());
            assertEquals(10_000L, later.unexplained().retryAfterMs());
            UpstreamResponse dated = client.send(WRITE, new FakeCall(LONG)).await();
            assertEquals(60_000L, dated.retryAfterMs());
            assertEquals(FailureKind.OVERLOADED, dated.unexplained().kind());
            assertNull(client.send(WRITE, new FakeCall(LONG)).await().retryAfterMs());
            assertEquals(6, server.requests().size(), "writes are not repeated");
        }
    }

    @Test
    void status500IsPassedOnAndDoesNotStopOthers() {
        try (FaultServer server = new FaultServer(FaultServer.reply(500, "text/plain", "panic"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            for (int i = 0; i < 30; i++) {
                assertEquals(500, client.send(READ, new FakeCall(LONG)).await().status());
            }
            assertEquals(30, server.requests().size());
        }
    }

    @Test
    void aFailingEngineIsGivenARestAndFoundAgain() {
        try (FaultServer server = new FaultServer(restartAfter(10))) {
            UpstreamClient client = client(server.url(), withRetries(0));
            for (int i = 0; i < 10; i++) {
                failure(client.send(READ, new FakeCall(LONG)));
            }
            ToolReply.Failed refused = failure(client.send(READ, new FakeCall(LONG)));
            assertEquals(FailureKind.UNAVAILABLE, refused.kind());
            assertEquals(5_000L, refused.retryAfterMs());
            assertEquals(10, server.requests().size());
            assertEquals(2, breakerState());
            clock.forward(Duration.ofSeconds(6));
            assertTrue(client.send(READ, new FakeCall(LONG)).await().success());
            assertTrue(client.send(READ, new FakeCall(LONG)).await().success());
            assertEquals(0, breakerState());
        }
    }

    /** While an engine is tried again few calls may go to it; a call that is taken back must not use one up for good. */
    @Test
    void aTrialThatIsTakenBackLeavesItsPlaceToTheNext() {
        FaultServer.Behaviour[] script = new FaultServer.Behaviour[13];
        Arrays.fill(script, 0, 10, FaultServer.reset());
        Arrays.fill(script, 10, 12, FaultServer.silentAfter(""));
        script[12] = FaultServer.json("{}");
        try (FaultServer server = new FaultServer(script)) {
            UpstreamClient client = client(server.url(), withRetries(0));
            for (int i = 0; i < 10; i++) {
                failure(client.send(READ, new FakeCall(LONG)));
            }
            clock.forward(Duration.ofSeconds(6));
            List<FakeCall> trials = List.of(new FakeCall(LONG), new FakeCall(LONG));
            List<Future<UpstreamResponse>> answers = new ArrayList<>();
            trials.forEach(trial -> answers.add(client.send(READ, trial)));
            Eventually.that(() -> server.requests().size() == 12, () -> server.requests() + " came");
            assertEquals(1, breakerState());
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    failure(client.send(READ, new FakeCall(LONG))).kind(),
                    "two are enough to see whether it is back");
            trials.forEach(FakeCall::cancel);
            answers.forEach(answer ->
                    assertEquals(FailureKind.CANCELLED, failure(answer).kind()));
            assertTrue(client.send(READ, new FakeCall(LONG)).await().success());
            assertTrue(client.send(READ, new FakeCall(LONG)).await().success());
            assertEquals(0, breakerState());
            assertEquals(0, client.inFlight());
        }
    }

    @Test
    void aGoodProbeEndsTheRestEarly() {
        try (FaultServer server = new FaultServer(restartAfter(10))) {
            UpstreamClient client = client(server.url(), withRetries(0));
            for (int i = 0; i < 10; i++) {
                failure(client.send(READ, new FakeCall(LONG)));
            }
            assertEquals(2, breakerState());
            assertTrue(client.probe(READ, LONG).await().ok());
            assertEquals(1, breakerState());
            assertTrue(client.send(READ, new FakeCall(LONG)).await().success());
        }
    }

    @Test
    void anOwnerThatMakesItsOwnPausesIsNotKeptOutByTheRest() {
        try (FaultServer server = new FaultServer(restartAfter(10))) {
            UpstreamClient client = client(server.url(), withRetries(0));
            for (int i = 0; i < 10; i++) {
                failure(client.send(READ, new FakeCall(LONG)));
            }
            assertEquals(2, breakerState());
            client.forgetFailures();
            assertEquals(0, breakerState());
            assertTrue(client.send(READ, new FakeCall(LONG)).await().success());
        }
    }

    @Test
    void moreThanPoolAndQueueIsRefusedAtOnce() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(""))) {
            UpstreamClient client = client(server.url(), withPool(2, 3));
            List<FakeCall> calls = new ArrayList<>();
            List<Future<UpstreamResponse>> answers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                FakeCall call = new FakeCall(LONG);
                calls.add(call);
                answers.add(client.send(READ, call));
            }
            assertEquals(5, client.inFlight());
            ToolReply.Failed refused = failure(client.send(READ, new FakeCall(LONG)));
            assertEquals(FailureKind.OVERLOADED, refused.kind());
            calls.reversed().forEach(FakeCall::cancel);
            answers.forEach(answer ->
                    assertEquals(FailureKind.CANCELLED, failure(answer).kind()));
            assertEquals(0, client.inFlight());
        }
    }

    @Test
    void retriesEndWhenTheirBudgetIsSpent() {
        try (FaultServer server = new FaultServer(FaultServer.reply(429, "text/plain", "", "retry-after: 0"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            List<Future<UpstreamResponse>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                answers.add(client.send(READ, new FakeCall(LONG)));
            }
            Future.join(answers).await();
            // 20 are saved; of the 40 first attempts, those after the first retry have earned a fifth of one each.
            double retries = meters.get(MetricNames.UPSTREAM_RETRIES).counter().count();
            assertTrue(retries >= 20 && retries <= 28, retries + " retries");
            assertEquals(40 + retries, server.requests().size());
        }
    }

    @Test
    void callsEarnRetries() {
        try (FaultServer server = new FaultServer(FaultServer.reply(429, "text/plain", "", "retry-after: 0"))) {
            UpstreamClient client = client(server.url(), withRetries(1));
            for (int i = 0; i < 60; i++) {
                client.send(READ, new FakeCall(LONG)).await();
            }
            // 20 are saved, and five calls earn one.
            double retries = meters.get(MetricNames.UPSTREAM_RETRIES).counter().count();
            assertTrue(retries >= 28 && retries <= 32, retries + " retries");
        }
    }

    @ParameterizedTest
    @CsvSource({"500, false", "501, false", "502, true", "503, true", "504, true", "505, false", "429, false"})
    void anEngineIsGivenARestForTheStatusesOfOneThatIsAway(int status, boolean rests) {
        try (FaultServer server = new FaultServer(FaultServer.reply(status, "text/plain", ""))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            for (int i = 0; i < 60; i++) {
                client.send(WRITE, new FakeCall(LONG)).otherwiseEmpty().await();
            }
            assertEquals(
                    rests,
                    server.requests().size() < 60,
                    () -> server.requests().size() + " were sent");
        }
    }

    @Test
    void aPauseThatIsLongerThanTheCallIsNotWaitedFor() {
        try (FaultServer server = new FaultServer(FaultServer.reply(429, "text/plain", "", "retry-after: 1"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            UpstreamResponse told = client.send(READ, new FakeCall(java.time.Duration.ofMillis(900)))
                    .await();
            assertEquals(429, told.status(), "as the engine said it, and not that time is up");
            assertEquals(1, server.requests().size());
        }
    }

    @Test
    void twoSecondsAreWaitedForAndALongerPauseIsForTheCaller() {
        try (FaultServer server = new FaultServer(
                FaultServer.reply(503, "text/plain", "", "retry-after: 3"),
                FaultServer.reply(503, "text/plain", "", "retry-after: 2"),
                FaultServer.json("{}"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            UpstreamResponse told = client.send(READ, new FakeCall(LONG)).await();
            assertEquals(503, told.status());
            assertEquals(3_000L, told.retryAfterMs());
            assertEquals(1, server.requests().size());
            assertTrue(client.send(READ, new FakeCall(LONG)).await().success());
            assertEquals(3, server.requests().size());
        }
    }

    @Test
    void theRestThatIsLeftIsSaidAndAfterItTwoAreTried() {
        FaultServer.Behaviour[] script = new FaultServer.Behaviour[11];
        Arrays.fill(script, FaultServer.reset());
        try (FaultServer server = new FaultServer(script)) {
            UpstreamClient client = client(server.url(), withRetries(0));
            clock.forward(Duration.ofHours(1));
            for (int i = 0; i < 9; i++) {
                failure(client.send(READ, new FakeCall(LONG)));
                assertEquals(0, breakerState(), "half of the window has not been seen");
            }
            failure(client.send(READ, new FakeCall(LONG)));
            assertEquals(2, breakerState());
            clock.forward(Duration.ofSeconds(2));
            ToolReply.Failed refused = failure(client.send(READ, new FakeCall(LONG)));
            assertEquals(3_000L, refused.retryAfterMs());
            assertEquals(
                    "engine failed most of its last calls, so it is not called for a while; wait, then try again",
                    refused.message());
            clock.forward(Duration.ofSeconds(3).minusMillis(1));
            assertEquals(1L, failure(client.send(READ, new FakeCall(LONG))).retryAfterMs());
            assertEquals(10, server.requests().size());
            assertEquals(0, client.inFlight(), "what is refused holds no place");
            clock.forward(Duration.ofMillis(2));
            failure(client.send(READ, new FakeCall(LONG)));
            failure(client.send(READ, new FakeCall(LONG)));
            assertEquals(12, server.requests().size());
            assertEquals(2, breakerState(), "both trials failed");
            assertEquals(5_000L, failure(client.send(READ, new FakeCall(LONG))).retryAfterMs());
        }
    }

    @Test
    void theSmallestWindowIsOfTwoCalls() {
        UpstreamSettings d = UpstreamSettings.defaults();
        UpstreamSettings nervous = new UpstreamSettings(
                d.timeouts(),
                d.pool(),
                d.maxResponseSize(),
                0,
                new UpstreamSettings.Breaker(50, 2, Duration.ofSeconds(5)),
                d.tls(),
                null);
        try (FaultServer server = new FaultServer(FaultServer.reset())) {
            UpstreamClient client = client(server.url(), nervous);
            failure(client.send(READ, new FakeCall(LONG)));
            assertEquals(0, breakerState());
            failure(client.send(READ, new FakeCall(LONG)));
            assertEquals(2, breakerState());
        }
    }

    @Test
    void aReadIsRepeatedAsOftenAsIsConfigured() {
        for (int retries = 0; retries <= 3; retries++) {
            try (FaultServer server = new FaultServer(FaultServer.reply(429, "text/plain", "", "retry-after: 0"))) {
                UpstreamClient client = client(server.url(), withRetries(retries));
                assertEquals(429, client.send(READ, new FakeCall(LONG)).await().status());
                assertEquals(retries + 1, server.requests().size());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"428, 1", "429, 2", "430, 1", "500, 1", "501, 1", "502, 2", "503, 2", "504, 2", "505, 1"})
    void onlyWhatAsksForPatienceIsRepeated(int status, int requests) {
        try (FaultServer server = new FaultServer(FaultServer.reply(status, "text/plain", ""))) {
            UpstreamClient client = client(server.url(), withRetries(1));
            assertEquals(status, client.send(READ, new FakeCall(LONG)).await().status());
            assertEquals(requests, server.requests().size());
        }
    }

    @Test
    void attemptsAreCountedByTheirOutcomeAndTheClassOfTheirStatus() {
        try (FaultServer server = new FaultServer(
                FaultServer.json("{}"),
                FaultServer.reply(201, "text/plain", ""),
                FaultServer.reply(404, "text/plain", ""),
                FaultServer.reset())) {
            UpstreamClient client = client(server.url(), withRetries(0));
            for (int i = 0; i < 3; i++) {
                client.send(READ, new FakeCall(LONG)).await();
            }
            failure(client.send(READ, new FakeCall(LONG)));
            assertEquals(2, attempts("answered", "2xx"));
            assertEquals(1, attempts("answered", "4xx"));
            assertEquals(1, attempts("lost", ""));
            assertEquals(0, client.inFlight());
        }
    }

    private long attempts(String outcome, String status) {
        return meters.get(MetricNames.UPSTREAM_DURATION)
                .tag("outcome", outcome)
                .tag("status", status)
                .timer()
                .count();
    }

    @Test
    void eachAttemptIsASpanOfItsOwn() {
        List<Tracing.FinishedSpan> spans = new ArrayList<>();
        Tracing tracing = (side, parent) -> {
            assertEquals(Tracing.SpanSide.CLIENT, side);
            assertEquals(new FakeCall(LONG).traceparent(), parent);
            return new Tracing.Span() {
                @Override
                public String traceparent() {
                    return "00-span-" + spans.size() + "-01";
                }

                @Override
                public void end(java.util.function.Supplier<Tracing.FinishedSpan> facts) {
                    spans.add(facts.get());
                }
            };
        };
        UpstreamServices traced = new UpstreamServices(services().vertx(), meters, clock, tracing);
        try (FaultServer server = new FaultServer(
                FaultServer.reset(),
                FaultServer.reply(503, "text/plain", ""),
                FaultServer.reply(399, "text/plain", ""))) {
            UpstreamClient client =
                    UpstreamClient.create("engine", server.url(), UpstreamSettings.defaults(), Map.of(), traced);
            assertEquals(399, client.send(READ, new FakeCall(LONG)).await().status());
            String method = "http.request.method";
            String backend = "switchboard.backend";
            String resend = "http.request.resend_count";
            String status = "http.response.status_code";
            assertEquals(
                    List.of(
                            new Tracing.FinishedSpan("GET", Map.of(method, "GET", backend, "engine"), "lost"),
                            new Tracing.FinishedSpan(
                                    "GET", Map.of(method, "GET", backend, "engine", resend, 1L, status, 503L), "503"),
                            new Tracing.FinishedSpan(
                                    "GET", Map.of(method, "GET", backend, "engine", resend, 2L, status, 399L), null)),
                    spans);
            for (int i = 0; i < 3; i++) {
                assertTrue(server.requests().get(i).contains("traceparent: 00-span-" + i + "-01\r\n"));
            }
            client.close().await();
        }
    }

    private static FaultServer.Behaviour restartAfter(int failures) {
        java.util.concurrent.atomic.AtomicInteger seen = new java.util.concurrent.atomic.AtomicInteger();
        return socket ->
                (seen.incrementAndGet() <= failures ? FaultServer.reset() : FaultServer.json("{}")).answer(socket);
    }
}
