package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.auth.Team;
import switchboard.auth.TeamDirectory;
import switchboard.auth.TeamLimits;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.CallerTokens;
import switchboard.call.Claim;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.catalog.View;
import switchboard.dispatch.DelegatedCalls;
import switchboard.dispatch.PendingCall;
import switchboard.dispatch.Requester;
import switchboard.store.PooledKeywordScore;

/** Whom {@code why_not} asks the backend as, and what it makes of the answers. */
class DocumentSightTest {
    private static final String ADDRESS = "switchboard://engine/films/1";
    private static final BackendReply PART = new BackendReply.DocumentPart("title", null, "t", 1, null);
    private static final BackendReply NONE = new ToolReply.Failed(FailureKind.NOT_FOUND, "There is none.");
    private static final View EVERYTHING = new View("", Set.of("engine", "switchboard"), List.of(), Map.of(), Map.of());

    private final List<Caller> callers = new ArrayList<>();
    private final List<Duration> times = new ArrayList<>();

    private ObjectNode ask(Map<String, String> bindings, Function<Caller, BackendReply> engine) {
        Team staff = new Team(
                "staff",
                List.of(),
                List.of(Grant.parse("engine:read:films")),
                Map.of("engine", bindings),
                null,
                TeamLimits.NONE);
        ObjectNode arguments = Json.object().put("address", ADDRESS).put("team", "staff");
        arguments.putObject("claims").put("c", "claimed");
        ToolReply reply = DirectCalls.call(
                new FederationBackend(
                        FederationSettings.DEFAULT,
                        new FederationBackend.Dependencies(
                                Set.of("engine"),
                                new AccessPolicy(),
                                new Calls(engine),
                                DirectCalls::now,
                                PooledKeywordScore::of,
                                FederationFixture.MODELS,
                                TextComparison.NONE,
                                new Members(new TeamDirectory(List.of(staff))))),
                WhyNotTool.NAME,
                arguments,
                _ -> {});
        return Objects.requireNonNull(
                assertInstanceOf(ToolReply.Ok.class, reply).structured());
    }

    private record Members(TeamDirectory directory) implements TeamMembers {
        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public Map<String, Claim> known(ObjectNode claims) {
            return Map.of("c", Claim.of(claims.path("c").asText()));
        }

        @Override
        public View view(String name) {
            return EVERYTHING;
        }
    }

    private final class Calls implements DelegatedCalls {
        private final Function<Caller, BackendReply> engine;

        Calls(Function<Caller, BackendReply> engine) {
            this.engine = engine;
        }

        @Override
        public Optional<Requester> requester(String callId) {
            return Optional.of(
                    new Requester(new Principal("ops", "op", List.of(Grant.parse("switchboard:admin"))), EVERYTHING));
        }

        @Override
        public PendingCall send(
                String callId, String backendId, BackendRequest request, Caller caller, Duration timeout) {
            assertEquals("engine", backendId);
            assertEquals(
                    "1",
                    assertInstanceOf(BackendRequest.ReadDocument.class, request).document());
            callers.add(caller);
            times.add(timeout);
            BackendReply reply = engine.apply(caller);
            return new PendingCall() {
                @Override
                public Future<BackendReply> reply() {
                    return Future.succeededFuture(reply);
                }

                @Override
                public void cancel() {}
            };
        }
    }

    private static String last(ObjectNode answer) {
        JsonNode reasons = answer.path("reasons");
        return reasons.path(reasons.size() - 1).path("text").asText();
    }

    private static Function<Caller, BackendReply> shownTo(String... bindings) {
        return caller -> caller.bindings().keySet().equals(Set.copyOf(Arrays.asList(bindings))) ? PART : NONE;
    }

