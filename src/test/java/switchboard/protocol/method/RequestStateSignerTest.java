package switchboard.protocol.method;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.protocol.RequestStateKeys;
import switchboard.testing.HandClock;

class RequestStateSignerTest {
    private static final RequestStateSigner.Sealed STATE = new RequestStateSigner.Sealed("tickets", "step 2 of 3 ✓");
    private static final Principal ADA = new Principal("red", "ada", List.of());

    private final HandClock clock = new HandClock(Instant.parse("2026-11-22T12:00:00Z"));
    private final RequestStateSigner seal =
            new RequestStateSigner(RequestStateKeys.of(_ -> List.of("a secret of the whole cluster")), clock);

    private static ObjectNode params(int id) {
        ObjectNode params = Json.object().put("name", "close");
        params.putObject("arguments").put("id", id);
        return params;
    }

    private Optional<RequestStateSigner.Sealed> opened(String text) {
        return seal.open(text, ADA, params(1));
    }

    @Test
    void itOpensForAnHourAndNoLonger() {
        String text = seal.close(STATE, ADA, params(1));
        assertEquals(Optional.of(STATE), opened(text));
        clock.forward(Duration.ofMinutes(59));
        assertEquals(Optional.of(STATE), opened(text));
        clock.forward(Duration.ofMinutes(1));
        assertEquals(Optional.of(STATE), opened(text));
        clock.forward(Duration.ofSeconds(1));
        assertEquals(Optional.empty(), opened(text));
    }

    @Test
    void itOpensForTheSameCallerAndParametersOnly() {
        String text = seal.close(STATE, ADA, params(1));
        ObjectNode retried = params(1);
        retried.putObject("inputResponses").put("answer", 1);
        retried.putObject("_meta").put("progressToken", 7);
        retried.put("requestState", text);
        assertEquals(Optional.of(STATE), seal.open(text, ADA, retried));
        assertEquals(Optional.empty(), seal.open(text, ADA, params(2)));
        for (Principal other :
                List.of(new Principal("blue", "ada", List.of()), new Principal("red", "bob", List.of()))) {
            assertEquals(Optional.empty(), seal.open(text, other, params(1)));
        }
    }

    @Test
    void theOrderOfParametersDoesNotMatter() {
        ObjectNode there = Json.object().put("a", 1).put("b", 2);
        there.putObject("c").put("d", 3).put("e", 4);
        ObjectNode here = Json.object();
        here.putObject("c").put("e", 4).put("d", 3);
        here.put("b", 2).put("a", 1);
        assertEquals(Optional.of(STATE), seal.open(seal.close(STATE, ADA, there), ADA, here));
    }

    @Test
    void theCurrentKeySigns() {
        RequestStateSigner both = new RequestStateSigner(RequestStateKeys.of(_ -> List.of("new", "old")), clock);
        RequestStateSigner newer = new RequestStateSigner(RequestStateKeys.of(_ -> List.of("new")), clock);
        assertEquals(Optional.of(STATE), newer.open(both.close(STATE, ADA, params(1)), ADA, params(1)));
        assertEquals(Optional.of(STATE), both.open(newer.close(STATE, ADA, params(1)), ADA, params(1)));
    }

    @Test
    void onlyProcessesWithTheSameKeyTakeEachOthers() {
        String text = seal.close(STATE, ADA, params(1));
        RequestStateSigner replica =
                new RequestStateSigner(RequestStateKeys.of(_ -> List.of("a secret of the whole cluster")), clock);
        assertEquals(Optional.of(STATE), replica.open(text, ADA, params(1)));
        RequestStateSigner stranger = new RequestStateSigner(RequestStateKeys.random(), clock);
        assertEquals(Optional.empty(), stranger.open(text, ADA, params(1)));
    }

    @Test
    void aKeyThatWasReplacedOpensForAnHourWhatItSigned() {
        String first = new RequestStateSigner(RequestStateKeys.of(_ -> List.of("the first key")), clock)
                .close(STATE, ADA, params(1));
        clock.forward(Duration.ofMinutes(30));
        Instant replaced = clock.instant();
        RequestStateSigner live = new RequestStateSigner(
                RequestStateKeys.of(since ->
                        since.isBefore(replaced) ? List.of("another one", "the first key") : List.of("another one")),
                clock);
        String second = live.close(STATE, ADA, params(1));
        RequestStateSigner onlyNew = new RequestStateSigner(RequestStateKeys.of(_ -> List.of("another one")), clock);
        assertEquals(Optional.of(STATE), onlyNew.open(second, ADA, params(1)), "the new one signs");
        assertEquals(Optional.of(STATE), live.open(first, ADA, params(1)));
        // As someone would who has the old key, and says what he likes about time.
        HandClock ahead = new HandClock(clock.instant().plus(Duration.ofDays(1)));
        String forged = new RequestStateSigner(RequestStateKeys.of(_ -> List.of("the first key")), ahead)
                .close(STATE, ADA, params(1));
        clock.forward(Duration.ofMinutes(59));
        assertEquals(Optional.of(STATE), live.open(forged, ADA, params(1)), "whoever has it can use it for an hour");
        clock.forward(Duration.ofMinutes(2));
        assertEquals(Optional.empty(), live.open(forged, ADA, params(1)));
        assertEquals(Optional.of(STATE), live.open(live.close(STATE, ADA, params(1)), ADA, params(1)));
    }

    @Test
    void noPartOfItMayBeChanged() {
        String text = seal.close(STATE, ADA, params(1));
        String longer = seal.close(new RequestStateSigner.Sealed("tickets", "step 3"), ADA, params(1));
        String content = text.substring(0, text.indexOf('.'));
        String signature = longer.substring(longer.indexOf('.'));
        for (String forged :
                List.of("", ".", content, content + ".", content + signature, text + ".", "x" + text, "!.!")) {
            assertEquals(Optional.empty(), opened(forged), forged);
        }
    }
}
