package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.SpellingSuggestion;
import switchboard.call.TermStatistics;
import switchboard.call.ToolReply;
import switchboard.call.UnknownFields;

/** Sources that are late, refuse, fail or lack something: the rest answers, and each is named. */
class SearchEverywhereFaultsTest {
    private static BackendReply found(String... ids) {
        List<Passage> passages = new ArrayList<>();
        for (String id : ids) {
            passages.add(FederationFixture.passage(id, "text of " + id, null));
        }
        return new BackendReply.Passages(passages, null);
    }

    private static ObjectNode arguments() {
        ObjectNode arguments = Json.object().put("query", "text");
        arguments.putArray("sources");
        arguments.put("limit", 10).put("detail", "passages").put("mode", "hybrid");
        return arguments;
    }

    private static ToolReply search(FederationFixture backends, Principal principal, ObjectNode arguments) {
        return backends.call(principal, "search_everywhere", arguments, _ -> {});
    }

    private static JsonNode answer(ToolReply reply) {
        return assertInstanceOf(ToolReply.Ok.class, reply, reply::toString).structured();
    }

    private static List<String> statuses(JsonNode answer) {
        List<String> statuses = new ArrayList<>();
        answer.path("sources")
                .forEach(source -> statuses.add(source.path("source").asText() + " "
                        + source.path("status").asText()));
        return statuses;
    }

    @Test
    void whoIsLateRefusesOrFailsIsNamedAndTheRestAnswers() {
        FederationFixture backends = new FederationFixture()
                .backend("good", "s", _ -> found("1", "2"))
                .backend("hanging", "s", _ -> null)
                .backend(
                        "half",
                        "s",
                        _ -> new BackendReply.Passages(
                                List.of(FederationFixture.passage("3", "text", null)), "no vectors"))
                .backend("refusing", "s", _ -> ToolReply.failed(FailureKind.DENIED, "not you"))
                .backend("broken", "s", _ -> ToolReply.failed(FailureKind.UNAVAILABLE, "down"));
        JsonNode answer = answer(search(backends, Principal.anonymous(), arguments()));
        assertEquals(3, answer.path("results").size());
        assertEquals(
                List.of("broken:s error", "good:s ok", "half:s partial", "hanging:s timeout", "refusing:s denied"),
                statuses(answer));
    }

    @Test
    void weightsOfNoSourceAreRefusedBeforeAnySourceIsAsked() {
        List<String> asked = new CopyOnWriteArrayList<>();
        FederationFixture backends = new FederationFixture().backend("good", "s", request -> {
            asked.add(request.toString());
            return found("1");
        });
        ObjectNode arguments = arguments();
        arguments.putObject("weights").put("good:t", 2);
        assertNull(search(backends, Principal.anonymous(), arguments), "a call that failed has no reply here");
        assertEquals(List.of(), asked);
        arguments.putObject("weights").put("good:s", 2);
        answer(search(backends, Principal.anonymous(), arguments));
        assertEquals(1, asked.size(), asked::toString);
    }

    @Test
    void theScoreOfASourceThatDoesNotExplainItIsLeftUnexplained() {
        JsonNode why = answer(search(
                        new FederationFixture().backend("a", "s", _ -> found("1")),
                        Principal.anonymous(),
                        arguments().put("explain", true)))
                .path("results")
                .path(0)
                .path("explanation");
        assertEquals(
                List.of("keyword", "source_rank"),
                why.path("parts")
                        .valueStream()
                        .map(part -> part.path("name").asText())
                        .toList());
        assertTrue(why.path("in_source").isMissingNode(), why::toString);
    }

    private static BackendReply unknown(String field, String... known) {
        return UnknownFields.of(List.of(field), List.of(known)).failure().failed();
    }

    private static ToolReply.Failed failed(FederationFixture backends) {
        return assertInstanceOf(ToolReply.Failed.class, search(backends, Principal.anonymous(), arguments()));
    }

