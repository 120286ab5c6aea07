package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Budget;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.call.BackendEvent.ListChanged.ListType;
import switchboard.call.Claim;
import switchboard.call.Json;
import switchboard.call.Tracing;
import switchboard.call.Verb;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolCatalog.BackendTools;
import switchboard.catalog.ToolDescriptor;
import switchboard.catalog.View;
import switchboard.catalog.ViewSpec;
import switchboard.telemetry.FinishedRequest;
import switchboard.testing.NoTasks;
import switchboard.testing.RoughAnswers;

/** Who isNotified that a list has changed: nobody of what a grant or a view hides. */
class ChangeSubscribersTest {
    private static final Map<String, Map<String, JsonNode>> NONE = Map.of();
    private static final ToolCatalog CATALOG = ToolCatalog.of(
            List.of(
                    new BackendTools("alpha", "alpha", List.of(tool("read", Verb.READ), tool("write", Verb.CREATE))),
                    new BackendTools("beta", "beta", List.of(tool("search", Verb.SEARCH)))),
            List.of(
                    view("plain", Set.of("alpha", "beta"), Map.of(), NONE, Map.of()),
                    view("retold", Set.of("alpha", "beta"), Map.of("alpha__write", "Other words."), NONE, Map.of()),
                    view("single", Set.of("alpha"), Map.of(), NONE, Map.of()),
                    view("one", Set.of("alpha", "beta"), Map.of(), NONE, Map.of("alpha", List.of("one"))),
                    view("two", Set.of("alpha", "beta"), Map.of(), NONE, Map.of("alpha", List.of("two"))),
                    view(
                            "pinned",
                            Set.of("alpha", "beta"),
                            Map.of(),
                            Map.of("alpha__read", Map.of("mode", TextNode.valueOf("x"))),
                            Map.of())));

    private final ChangeSubscribers subscribers = new ChangeSubscribers(new ProtocolServices(
            ProtocolSettings.defaults("1"),
            ChangeSubscribersTest::view,
            new Capabilities(),
            new AccessPolicy(),
            Budget.UNLIMITED,
            Redactor.NONE,
            RoughAnswers.fitter(),
            (_, _, _, _) -> {
                throw new AssertionError("no backend is asked");
            },
            new ChangeHub(1),
            new Nobody(),
            Tracing.OFF,
            NoTasks.store()));

