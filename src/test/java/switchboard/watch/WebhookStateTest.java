package switchboard.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.watch.WebhookState.OutcomeKind;

/** When a message to a webhook is sent, and what is in it. */
class WebhookStateTest {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private static List<WatchNews> news(String... addresses) {
        return List.of(addresses).stream()
                .map(address -> new WatchNews(address, address, "vectordb:default", null, 1, NOON.toEpochMilli()))
                .toList();
    }

    private static WebhookState found(WebhookState state, Instant now, String... addresses) {
        return state.and(news(addresses), now.toEpochMilli());
    }

    private static List<String> head(WebhookState state) {
        return state.head().orElseThrow().news().stream()
                .map(WatchNews::address)
                .toList();
    }

    private static WebhookState refused(WebhookState state, Instant now) {
        WebhookState tried = state.tried(now);
        return tried.retrying(tried.head().orElseThrow().id(), "No.", now);
    }

    @Test
    void theFirstMessageIsClosedOnceItWasTriedAndTheNextOneCollects() {
        WebhookState state = found(found(WebhookState.NONE, NOON, "a"), NOON, "b");
        assertEquals(List.of("b", "a"), head(state));
        WebhookState tried = state.tried(NOON);
        WebhookState more = found(found(tried, NOON, "c"), NOON, "d");
        assertEquals(List.of("b", "a"), head(more));
        String id = tried.head().orElseThrow().id();
        WebhookState told = more.done(id, OutcomeKind.DELIVERED, "", NOON);
        assertEquals(List.of("d", "c"), head(told));
        assertNotEquals(id, told.head().orElseThrow().id());
        assertEquals(told, told.done(id, OutcomeKind.DELIVERED, "again", NOON));
        assertEquals(List.of(), more.done(id, OutcomeKind.ENDED, "", NOON).waiting());
    }

    @Test
    void pausesGrowFromTheEndOfATryAndEndADayAfterTheFirstOne() {
        WebhookState state = found(WebhookState.NONE, NOON, "a");
        Instant first = NOON.plus(Duration.ofDays(3)); // another message was before it
        Instant now = first;
        List<Long> pauses = new ArrayList<>();
        while (!state.waiting().isEmpty()) {
            state = refused(state, now);
            if (!state.waiting().isEmpty()) {
                long next = state.head().orElseThrow().next();
                pauses.add((next - now.toEpochMilli()) / 1000);
                now = Instant.ofEpochMilli(next);
            }
        }
        assertEquals(List.of(5L, 20L, 80L, 320L, 1280L, 5120L, 14400L, 14400L, 14400L, 14400L), pauses.subList(0, 10));
        assertEquals(first.plus(Duration.ofDays(1)), now);
        assertEquals(OutcomeKind.FAILED, state.last().kind());
    }

    @Test
    void whatIsNotSentCountsAsNoTry() {
        WebhookState state = found(WebhookState.NONE, NOON, "a");
        Instant later = NOON.plus(Duration.ofDays(30));
        WebhookState tried = state.tried(NOON);
        WebhookState unsent = tried.unsent(tried.head().orElseThrow().id(), "It sleeps.", Duration.ofMinutes(5), NOON);
        assertEquals(0, unsent.head().orElseThrow().tries());
        assertEquals(
                NOON.plusSeconds(300).toEpochMilli(),
                unsent.head().orElseThrow().next());
        assertEquals(List.of("b", "a"), head(found(unsent, NOON, "b")), "more may be added");
        WebhookState refused = refused(unsent, later);
        assertFalse(refused.waiting().isEmpty(), "the day begins with the first try");
        WebhookState again = refused.tried(later.plusSeconds(5));
        String id = again.head().orElseThrow().id();
        WebhookState waits = again.unsent(id, "Away.", Duration.ofMinutes(5), later.plusSeconds(5));
        assertEquals(1, waits.head().orElseThrow().tries());
        Instant end = later.plus(Duration.ofDays(1));
        WebhookState over = waits.tried(end).unsent(id, "Away.", Duration.ofMinutes(5), end);
        assertEquals(List.of(), over.waiting(), "nor does what was sent once wait for ever");
        assertEquals(OutcomeKind.FAILED, over.last().kind());
        assertEquals(
                later.plusSeconds(5).toEpochMilli(),
                refused.head().orElseThrow().next());
    }

    @Test
    void whatCantBeCheckedIsToldLaterUnderAnotherId() {
        WebhookState state = found(WebhookState.NONE, NOON, "a", "b", "c").tried(NOON);
        String id = state.head().orElseThrow().id();
        WebhookState split = state.without(id, Set.of("b"), NOON);
        assertEquals(List.of("a", "c"), head(split));
        assertEquals(id, split.head().orElseThrow().id());
        WebhookState told = split.done(id, OutcomeKind.DELIVERED, "", NOON);
        assertEquals(List.of("b"), head(told));
        assertNotEquals(id, told.head().orElseThrow().id());
        assertEquals(state, state.without(id, Set.of("x"), NOON));
        assertEquals(state, state.without("another", Set.of("b"), NOON));
    }

    @Test
    void theNewestNewsIsKeptAndTheRestIsCounted() {
        WebhookState state = WebhookState.NONE;
        for (int i = 0; i < WatchAnswers.MOST_NEWS + 3; i++) {
            state = found(state, NOON, "n" + i);
        }
        assertEquals(3, state.lost());
        List<String> expected = IntStream.iterate(WatchAnswers.MOST_NEWS + 2, i -> i > 2, i -> i - 1)
                .mapToObj(i -> "n" + i)
                .toList();
        assertEquals(expected, head(state));
        assertTrue(state.tried(NOON).lost() == 3, "also once it is tried");
    }
}