    @Test
    void aFieldThatNobodyKnowsIsAnErrorWithTheNearestOfAllSources() {
        ToolReply.Failed failed = failed(new FederationFixture()
                .backend("a", "s", _ -> unknown("yaer", "yeaar", "x"))
                .backend("b", "s", _ -> unknown("yaer", "year"))
                .backend("c", "s", _ -> unknown("yaer")));
        assertEquals(FailureKind.INVALID_ARGUMENT, failed.kind());
        assertEquals(
                "There is no field \"yaer\" to filter by in any source that was asked. Did you mean \"year\"?"
                        + " list_sources lists the fields of each source.",
                failed.message());
        assertEquals(
                "[{\"field\":\"yaer\",\"suggestions\":[\"year\"]}]",
                failed.details().path("unknown_fields").toString());
        assertEquals(3, failed.details().path("sources").size());
        assertEquals(
                true,
                failed(new FederationFixture().backend("a", "s", _ -> unknown("yaer")))
                        .message()
                        .endsWith("They can't be filtered: leave filters out."));
    }

    @Test
    void aFieldThatASilentSourceMayKnowIsNoWrongArgument() {
        for (BackendReply silent : Arrays.asList(
                null, ToolReply.failed(FailureKind.UNAVAILABLE, "down"), ToolReply.failed(FailureKind.DENIED, "no"))) {
            for (boolean listing : List.of(true, false)) {
                FederationFixture backends = new FederationFixture().backend("a", "s", _ -> unknown("yaer", "year"));
                if (listing) {
                    backends.unlisted("b", silent);
                } else {
                    backends.backend("b", "s", _ -> silent);
                }
                ToolReply.Failed failed = failed(backends);
                assertEquals(FailureKind.UNAVAILABLE, failed.kind(), failed::message);
                assertTrue(failed.message().contains("There is no field \"yaer\""), failed::message);
                assertEquals(2, failed.details().path("sources").size());
                backends.backend("c", "s", _ -> found("1"));
                JsonNode answer = answer(search(backends, Principal.anonymous(), arguments()));
                assertEquals(1, answer.path("results").size());
                assertEquals(3, answer.path("sources").size());
                assertTrue(statuses(answer).containsAll(List.of("a:s error", "c:s ok")), answer::toString);
            }
        }
    }

    @Test
    void aFieldThatOneSourceKnowsButCantCompareSoIsNamedForEach() {
        ToolReply.Failed failed = failed(new FederationFixture()
                .backend("a", "s", _ -> unknown("year", "x"))
                .backend("b", "s", _ -> ToolReply.failed(FailureKind.INVALID_ARGUMENT, "a number")));
        assertEquals(FailureKind.INVALID_ARGUMENT, failed.kind());
        assertTrue(failed.message().contains("a:s: There is no field \"year\""), failed::message);
        assertTrue(failed.message().contains("b:s: a number"), failed::message);
        assertEquals(false, failed.details().has("unknown_fields"));
    }

    @Test
    void fieldsThatDifferentSourcesLackAreNoFieldThatNobodyKnows() {
        ToolReply.Failed failed = failed(new FederationFixture()
                .backend("a", "s", _ -> unknown("year", "x"))
                .backend("b", "s", _ -> unknown("owner", "year")));
        assertEquals(FailureKind.INVALID_ARGUMENT, failed.kind());
        assertEquals(false, failed.details().has("unknown_fields"), failed::toString);
    }

