package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Budget;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.auth.ScopeRules;
import switchboard.auth.TokenGrant;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Json;
import switchboard.catalog.ToolCatalog;
import switchboard.session.SessionLimits;
import switchboard.testing.RecordingSink;

/** What two callers of one gateway see: each its own, also of what is kept and of where another one was. */
class ListedRightsTest {
    private final CoreFixture gateway = new CoreFixture();

    private JsonNode ask(Principal principal, String method, String params) {
        return gateway.post(CoreFixture.modern(principal, 1, method, params)).json();
    }

    private Set<String> tools(Principal principal) {
        Set<String> names = new TreeSet<>();
        ask(principal, "tools/list", "{}")
                .at("/result/tools")
                .forEach(tool -> names.add(tool.path("name").asText()));
        return names;
    }

    @Test
    void aListThatIsKeptIsForThoseWithTheSameGrants() {
        Set<String> all = tools(CoreFixture.ANYBODY);
        for (int round = 0; round < 2; round++) {
            Set<String> read = tools(CoreFixture.team("alpha:read"));
            assertEquals(Set.of("read", "scoped"), read);
            assertEquals(1, tools(CoreFixture.team("beta:search")).size());
            assertEquals(Set.of(), tools(CoreFixture.team()));
            assertEquals(all, tools(CoreFixture.ANYBODY));
        }
        assertTrue(all.size() > 3, all::toString);
    }

    @Test
    void aListThatIsKeptIsForOneRevisionOfTheProtocol() {
        String session = gateway.session("2025-03-26");
        for (int round = 0; round < 2; round++) {
            JsonNode now = ask(CoreFixture.ANYBODY, "tools/list", "{}");
            assertTrue(Json.text(now).contains("\"outputSchema\""), now::toString);
            JsonNode before = gateway.post(CoreFixture.legacy(session, 1, "tools/list", "{}"))
                    .json();
            assertTrue(before.at("/result/tools").size() > 3, before::toString);
            assertFalse(Json.text(before).contains("outputSchema"), before::toString);
        }
    }

    @Test
    void aListThatIsKeptForCallersWithTokensHasWhatScopesGive() {
        CoreFixture scoped = new CoreFixture(
                ProtocolSettings.defaults("1"),
                SessionLimits.DEFAULT,
                new AccessPolicy(new ScopeRules(Map.of("mcp:read", List.of(Grant.parse("alpha:read"))))),
                Budget.UNLIMITED);
        List<Grant> grants = List.of(Grant.parse("alpha:*"));
        for (int round = 0; round < 2; round++) {
            assertEquals(4, listed(scoped, new Principal("red", "key", grants)));
            for (Set<String> scopes : List.of(Set.of("mcp:read"), Set.<String>of())) {
                TokenGrant token = new TokenGrant(scopes, Instant.MAX, URI.create("https://a.example/metadata"));
                assertEquals(2, listed(scoped, new Principal("red", "key", grants, Map.of(), null, token)));
            }
        }
    }

    private static int listed(CoreFixture where, Principal principal) {
        return where.post(CoreFixture.modern(principal, 1, "tools/list", "{}"))
                .json()
                .at("/result/tools")
                .size();
    }

    @Test
    void aViewThatPinsAnArgumentOffersNoResourcesOfItsBackend() {
        gateway.answer(
                BackendRequest.ListResources.class, _ -> new BackendReply.Resources(List.of(Json.object()), null));
        InboundMessage list = CoreFixture.modern(CoreFixture.ANYBODY, 1, "resources/list", "{}");
        JsonNode listed = gateway.post(
                        new InboundMessage("pinned", list.transport(), list.principal(), list::header, list.body()))
                .json();
        assertEquals(1, listed.at("/result/resources").size(), listed::toString);
        assertEquals(
                List.of("beta"), gateway.sent.stream().map(sent -> sent.backend).toList());
    }

    @Test
    void onlyBackendsThatTheCallerMayReadAreAskedForLists() {
        gateway.answer(
                BackendRequest.ListResources.class, _ -> new BackendReply.Resources(List.of(Json.object()), null));
        assertEquals(
                0,
                ask(CoreFixture.team("alpha:search,create"), "resources/list", "{}")
                        .at("/result/resources")
                        .size());
        assertEquals(List.of(), gateway.sent);
        assertEquals(
                1,
                ask(CoreFixture.team("alpha:read", "beta:search"), "resources/list", "{}")
                        .at("/result/resources")
                        .size());
        assertEquals(
                List.of("alpha"),
                gateway.sent.stream().map(sent -> sent.backend).toList());
    }

    @Test
    void aPlaceInTheListOfOneBackendIsNoPlaceInThatOfAnother() {
        gateway.answer(
                BackendRequest.ListResources.class,
                sent -> new BackendReply.Resources(
                        List.of(Json.object()), sent.backend.equals("alpha") ? "inner" : null));
        String cursor = ask(CoreFixture.ANYBODY, "resources/list", "{}")
                .at("/result/nextCursor")
                .asText();
        assertFalse(cursor.isEmpty());
        int before = gateway.sent.size();
        JsonNode refused = ask(CoreFixture.team("beta:read"), "resources/list", "{\"cursor\":\"" + cursor + "\"}");
        assertEquals(-32602, refused.at("/error/code").asInt(), refused::toString);
        assertEquals(before, gateway.sent.size(), "beta is not asked with alpha's cursor");
        ask(CoreFixture.ANYBODY, "resources/list", "{\"cursor\":\"" + cursor + "\"}");
        assertEquals("alpha", gateway.sent.get(before).backend);
    }

    @Test
    void aStreamOfAViewThatIsGoneIsToldSoAndEnds() {
        RecordingSink stream = gateway.post(CoreFixture.modern(
                CoreFixture.ANYBODY, 1, "subscriptions/listen", "{\"notifications\":{\"toolsListChanged\":true}}"));
        ToolCatalog none = ToolCatalog.of(List.of(), List.of());
        gateway.endpoint.viewsChanged(none::view, none::view);
        assertFalse(stream.over(), "the view is there");
        gateway.endpoint.viewsChanged(none::view, _ -> Optional.empty());
        assertTrue(stream.over());
        assertEquals(
                "notifications/tools/list_changed",
                stream.events().getLast().path("method").asText());
        assertEquals(0, gateway.endpoint.openStreams());
    }

    @Test
    void aToolThatTheCallerMayNotSeeIsNotSuggested() {
        String wrong = "{\"name\":\"writ\",\"arguments\":{}}";
        assertTrue(Json.text(ask(CoreFixture.ANYBODY, "tools/call", wrong)).contains("write"));
        assertFalse(Json.text(ask(CoreFixture.team("alpha:read"), "tools/call", wrong))
                .contains("write"));
        assertEquals(List.of(), gateway.sent);
    }

    @Test
    void whoReadsNoStreamOpensNone() {
        InboundMessage stream =
                CoreFixture.modern(CoreFixture.ANYBODY, 1, "subscriptions/listen", "{\"notifications\":{}}");
        RecordingSink refused = gateway.post(new InboundMessage(
                stream.view(),
                stream.transport(),
                stream.principal(),
                name -> name.equalsIgnoreCase("Accept") ? "application/json" : stream.header(name),
                stream.body()));
        assertEquals(406, refused.status());
        assertEquals(0, gateway.endpoint.openStreams());
    }
}
