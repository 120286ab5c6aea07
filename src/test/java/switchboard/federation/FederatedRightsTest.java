package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.backend.PromptProvider;
import switchboard.backend.ToolHandler;
import switchboard.call.Arguments;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.DetachedCallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.SearchableSource;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolCatalog.BackendTools;
import switchboard.catalog.View;
import switchboard.catalog.ViewSpec;
import switchboard.dispatch.DelegatedCalls;
import switchboard.dispatch.PendingCall;
import switchboard.dispatch.Requester;
import switchboard.store.PooledKeywordScore;
import switchboard.testing.BackendHarness;

/** What a view and a grant hide is neither found nor asked, by any of the federated tools and prompts. */
class FederatedRightsTest {
    private static final Set<String> SEARCHABLE = Set.of("vectordb", "weaviate");
    private static final List<BackendTools> BACKENDS = List.of("switchboard", "vectordb", "weaviate").stream()
            .map(type -> new BackendTools(type, type, BackendHarness.descriptors(type)))
            .toList();

    /** What backends were asked, as {@code <backend> <kind of request>}, and how long they have. */
    private final List<String> asked = new ArrayList<>();

    private final List<Duration> patience = new ArrayList<>();
    private final List<String> names = new ArrayList<>(List.of("open", "secret"));
    private @Nullable Requester requester;
    private Duration remaining = Duration.ofMinutes(1);

    private final class Calls implements DelegatedCalls {
        @Override
        public Optional<Requester> requester(String callId) {
            return Optional.ofNullable(requester);
        }

