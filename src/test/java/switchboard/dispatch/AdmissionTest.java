package switchboard.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import switchboard.concurrent.TeamShare;
import switchboard.dispatch.Admission.Permit;
import switchboard.testing.TeamShares;

class AdmissionTest {
    private static final String BACKEND = "store";

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<Permit> withRoom = new ArrayList<>();
    private long now;

    private Admission admission(int perBackend, int total, int waiting, TeamShare share) {
        return new Admission(
                new DispatchLimits(perBackend, perBackend, total, waiting, Duration.ofSeconds(1), 500, share),
                meters,
                () -> now);
    }

    private double gauge(String name) {
        return meters.get(name).tag("backend", BACKEND).gauge().value();
    }

    @Test
    void theGaugesCountCallsUnderWayAndWaitingAndTheLimit() {
        Admission admission = admission(2, 10, 2, TeamShare.ALL);
        List<Permit> under = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            under.add(admission.enter(BACKEND, "").orElseThrow());
        }
        assertEquals(Optional.empty(), admission.enter(BACKEND, ""));
        Permit waits = admission.queue(BACKEND, "", withRoom::add).orElseThrow();
        assertEquals(2, gauge("switchboard.calls.in.flight"));
        assertEquals(1, gauge("switchboard.calls.waiting"));
        assertEquals(2, gauge("switchboard.calls.limit"));
        assertEquals(3, admission.admitted());

