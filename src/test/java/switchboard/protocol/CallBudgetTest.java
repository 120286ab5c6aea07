package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Budget;
import switchboard.auth.Principal;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.session.SessionLimits;
import switchboard.telemetry.FinishedRequest;
import switchboard.testing.RecordingSink;

/** A call counts against its team's limits from its start to its end, whatever its result. */
class CallBudgetTest {
    private static final String READ = "{\"name\":\"read\",\"arguments\":{}}";

    private final One budget = new One();
    private final CoreFixture gateway =
            new CoreFixture(ProtocolSettings.defaults("1"), SessionLimits.DEFAULT, new AccessPolicy(), budget);

    /** One call at a time. */
    private static final class One implements Budget {
        private final List<byte[]> answers = new ArrayList<>();
        private int running;
        private @Nullable Promise<Start.DecidedStart> asked;
        private boolean givenUp;

        /** From now on others have to be asked. */
        Promise<Start.DecidedStart> asks() {
            Promise<Start.DecidedStart> decision = Promise.promise();
            asked = decision;
            return decision;
        }

        Start.DecidedStart leased() {
            running++;
            return new Start.Leased(answer -> {
                running--;
                answers.add(answer);
            });
        }

        @Override
        public Verdict arrive(Principal principal, int calls) {
            return new Verdict.Granted();
        }

        @Override
        public Start begin(Principal principal) {
            Promise<Start.DecidedStart> decision = asked;
            if (decision != null) {
                return new Start.Waits(decision.future(), () -> {
                    givenUp = true;
                    decision.tryComplete(new Start.Exhausted(new Limit("concurrentCalls", LimitScope.TEAM), 250));
                });
            }
            if (running > 0) {
                return new Start.Exhausted(new Limit("concurrentCalls", LimitScope.TEAM), 250);
            }
            return leased();
        }

        @Override
        public int maxResultBytes(Principal principal) {
            return Integer.MAX_VALUE;
        }
    }

    private RecordingSink call(String params) {
        return gateway.post(CoreFixture.modern(CoreFixture.ANYBODY, 1, "tools/call", params));
    }

    @Test
    void aCallIsCountedUntilItIsAnsweredAndTheNextOneThenMayStart() {
        RecordingSink first = call(READ);
        assertEquals(1, budget.running);
        JsonNode refused = call(READ).json();
        assertEquals(
                "OVERLOADED",
                refused.at("/result/_meta/switchboard~1error/kind").asText(),
                refused::toString);
        assertEquals(
                250, refused.at("/result/_meta/switchboard~1error/retryAfterMs").asInt());
        assertEquals(
                "No further call now: the limit concurrentCalls of your team is reached. Try again in 250 ms.",
                refused.at("/result/content/0/text").asText());
        assertEquals(1, gateway.sent.size());
        FinishedRequest.Outcome outcome = gateway.operations.getLast().outcome();
        assertEquals(FinishedRequest.AccessDecision.LIMITED, outcome.decision());
        assertEquals("team.concurrentCalls", outcome.limit());

        gateway.last().answer(ToolReply.text("done"));
        assertArrayEquals(first.await().bytes(), budget.answers.getLast());
        assertEquals(0, budget.running);
        call(READ);
        gateway.last().answer(ToolReply.failed(FailureKind.UNAVAILABLE, "Gone."));
        assertEquals(0, budget.running, "a failure ends it, too");
        call(READ);
        gateway.last().cancel();
        assertEquals(0, budget.running, "and so does its cancellation");
        assertEquals(3, budget.answers.size());
    }

    @Test
    void aCallWaitsWhileOtherGatewaysAreAsked() {
        Promise<Budget.Start.DecidedStart> decision = budget.asks();
        RecordingSink sink = call(READ);
        assertEquals(0, gateway.sent.size());
        decision.complete(budget.leased());
        gateway.last().answer(ToolReply.text("done"));
        assertArrayEquals(sink.await().bytes(), budget.answers.getLast());
        assertEquals(0, budget.running);
    }

    @Test
    void andIsRefusedAsOthersAreIfItWaitedInVain() {
        Promise<Budget.Start.DecidedStart> decision = budget.asks();
        RecordingSink sink = call(READ);
        decision.complete(new Budget.Start.Exhausted(new Budget.Limit("callsPerDay", Budget.LimitScope.KEY), 1000));
        assertEquals(
                "No further call now: the limit callsPerDay of your key is reached. Try again in 1000 ms.",
                sink.json().at("/result/content/0/text").asText());
        assertEquals("key.callsPerDay", gateway.operations.getLast().outcome().limit());
        assertEquals(0, gateway.sent.size());
    }

    @Test
    void aCallThatIsCancelledWhileItWaitsIsNeverMade() {
        budget.asks();
        RecordingSink sink = call(READ);
        sink.leave();
        assertTrue(budget.givenUp);
        assertEquals(0, gateway.sent.size());
        assertEquals(0, budget.running);
        FinishedRequest.Outcome outcome = gateway.operations.getLast().outcome();
        assertEquals("CANCELLED", outcome.error());
        assertNull(outcome.limit());
    }

    @Test
    void aCallThatIsCancelledJustAsItMayBeginGivesItsPlaceBack() {
        Promise<Budget.Start.DecidedStart> decision = budget.asks();
        decision.complete(budget.leased());
        call(READ);
        gateway.last().cancel();
        assertEquals(0, budget.running);
    }

    @Test
    void whatIsRefusedBeforeIsNotCounted() {
        for (String params :
                List.of("{\"name\":\"none\",\"arguments\":{}}", "{\"name\":\"read\",\"arguments\":{\"other\":1}}")) {
            assertTrue(call(params).over());
        }
        assertEquals(0, budget.running);
        assertTrue(budget.answers.isEmpty());
        assertFalse(call(READ).over());
    }
}