        @Override
        public PendingCall send(
                String callId, String backendId, BackendRequest request, Caller caller, Duration timeout) {
            asked.add(backendId + " " + request.getClass().getSimpleName());
            patience.add(timeout);
            BackendReply reply = answer(request);
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

    private BackendReply answer(BackendRequest request) {
        return switch (request) {
            case BackendRequest.ListSources _ ->
                new BackendReply.Sources(names.stream()
                        .map(name -> new SearchableSource(name, "test", null, List.of(), null, List.of()))
                        .toList());
            case BackendRequest.ReadDocument read ->
                new BackendReply.DocumentPart("title", null, read.document(), 4, null);
            default ->
                new BackendReply.Passages(List.of(FederationFixture.passage("1", "winch " + asked.size(), null)), null);
        };
    }

    private record Context(Duration remaining) implements DetachedCallContext {
        @Override
        public String callId() {
            return "test";
        }

        @Override
        public @Nullable String traceparent() {
            return null;
        }

        @Override
        public boolean cancelled() {
            return false;
        }

        @Override
        public void onCancel(Runnable action) {}
    }

    private FederationBackend backend() {
        return new FederationBackend(
                FederationSettings.DEFAULT,
                new FederationBackend.Dependencies(
                        SEARCHABLE,
                        new AccessPolicy(),
                        new Calls(),
                        DirectCalls::now,
                        PooledKeywordScore::of,
                        FederationFixture.MODELS,
                        TextComparison.NONE,
                        NoMembers.INSTANCE));
    }

    private static View view(Map<String, List<String>> resources, String... backends) {
        ViewSpec spec = new ViewSpec(
                "tried",
                Set.of(backends),
                List.of(),
                Map.of(),
                Map.of(),
                new ViewSpec.ArgumentValues(Map.of(), Map.of()),
                ViewSpec.Listing.COMPLETE,
                resources);
        return ToolCatalog.of(BACKENDS, List.of(spec)).view("tried").orElseThrow();
    }

    private static View everything() {
        return view(Map.of(), "switchboard", "vectordb", "weaviate");
    }

    private static Principal may(String... grants) {
        return new Principal(
                "team", "key", List.of(grants).stream().map(Grant::parse).toList());
    }

    private ToolReply call(String tool, ObjectNode arguments) {
        ToolHandler<?> handler = backend().tools().stream()
                .filter(each -> each.name().equals(tool))
                .findFirst()
                .orElseThrow();
        return run(handler, arguments, new Context(remaining));
    }

    private static <A extends Record> ToolReply run(ToolHandler<A> handler, ObjectNode arguments, CallContext context) {
        return handler.call(Arguments.of(arguments).bind(handler.argsType()), context)
                .await();
    }

    private static JsonNode answer(ToolReply reply) {
        return assertInstanceOf(ToolReply.Ok.class, reply, reply::toString).structured();
    }

    private ToolReply search(@Nullable Integer deadlineMs) {
        ObjectNode arguments = Json.object()
                .put("query", "winch")
                .put("limit", 10)
                .put("detail", "passages")
                .put("mode", "hybrid");
        arguments.putArray("sources");
        arguments.put("deadline_ms", deadlineMs);
        return call("search_everywhere", arguments);
    }

    private static Set<String> sources(JsonNode list) {
        Set<String> labels = new TreeSet<>();
        list.forEach(source -> labels.add(source.path("source").asText()));
        return labels;
    }

    private ToolReply fetch(String address) {
        return call(
                "fetch_document",
                Json.object().put("address", address).put("offset", 0).put("max_chars", 100));
    }

    private Set<String> listed() {
        ObjectNode arguments = Json.object();
        arguments.putArray("sources");
        return sources(answer(call("list_sources", arguments)).path("sources"));
    }

    private Set<String> completed(String typed) {
        return Set.copyOf(complete("compare_sources", "source", typed).values());
    }

    private BackendReply.Completion complete(String prompt, String argument, String typed) {
        return prompts()
                .complete(prompt, argument, typed, Map.of(), new Context(remaining))
                .await();
    }

    private PromptProvider prompts() {
        return backend().prompts().orElseThrow();
    }

    private void offers(Set<String> labels) {
        assertEquals(labels, listed());
        assertEquals(labels, completed(""));
        assertEquals(labels, sources(answer(search(null)).path("sources")));
        for (String label : List.of("vectordb:open", "vectordb:secret", "weaviate:open", "weaviate:secret")) {
            asked.clear();
            ToolReply reply = fetch("switchboard://" + label.replace(':', '/') + "/1");
            if (labels.contains(label)) {
                assertEquals("1", answer(reply).path("text").asText());
            } else {
                ToolReply.Failed failed = assertInstanceOf(ToolReply.Failed.class, reply, label);
                assertEquals(FailureKind.NOT_FOUND, failed.kind());
                assertEquals(List.of(), asked, "nobody is asked for " + label);
            }
        }
    }

    @Test
    void aViewOfTheFederatedToolsAloneHasAllThatCanBeSearched() {
        requester = new Requester(Principal.anonymous(), view(Map.of(), "switchboard"));
        offers(Set.of("vectordb:open", "vectordb:secret", "weaviate:open", "weaviate:secret"));
    }

    @Test
    void aViewWithOtherBackendsHasTheirSourcesOnly() {
        requester = new Requester(Principal.anonymous(), view(Map.of(), "switchboard", "vectordb"));
        offers(Set.of("vectordb:open", "vectordb:secret"));
    }

    @Test
    void aViewMayNameSourcesOfABackend() {
        requester = new Requester(
                Principal.anonymous(),
                view(
                        Map.of("switchboard", List.of("vectordb:open", "weaviate:*")),
                        "switchboard",
                        "vectordb",
                        "weaviate"));
        offers(Set.of("vectordb:open", "weaviate:open", "weaviate:secret"));
    }

    @Test
    void aGrantForSearchingHoldsForEveryTool() {
        requester = new Requester(may("switchboard:*", "vectordb:search,read"), everything());
        offers(Set.of("vectordb:open", "vectordb:secret"));
        asked.clear();
        search(null);
        assertTrue(asked.stream().allMatch(request -> request.startsWith("vectordb ")), asked::toString);
    }

    @Test
    void whoMaySearchButNotReadFetchesNothing() {
        requester = new Requester(may("switchboard:*", "vectordb:search"), everything());
        assertEquals(Set.of("vectordb:open", "vectordb:secret"), listed());
        assertInstanceOf(ToolReply.Failed.class, fetch("switchboard://vectordb/open/1"));
        requester = new Requester(may("switchboard:*", "vectordb:read:open"), everything());
        assertEquals(Set.of(), listed());
        assertInstanceOf(ToolReply.Ok.class, fetch("switchboard://vectordb/open/1"));
        assertInstanceOf(ToolReply.Failed.class, fetch("switchboard://vectordb/secret/1"));
    }

    @Test
    void whatCanNotBeSearchedIsNoSourceEvenIfTheViewHasIt() {
        requester = new Requester(Principal.anonymous(), everything());
        assertInstanceOf(ToolReply.Failed.class, fetch("switchboard://switchboard/open/1"));
        assertEquals(List.of(), asked);
        ToolReply.Failed failed =
                assertInstanceOf(ToolReply.Failed.class, fetch("https://example.org/no-address-of-a-document"));
        assertEquals(FailureKind.INVALID_ARGUMENT, failed.kind());
        assertTrue(failed.message().contains("search_everywhere"), failed.message());
    }

    @Test
    void aCallThatIsOverFindsNothing() {
        ToolException over = org.junit.jupiter.api.Assertions.assertThrows(ToolException.class, () -> search(null));
        assertEquals(FailureKind.CANCELLED, over.failed().kind());
        assertEquals(List.of(), asked);
    }

    // ---- find_tools

    private JsonNode found(int limit) {
        return answer(
                call("find_tools", Json.object().put("task", "search documents").put("limit", limit)));
    }

    private static Set<String> backends(JsonNode found) {
        Set<String> backends = new TreeSet<>();
        found.path("tools").forEach(tool -> {
            String name = tool.path("name").asText();
            backends.add(BACKENDS.stream()
                    .filter(backend -> backend.tools().stream()
                            .anyMatch(own -> name.equals(own.name()) || name.equals(backend.id() + "__" + own.name())))
                    .map(BackendTools::id)
                    .findFirst()
                    .orElse(name));
        });
        return backends;
    }

    @Test
    void onlyToolsThatTheCallerMayCallAreFoundAndCounted() {
        requester = new Requester(may("vectordb:search,read"), everything());
        JsonNode some = found(100);
        assertEquals(Set.of("vectordb"), backends(some));
        assertEquals(some.path("tools").size(), some.path("total").asInt());
        requester = new Requester(Principal.anonymous(), everything());
        JsonNode all = found(100);
        assertEquals(Set.of("switchboard", "vectordb", "weaviate"), backends(all));
        assertTrue(all.path("total").asInt() > some.path("total").asInt());
        for (JsonNode tool : all.path("tools")) {
            assertTrue(
                    !Set.of("find_tools", "call_tool")
                            .contains(tool.path("name").asText()),
                    tool::toString);
        }
        assertEquals(2, found(2).path("tools").size());
        assertEquals(all.path("total"), found(2).path("total"));
    }

    // ---- time

    @ParameterizedTest
    @CsvSource({
        // The default is five seconds, and 50 ms are left for the answer if the call has no more.
        ", 60000, 5000",
        "1000, 60000, 1000",
        "60000, 60000, 59950",
        ", 3000, 2950",
        "2000, 3000, 2000"
    })
    void sourcesHaveTheTimeThatIsWantedButNeverMoreThanTheCall(Integer wanted, long left, long most) {
        requester = new Requester(Principal.anonymous(), view(Map.of(), "switchboard", "vectordb"));
        remaining = Duration.ofMillis(left);
        search(wanted);
        assertTrue(asked.contains("vectordb SearchSource"), asked::toString);
        for (Duration time : patience) {
            assertTrue(
                    time.toMillis() <= most && time.toMillis() > most - 900,
                    () -> time + " of " + most + " for " + asked);
        }
    }

    // ---- prompts

    private String prompt(String name, Map<String, String> arguments) {
        BackendReply reply =
                prompts().get(name, arguments, new Context(remaining)).result();
        return assertInstanceOf(BackendReply.Prompt.class, reply, reply::toString)
                .result()
                .path("messages")
                .path(0)
                .path("content")
                .path("text")
                .asText();
    }

    @Test
    void promptsSayWhichArgumentsTheyHave() {
        requester = new Requester(may("switchboard:read,search"), everything());
        List<ObjectNode> list =
                prompts().list(null, new Context(remaining)).result().items();
        List<String> arguments = new ArrayList<>();
        list.forEach(prompt -> prompt.path("arguments").forEach(argument -> {
            assertTrue(argument.path("description").asText().contains(" "));
            arguments.add(
                    prompt.path("name").asText() + " " + argument.path("name").asText() + " "
                            + argument.path("required").asBoolean());
        }));
        assertEquals(
                List.of(
                        "search_and_cite question true",
                        "search_and_cite source false",
                        "compare_sources topic true",
                        "compare_sources source false",
                        "explore_collection source true",
                        "explore_collection interest false"),
                arguments);
    }

    @Test
    void aPromptContainsWhatWasGivenAndNothingOfWhatWasNot() {
        requester = new Requester(may("switchboard:read,search"), everything());
        String cite = prompt("search_and_cite", Map.of("question", "What tows?"));
        assertTrue(cite.startsWith("Answer this question: What tows?\n\nCall search_everywhere, and"), cite);
        String compare = prompt("compare_sources", Map.of("topic", "winches", "source", " a:b "));
        assertTrue(compare.contains("topic: winches\n\nCall search_everywhere with sources [\"a:b\"] with"), compare);
        String explore = prompt("explore_collection", Map.of("source", "a:b", "interest", " "));
        assertTrue(explore.startsWith("Give an overview of the source a:b.\n\nCall list_sources"), explore);
        assertTrue(explore.contains("search_everywhere with sources [\"a:b\"] three"), explore);
        String about = prompt("explore_collection", Map.of("source", "a:b", "interest", "ships"));
        assertTrue(
                about.startsWith("Give an overview of the source a:b, above all of what it says about this: ships."),
                about);
    }

    @ParameterizedTest
    @CsvSource({"search_and_cite, question", "compare_sources, topic", "explore_collection, source"})
    void aPromptWithoutItsRequiredArgumentNamesIt(String prompt, String lacking) {
        requester = new Requester(may("switchboard:read,search"), everything());
        for (Map<String, String> given :
                List.of(Map.<String, String>of(), Map.of(lacking, "  "), Map.of("interest", "x", lacking, ""))) {
            BackendReply reply =
                    prompts().get(prompt, given, new Context(remaining)).result();
            ToolReply.Failed failed = assertInstanceOf(ToolReply.Failed.class, reply, reply::toString);
            assertEquals(FailureKind.INVALID_ARGUMENT, failed.kind());
            assertEquals("Prompt " + prompt + " needs the argument " + lacking + ".", failed.message());
        }
    }

    @Test
    void whatIsNoPromptIsNoneAndHasNoCompletion() {
        requester = new Requester(Principal.anonymous(), view(Map.of(), "switchboard", "vectordb"));
        assertEquals(
                new BackendReply.Prompt(null),
                prompts().get("nope", Map.of(), new Context(remaining)).result());
        for (BackendReply.Completion none : List.of(
                complete("nope", "source", ""), complete("search_and_cite", "question", ""), complete("", "", ""))) {
            assertEquals(new BackendReply.Completion(List.of(), 0, false), none);
        }
        assertEquals(List.of(), asked);
    }

    @Test
    void aCompletionHasUpToAHundredNamesAndTheNumberOfAll() {
        requester = new Requester(Principal.anonymous(), view(Map.of(), "switchboard", "vectordb"));
        names.clear();
        IntStream.range(0, 100).forEach(i -> names.add("Name" + i));
        BackendReply.Completion all = complete("explore_collection", "source", "nAME");
        assertEquals(100, all.values().size());
        assertEquals(new BackendReply.Completion(all.values(), 100, false), all);
        names.add("Name100");
        BackendReply.Completion more = complete("explore_collection", "source", "nAME");
        assertEquals(100, more.values().size());
        assertEquals(new BackendReply.Completion(more.values(), 101, true), more);
        assertEquals(Set.of("vectordb:Name99"), completed("E99"));
        assertEquals(Set.of(), completed("other"));
    }
}