    private static ToolDescriptor tool(String name, Verb verb) {
        ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);
        schema.putObject("properties").putObject("mode").put("type", "string");
        return new ToolDescriptor(
                name,
                new ToolDescriptor.Texts(name, "Does " + name + "."),
                new ToolDescriptor.Schemas(schema, null),
                new ToolDescriptor.Effects(Set.of(verb), null, true),
                new ToolDescriptor.Limits(Duration.ofSeconds(7), 1000),
                ToolDescriptor.Availability.ALWAYS,
                ToolDescriptor.AnswerFormat.PLAIN,
                null);
    }

    private static ViewSpec view(
            String name,
            Set<String> backends,
            Map<String, String> texts,
            Map<String, Map<String, JsonNode>> pinned,
            Map<String, List<String>> resources) {
        return new ViewSpec(
                name,
                backends,
                List.of(),
                Map.of(),
                texts,
                new ViewSpec.ArgumentValues(pinned, NONE),
                ViewSpec.Listing.COMPLETE,
                resources);
    }

    private static View view(String name) {
        return CATALOG.view(name).orElseThrow();
    }

    /** Addresses are {@code <backend>:<resource>}, or {@code <backend>:} for something of unknown name. */
    private static final class Capabilities implements BackendCapabilities {
        @Override
        public boolean resources(String backendId) {
            return true;
        }

        @Override
        public boolean owns(String backendId, String uri) {
            return uri.startsWith(backendId + ":");
        }

        @Override
        public Optional<String> resource(String backendId, String uri) {
            return Optional.of(uri.substring(backendId.length() + 1)).filter(name -> !name.isEmpty());
        }

        @Override
        public boolean prompts(String backendId) {
            return true;
        }
    }

    private static final class Nobody implements OperationObserver {
        @Override
        public void finished(FinishedRequest operation) {}

        @Override
        public void sessionEnded(Duration age) {}
    }

    private static Principal may(String... grants) {
        return new Principal("team", "key", Stream.of(grants).map(Grant::parse).toList());
    }

    private static ListChanged resource(@Nullable String name) {
        return new ListChanged(ListType.RESOURCES, name, null);
    }

    private static final Principal ALL = Principal.anonymous();

    @Test
    void aListIsAnotherOneOnlyForThoseWhoSeeWhatIsOther() {
        assertFalse(subscribers.seesOther(ALL, view("plain"), view("plain")));
        assertTrue(subscribers.seesOther(ALL, view("plain"), view("retold")));
        assertTrue(subscribers.seesOther(may("alpha:create"), view("plain"), view("retold")));
        assertFalse(subscribers.seesOther(may("alpha:read", "beta:*"), view("plain"), view("retold")));
        assertTrue(subscribers.seesOther(ALL, view("plain"), view("single")));
        assertFalse(subscribers.seesOther(may("alpha:*"), view("plain"), view("single")));
    }

    @Test
    void otherResourcesAreThoseOfOtherBoundsOrBackends() {
        assertFalse(subscribers.seesOtherResources(view("plain"), view("retold")));
        assertTrue(subscribers.seesOtherResources(view("plain"), view("one")));
        assertTrue(subscribers.seesOtherResources(view("one"), view("two")));
        assertTrue(subscribers.seesOtherResources(view("plain"), view("single")));
    }

    @Test
    void aBackendConcernsWhoeverMayDoAnythingThere() {
        for (String grant : List.of("alpha:read", "alpha:create", "alpha:delete:some", "*:*")) {
            assertTrue(subscribers.concerns(may(grant), "plain", "alpha"), grant);
        }
        assertFalse(subscribers.concerns(may("beta:*"), "plain", "alpha"));
        assertFalse(subscribers.concerns(may(), "plain", "alpha"));
        assertFalse(subscribers.concerns(ALL, "single", "beta"));
        assertFalse(subscribers.concerns(ALL, "plain", "gamma"));
    }

    @Test
    void aChangeOfToolsIsHeardByThoseWhomTheBackendConcerns() {
        for (ListType kind : List.of(ListType.TOOLS, ListType.PROMPTS)) {
            assertTrue(subscribers.isNotified(may("alpha:create"), "plain", "alpha", new ListChanged(kind)));
            assertFalse(subscribers.isNotified(may("beta:*"), "plain", "alpha", new ListChanged(kind)));
        }
    }

    @Test
    void aChangedResourceIsHeardOfByThoseWhoMayReadIt() {
        assertTrue(subscribers.isNotified(may("alpha:read:one"), "plain", "alpha", resource("one")));
        assertFalse(subscribers.isNotified(may("alpha:read:one"), "plain", "alpha", resource("two")));
        assertTrue(subscribers.isNotified(may("alpha:read:one"), "plain", "alpha", resource(null)));
        assertFalse(subscribers.isNotified(may("alpha:search,create"), "plain", "alpha", resource("one")));
        assertTrue(subscribers.isNotified(ALL, "one", "alpha", resource("one")));
        assertFalse(subscribers.isNotified(ALL, "two", "alpha", resource("one")), "not in this view");
        assertFalse(subscribers.isNotified(ALL, "single", "beta", resource("one")));
    }

    @Test
    void aChangeOfAnOwnersResourceIsHeardOfByThoseOfThatOwnerOnly() {
        Map<String, Map<String, String>> bindings = Map.of("alpha", Map.of("owner", "{claim:desk}"));
        List<Grant> grants = List.of(Grant.EVERYTHING);
        Principal north =
                new Principal("team", "n", grants, bindings, null, null, null, Map.of("desk", Claim.of("north")));
        Principal south =
                new Principal("team", "s", grants, bindings, null, null, null, Map.of("desk", Claim.of("south")));
        Principal nobody = new Principal("team", "x", grants, bindings, null, null);
        ListChanged norths = owned("north");
        assertTrue(subscribers.isNotified(north, "plain", "alpha", norths));
        assertFalse(subscribers.isNotified(south, "plain", "alpha", norths));
        assertFalse(subscribers.isNotified(nobody, "plain", "alpha", norths));
        assertFalse(subscribers.isNotified(ALL, "plain", "alpha", norths));
        ListChanged shared = owned("");
        assertTrue(subscribers.isNotified(ALL, "plain", "alpha", shared));
        assertFalse(subscribers.isNotified(north, "plain", "alpha", shared));
    }

    private static ListChanged owned(String owner) {
        return new ListChanged(
                ListType.RESOURCES, "one", caller -> caller.owner().equals(owner));
    }

    @Test
    void aViewThatOffersNoResourcesOfABackendTellsOfNone() {
        assertFalse(subscribers.isNotified(ALL, "pinned", "alpha", resource("one")));
        assertFalse(subscribers.isNotified(ALL, "pinned", "alpha", resource(null)));
        assertTrue(subscribers.isNotified(ALL, "pinned", "alpha", new ListChanged(ListType.TOOLS)));
        assertTrue(subscribers.isNotified(ALL, "pinned", "beta", resource("one")));
    }

    @Test
    void aSubscriptionHearsOfItsResourceOnly() {
        assertTrue(subscribers.isNotifiedOf(ALL, "plain", "alpha", resource("One"), "alpha:one"));
        assertFalse(subscribers.isNotifiedOf(ALL, "plain", "alpha", resource("one"), "alpha:two"));
        assertFalse(subscribers.isNotifiedOf(ALL, "plain", "alpha", resource("one"), "beta:one"));
        assertTrue(subscribers.isNotifiedOf(ALL, "plain", "alpha", resource("one"), "alpha:"), "it may be that one");
        assertTrue(subscribers.isNotifiedOf(may("alpha:read:one"), "plain", "alpha", resource(null), "alpha:one"));
        assertFalse(subscribers.isNotifiedOf(may("alpha:read:one"), "plain", "alpha", resource(null), "alpha:two"));
    }
}