    private static void spend(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private static void assertAtMost(Duration most, Duration timeout) {
        assertTrue(timeout.compareTo(most) <= 0, () -> timeout + " is more than " + most);
    }

    @Test
    void aSourceHasTheTimeThatIsLeftOfTheSearch() {
        Duration spent = Duration.ofMillis(20);
        FederationFixture backends = new FederationFixture()
                .backend("a", "s", _ -> {
                    spend(spent);
                    return found("1");
                })
                .backend("b", "s", _ -> found("2"));
        Duration deadline = Duration.ofMillis(3_000);
        answer(search(backends, Principal.anonymous(), arguments().put("deadline_ms", deadline.toMillis())));
        assertEquals(4, backends.timeouts().size(), "two lists of sources and two searches");
        backends.timeouts().forEach(timeout -> assertAtMost(deadline, timeout));
        assertAtMost(deadline.minus(spent), backends.timeouts().getLast());
    }

    @Test
    void aSearchTakesNoMoreTimeThanItsCallHas() {
        FederationFixture backends = new FederationFixture().backend("a", "s", _ -> found("1"));
        answer(search(backends, Principal.anonymous(), arguments().put("deadline_ms", 60_000)));
        // Of the ten seconds of the call, some are kept for merging.
        backends.timeouts().forEach(timeout -> assertAtMost(Duration.ofMillis(9_950), timeout));
    }

    /** A source that has "harbour" and not "harbor"; notes what it is asked, and takes {@code time}. */
    private static FederationFixture misspelt(List<String> asked, Duration time) {
        return new FederationFixture().backend("a", "s", request -> {
            String query = ((BackendRequest.SearchSource) request).query().text();
            asked.add(query);
            spend(time);
            return query.equals("harbour")
                    ? found("1")
                    : new BackendReply.Passages(
                            List.of(),
                            null,
                            TermStatistics.NONE,
                            List.of(new SpellingSuggestion("harbor", "harbor", "harbour", 0.9)));
        });
    }

    @Test
    void aCorrectedQueryIsAskedOnlyIfItMayTakeAsLongAgain() {
        List<String> asked = new ArrayList<>();
        ObjectNode quick = arguments().put("query", "harbor").put("deadline_ms", 60_000);
        JsonNode found = answer(search(misspelt(asked, Duration.ZERO), Principal.anonymous(), quick));
        assertEquals(List.of("harbor", "harbour"), asked);
        assertEquals(1, found.path("results").size());

        asked.clear();
        ObjectNode slow = arguments().put("query", "harbor").put("deadline_ms", 100);
        JsonNode nothing = answer(search(misspelt(asked, Duration.ofMillis(60)), Principal.anonymous(), slow));
        assertEquals(List.of("harbor"), asked);
        assertEquals(0, nothing.path("results").size());
    }

    @Test
    void whenNobodyAnswersTheFailureSaysWhoAndWhy() {
        FederationFixture backends = new FederationFixture()
                .backend("a", "s", _ -> null)
                .backend("b", "s", _ -> ToolReply.failed(FailureKind.UNAVAILABLE, "down for repairs"));
        ToolReply.Failed failed =
                assertInstanceOf(ToolReply.Failed.class, search(backends, Principal.anonymous(), arguments()));
        assertEquals(FailureKind.UNAVAILABLE, failed.kind());
        assertTrue(failed.message().contains("down for repairs"), failed::message);
    }

    @Test
    void whatATeamMayNotSearchIsNeitherAskedNorNamed() {
        FederationFixture backends = new FederationFixture()
                .backend("mine", "s", _ -> found("1"))
                .backend("theirs", "s", _ -> {
                    throw new AssertionError("was asked");
                });
        Principal principal = new Principal("team", "key", List.of(Grant.parse("mine:search")));
        assertEquals(List.of("mine:s ok"), statuses(answer(search(backends, principal, arguments()))));
    }

    @Test
    void progressNamesEachSourceAsItComes() {
        List<String> heard = new ArrayList<>();
        FederationFixture backends =
                new FederationFixture().backend("a", "s", _ -> found("1")).backend("b", "s", _ -> found("2"));
        backends.call(Principal.anonymous(), "search_everywhere", arguments(), heard::add);
        assertEquals(List.of("1.0 a:s: ok, 1 hits", "2.0 b:s: ok, 1 hits"), heard);
    }
}
