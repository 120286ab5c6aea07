package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.call.BackendReply;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.ToolReply;

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
        arguments.put("limit", 10).put("detail", "passages");
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