        under.get(0).close();
        assertEquals(List.of(waits), withRoom);
        assertEquals(2, gauge("switchboard.calls.in.flight"));
        assertEquals(0, gauge("switchboard.calls.waiting"));
        waits.close();
        waits.close();
        under.get(1).close();
        assertEquals(0, gauge("switchboard.calls.in.flight"));
        assertEquals(0, admission.admitted());
    }

    @Test
    void whatIsNotLetInIsCountedAtItsBackend() {
        Admission admission = admission(1, 1, 0, TeamShare.ALL);
        admission.rejected(BACKEND);
        admission.rejected(BACKEND);
        admission.rejected("other");
        assertEquals(
                2,
                meters.get("switchboard.calls.rejected")
                        .tag("backend", BACKEND)
                        .counter()
                        .count());
    }

    @Test
    void theOneTooManyInTheProcessNeitherEntersNorWaits() {
        Admission admission = admission(5, 2, 5, TeamShare.ALL);
        Permit one = admission.enter(BACKEND, "").orElseThrow();
        Permit other = admission.enter("other", "").orElseThrow();
        assertEquals(Optional.empty(), admission.enter("third", ""));
        assertEquals(Optional.empty(), admission.queue("third", "", withRoom::add));
        assertEquals(2, admission.admitted());
        other.close();
        Permit third = admission.enter("third", "").orElseThrow();
        assertEquals(2, admission.admitted());
        one.close();
        third.close();
        assertEquals(0, admission.admitted());
    }

    @Test
    void whoIsRefusedAtABackendHoldsNoPlaceInTheProcess() {
        Admission admission = admission(1, 3, 1, TeamShare.ALL);
        admission.enter(BACKEND, "").orElseThrow();
        admission.queue(BACKEND, "", withRoom::add).orElseThrow();
        for (int i = 0; i < 10; i++) {
            assertEquals(Optional.empty(), admission.enter(BACKEND, ""));
            assertEquals(Optional.empty(), admission.queue(BACKEND, "", withRoom::add));
        }
        assertEquals(2, admission.admitted());
        assertTrue(admission.enter("other", "").isPresent());
    }

    @Test
    void whoGivesUpLeavesBothQueuesAndGetsNoRoomLater() {
        Admission admission = admission(1, 2, 1, TeamShare.ALL);
        Permit under = admission.enter(BACKEND, "").orElseThrow();
        Permit waits = admission.queue(BACKEND, "", withRoom::add).orElseThrow();
        assertTrue(waits.giveUp());
        assertFalse(waits.giveUp());
        assertFalse(under.giveUp());
        assertEquals(1, admission.admitted());
        Permit next = admission.queue(BACKEND, "", withRoom::add).orElseThrow();
        under.close();
        assertEquals(List.of(next), withRoom);
        assertFalse(next.giveUp());
        next.close();
        assertEquals(0, admission.admitted());
    }

    @Test
    void roomThatWasMadeMeanwhileIsGivenToWhoeverQueues() {
        Admission admission = admission(1, 4, 2, TeamShare.ALL);
        Permit permit = admission.queue(BACKEND, "", withRoom::add).orElseThrow();
        assertEquals(List.of(permit), withRoom);
    }

    @Test
    void aTeamHasItsShareOfABackendAndOfTheProcess() {
        Admission admission = admission(4, 6, 4, TeamShares.among(0.5, 2));
        assertTrue(admission.enter(BACKEND, "one").isPresent());
        Permit second = admission.enter(BACKEND, "one").orElseThrow();
        assertEquals("one", second.team());
        assertEquals(Optional.empty(), admission.enter(BACKEND, "one"));
        assertTrue(admission.enter(BACKEND, "two").isPresent());
        assertTrue(admission.enter("other", "one").isPresent());
        assertEquals(Optional.empty(), admission.enter("other", "one"));
        assertTrue(admission.enter("other", "two").isPresent());
    }

    @Test
    void aPermitIsGivenBackOnceHoweverOftenItIsClosed() {
        Admission admission = admission(1, 3, 1, TeamShare.ALL);
        Permit under = admission.enter(BACKEND, "").orElseThrow();
        Permit waits = admission.queue(BACKEND, "", withRoom::add).orElseThrow();
        assertTrue(waits.giveUp());
        waits.close();
        waits.close();
        assertEquals(1, admission.admitted());
        assertEquals(1, gauge("switchboard.calls.in.flight"));
        assertEquals(Optional.empty(), admission.enter(BACKEND, ""), "its place is not another's");
        Permit again = admission.queue(BACKEND, "", withRoom::add).orElseThrow();
        again.close();
        assertEquals(1, admission.admitted());
        assertEquals(0, gauge("switchboard.calls.waiting"));
        under.close();
        under.close();
        assertEquals(0, admission.admitted());
        assertEquals(0, gauge("switchboard.calls.in.flight"));
        assertEquals(List.of(), withRoom);
    }

    @Test
    void slowCallsLowerTheLimitOfTheirBackend() {
        Admission admission = new Admission(
                new DispatchLimits(256, 4, 1024, 0, Duration.ZERO, 500, TeamShare.ALL), meters, () -> now);
        List<Permit> permits = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            permits.add(admission.enter(BACKEND, "").orElseThrow());
        }
        assertEquals(32, gauge("switchboard.calls.limit"));
        permits.getFirst().took("tool", 1_000);
        now += Duration.ofSeconds(1).toNanos();
        for (int i = 0; i < 10; i++) {
            permits.getFirst().took("tool", 1_000_000_000);
        }
        assertTrue(gauge("switchboard.calls.limit") < 32);
    }

    @Test
    void aBackendThatIsSwitchedOffSaysWhyUntilItIsOnAgain() {
        DisabledBackends disabled = new DisabledBackends();
        assertEquals(Optional.empty(), disabled.reason(BACKEND));
        assertEquals(Optional.empty(), disabled.refusal(BACKEND));
        disabled.off(BACKEND, "");
        assertEquals(Optional.of(""), disabled.reason(BACKEND));
        assertEquals(
                "The backend \"store\" is switched off by the operator. Trying again does not help until it is switched on.",
                disabled.refusal(BACKEND).orElseThrow().message());
        disabled.off(BACKEND, "moves to a new disk");
        assertEquals(Optional.of("moves to a new disk"), disabled.reason(BACKEND));
        assertTrue(disabled.refusal(BACKEND)
                .orElseThrow()
                .message()
                .contains("switched off by the operator (moves to a new disk)"));
        assertEquals(Optional.empty(), disabled.refusal("other"));
        disabled.on(BACKEND);
        assertEquals(Optional.empty(), disabled.refusal(BACKEND));
    }
}