    @Test
    void theBackendIsAskedAsTheMemberForTheOperator() {
        ObjectNode answer = ask(Map.of("owner", "{claim:c}", "filter", "x = 1"), shownTo("owner", "filter"));
        assertTrue(answer.path("seen").asBoolean(), answer::toString);
        assertEquals(
                Set.of(
                        Map.of("owner", "{claim:c}", "filter", "x = 1"),
                        Map.of("owner", "{claim:c}", "documents", "all"),
                        Map.of("documents", "all")),
                Set.copyOf(callers.stream().map(Caller::bindings).toList()));
        for (Caller caller : callers) {
            assertEquals("ops", caller.inspector());
            assertEquals("ops", caller.chargedTeam());
            assertEquals("staff", caller.team());
            assertEquals(Map.of("c", Claim.of("claimed")), caller.claims());
        }
        Caller member = callers.getFirst();
        assertTrue(member.scope().allows("films") && !member.scope().allows("other"));
        times.forEach(time -> assertTrue(time.compareTo(Duration.ofSeconds(5)) <= 0, time::toString));
    }

    /** As Meilisearch, OpenSearch and PostgreSQL do. */
    @Test
    void anEngineThatRefusesUnknownBindingsIsAskedWithoutThem() {
        ObjectNode filtered = ask(
                Map.of("filter", "x = 1"),
                caller -> caller.bindings().containsKey("documents")
                        ? new ToolReply.Failed(FailureKind.DENIED, "Bound to documents, which is not supported.")
                        : caller.bindings().isEmpty() ? PART : NONE);
        assertFalse(filtered.path("seen").asBoolean(true));
        assertEquals("The document exists, but what the team is bound to hides it: filter.", last(filtered));
    }

    /** Of several lists each must match; the answer says which of them does. */
    @Test
    void ofSeveralListsEachIsCompared() {
        BackendReply part = new BackendReply.DocumentPart("title", null, "t", 1, null)
                .readableBy(List.of(List.of("group:hr", "group:it"), List.of("user:ann")));
        Map<String, String> bindings = Map.of("user", "{claim:c}", "groups", "it");
        ObjectNode hidden = ask(bindings, caller -> caller.bindings().containsKey("documents") ? part : NONE);
        assertFalse(hidden.path("seen").asBoolean(true));
        assertEquals(
                "The document exists, and its allow hides it. Its allow has 2 lists, and one of each list must match:"
                        + " group:hr, group:it; user:ann. This caller is user:claimed, group:it. Of each list"
                        + " these match: group:it; none.",
                last(hidden));
        ObjectNode seen = ask(bindings, _ -> part);
        assertTrue(seen.path("seen").asBoolean());
    }

    @Test
    void whatHidesTheDocumentIsNamed() {
        ObjectNode filtered = ask(Map.of("filter", "x = 1", "user", "u"), shownTo("documents"));
        assertFalse(filtered.path("seen").asBoolean(true));
        assertEquals("The document exists, but what the team is bound to hides it: filter.", last(filtered));
        ObjectNode owner = ask(Map.of("owner", "o", "filter", "x = 1"), shownTo("documents"));
        assertEquals("The document exists, but not for the owner that the team is bound to.", last(owner));
        ObjectNode free = ask(Map.of(), shownTo("documents"));
        assertEquals("The document exists, but the backend does not show it to this caller.", last(free));
        ObjectNode untold = ask(
                Map.of("tenant", "t"),
                caller -> caller.bindings().containsKey("tenant")
                        ? NONE
                        : new ToolReply.Failed(FailureKind.INVALID_ARGUMENT, "Name a tenant."));
        assertFalse(untold.path("seen").asBoolean(true));
        assertEquals("Whether the document exists can't be told: Name a tenant. This caller finds none.", last(untold));
    }

    @ParameterizedTest
    @EnumSource(FailureKind.class)
    void onlyAClearRefusalSaysThatItIsNotSeen(FailureKind kind) {
        ObjectNode answer = ask(Map.of(), _ -> new ToolReply.Failed(kind, "Said so."));
        boolean clear = kind == FailureKind.NOT_FOUND || kind == FailureKind.DENIED;
        assertEquals(clear, answer.has("seen"), answer::toString);
        assertFalse(answer.path("seen").asBoolean());
        for (String code : List.of(BackendRequest.ReadDocument.ONLY_SEARCHED, CallerTokens.MISSING)) {
            ObjectNode coded = ask(Map.of(), _ -> new ToolReply.Failed(kind, "Said so.").withCode(code));
            assertFalse(coded.has("seen"), coded::toString);
            assertTrue(last(coded).contains("can't be told: Said so."), coded::toString);
        }
    }
}
