package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BusCodecsTest {
    private final ObjectMapper mapper = BusCodecs.wireMapper();

    static List<BackendRequest> requests() throws JsonProcessingException {
        return List.of(
                new BackendRequest.CallTool(
                        "search", Arguments.of((ObjectNode) Json.parse("{\"q\":\"é\",\"n\":1.50}"))),
                new BackendRequest.ListResources(null),
                new BackendRequest.ListResourceTemplates("next"),
                new BackendRequest.ReadResource("a://b"),
                new BackendRequest.GetPrompt("p", Map.of("a", "b")),
                new BackendRequest.Maintain(new BackendRequest.Maintain.Backup("/copy")),
                new BackendRequest.Maintain(new BackendRequest.Maintain.Reindex()),
                new BackendRequest.Complete("p", "a", "v", Map.of()));
    }

    static List<BackendReply> replies() {
        return List.of(
                ToolReply.ok(Json.object().put("a", 1)),
                new ToolReply.Ok(
                        List.of(
                                new ContentBlock.TextBlock("t"),
                                new ContentBlock.ImageBlock("aa", "image/png"),
                                new ContentBlock.AudioBlock("bb", "audio/wav"),
                                new ContentBlock.EmbeddedResource("a://b", "n", null, "text/plain", "x"),
                                new ContentBlock.ResourceLink("a://c", "c", null, null)),
                        null),
                new ToolReply.Ok(List.of(), Json.object()).keeping(SessionValues.of("database", "analytics")),
                giving(GivenDocuments.found(new GivenDocuments.GivenSearch(
                        "q",
                        List.of("s"),
                        2,
                        List.of(new GivenDocuments.GivenHit(new GivenDocuments.GivenDocument("s", "d"), 0.5, null))))),
                giving(new GivenDocuments.SeveralSearches(
                        List.of(new GivenDocuments.GivenSearch("", List.of(), List.of())))),
                giving(GivenDocuments.read(List.of(new GivenDocuments.GivenDocument("s", null)))),
                new RelayedReply.RelayedResult(Json.object().put("isError", true)),
                new RelayedReply.InputRequired(Json.object(), "state"),
                new RelayedReply.CapabilitiesMissing(Json.object()),
                new ToolReply.Failed(FailureKind.NOT_FOUND, "gone")
                        .withCode("42P01")
                        .withRetryAfterMs(5)
                        .withDetails(Json.object().put("x", true)),
                new BackendReply.Resources(List.of(Json.object().put("uri", "a://b")), "c"),
                new BackendReply.Contents(List.of()),
                new BackendReply.Sources(List.of(new SearchableSource(
                        "s",
                        "d",
                        7L,
                        List.of(
                                new FilterField("b", List.of(), true),
                                new FilterField(
                                        "a",
                                        List.of(FilterField.ValueType.DATE_TIME, FilterField.ValueType.BOOLEAN),
                                        false,
                                        List.of(Json.object().put("v", "x").path("v")))),
                        null,
                        List.of("keyword")))),
                new BackendReply.Prompt(null),
                new BackendReply.Completion(List.of("a"), 1, false));
    }

    private static ToolReply giving(GivenDocuments documents) {
        return new ToolReply.Ok(List.of(), Json.object(), SessionValues.NONE, documents);
    }

    static List<BackendEvent> events() {
        return List.of(
                new BackendEvent.CallProgress(0.5, null, "half"),
                new BackendEvent.Log(LogLevel.INFO, null, Json.object().put("k", "v")),
                new BackendEvent.ListChanged(BackendEvent.ListChanged.ListType.TOOLS));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void callsSurviveTheWire(BackendRequest request) throws IOException {
        BackendCall call = new BackendCall(
                "id",
                request,
                new Caller(
                        "team",
                        "key",
                        Rights.everywhere(java.util.Set.of(Verb.READ)),
                        ResourceScope.anyOf(List.of("a*")),
                        Map.of("tenant", "t"),
                        Map.of("desk", Claim.of("north"), "groups", Claim.of(List.of("a", "b")))),
                42,
                new BackendCall.WantedEvents(true, LogLevel.WARNING),
                null,
                SessionValues.of("database", "analytics"),
                new CallingClient(
                        Json.object().put("roots", true),
                        CallingClient.AskMode.IN_REPLY,
                        new CallingClient.ClientResponses(Json.object().put("key", 1), "state")));
        assertEquals(call, mapper.readValue(mapper.writeValueAsBytes(call), BackendCall.class));
    }

    @ParameterizedTest
    @MethodSource("replies")
    void repliesSurviveTheWire(BackendReply reply) throws IOException {
        byte[] json = mapper.writerFor(BackendReply.class).writeValueAsBytes(reply);
        assertEquals(reply, mapper.readValue(json, BackendReply.class));
    }

    @ParameterizedTest
    @MethodSource("events")
    void eventsSurviveTheWire(BackendEvent event) throws IOException {
        byte[] json = mapper.writerFor(BackendEvent.class).writeValueAsBytes(event);
        assertEquals(event, mapper.readValue(json, BackendEvent.class));
    }

    @Test
    void argumentsShowTheirNamesOnly() throws JsonProcessingException {
        assertEquals(
                "Arguments[key]",
                Arguments.of((ObjectNode) Json.parse("{\"key\":\"secret\"}")).toString());
    }
}
