package switchboard.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.call.Verb;

class ToolCatalogTest {
    private final ToolCatalog catalog = ToolCatalog.of(
            List.of(
                    backend("vectordb", "vectordb", "search", "list_documents"),
                    backend("agentroot", "agentroot", "search", "get"),
                    backend("archive", "vectordb", "search", "list_documents")),
            List.of());

    @Test
    void theDefaultViewQualifiesOnlyWhatCollidesOrIsASecondInstance() {
        assertEquals(
                List.of(
                        "agentroot__search",
                        "archive__list_documents",
                        "archive__search",
                        "get",
                        "list_documents",
                        "vectordb__search"),
                names(""));
    }

    @Test
    void aBackendsOwnViewShowsItsExactNames() {
        assertEquals(List.of("list_documents", "search"), names("vectordb"));
        assertEquals(List.of("list_documents", "search"), names("archive"));
    }

    @Test
    void theQualifiedNameIsAcceptedForEveryTool() {
        View view = catalog.view("").orElseThrow();
        View.Lookup.ToolFound found =
                assertInstanceOf(View.Lookup.ToolFound.class, view.find("vectordb__list_documents"));
        assertEquals("list_documents", found.tool().name());
        assertEquals("vectordb", found.tool().backend());
    }

    @Test
    void aSharedNameNamesItsCandidates() {
        View.Lookup.Ambiguous lookup = assertInstanceOf(
                View.Lookup.Ambiguous.class, catalog.view("").orElseThrow().find("search"));
        assertEquals(List.of("agentroot__search", "vectordb__search"), lookup.names());
    }

    @Test
    void aStrangeNameIsUnknown() {
        assertInstanceOf(
                View.Lookup.Unknown.class, catalog.view("").orElseThrow().find("vectordb__nope"));
        assertTrue(catalog.view("nope").isEmpty());
    }

    @Test
    void hintsFollowFromVerbs() throws JsonProcessingException {
        PublishedTool tool = catalog.view("vectordb").orElseThrow().tools().getFirst();
        JsonNode hints = Json.parse(tool.json()).path("annotations");
        assertTrue(hints.path("readOnlyHint").asBoolean());
        assertEquals(
                Set.of("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"),
                Set.copyOf(hints.properties().stream()
                        .map(java.util.Map.Entry::getKey)
                        .toList()));
    }

    private List<String> names(String view) {
        return catalog.view(view).orElseThrow().tools().stream()
                .map(PublishedTool::name)
                .toList();
    }

    private static ToolCatalog.BackendTools backend(String id, String type, String... tools) {
        return new ToolCatalog.BackendTools(
                id,
                type,
                Stream.of(tools)
                        .map(name -> new ToolDescriptor(
                                name,
                                new ToolDescriptor.Texts(name, name),
                                new ToolDescriptor.Schemas(
                                        Json.object().put("type", "object").put("additionalProperties", false), null),
                                new ToolDescriptor.Effects(Set.of(Verb.READ), null, true),
                                new ToolDescriptor.Limits(Duration.ofSeconds(1), 1000),
                                ToolDescriptor.Availability.ALWAYS,
                                ToolDescriptor.AnswerFormat.PLAIN,
                                null))
                        .toList());
    }
}
