package switchboard.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.call.Verb;
import switchboard.call.ViewResources;

class ViewBuilderTest {
    private static final String SCHEMA = """
            {"type":"object","additionalProperties":false,"required":["query","library"],"properties":{
              "query":{"type":"string","maxLength":50},
              "library":{"type":"string","maxLength":9},
              "top_k":{"type":"integer","minimum":1,"maximum":100,"default":5,"x-budget-default":10},
              "budget_tokens":{"type":["integer","null"],"minimum":50,"maximum":900,"default":null}}}
            """;

    private List<ToolCatalog.BackendTools> backends = List.of(
            new ToolCatalog.BackendTools("v", "v", List.of(tool("search"), tool("get"))),
            new ToolCatalog.BackendTools("w", "w", List.of(tool("search"))));

    @Test
    void aPinnedArgumentIsHiddenInjectedAndRefusedWhenSent() throws JsonProcessingException {
        PublishedTool tool = only(view(
                List.of("v__search"),
                Map.of(),
                Map.of("v__search", Map.of("library", new TextNode("acme"))),
                Map.of()));
        assertFalse(tool.descriptor().inputSchema().path("properties").has("library"));
        assertFalse(Json.text(Json.parse(tool.json())).contains("library"));
        assertEquals("acme", valid(tool, "{\"query\":\"x\"}").path("library").asText());
        assertInstanceOf(
                ArgumentValidator.Validation.Invalid.class,
                tool.validator().check(json("{\"query\":\"x\",\"library\":\"other\"}")));
    }

    /** As most tools of other servers, it takes arguments that its schema does not name. */
    @Test
    void aPinnedArgumentIsRefusedWhereTheSchemaTakesAnyOther() {
        ToolDescriptor open =
                tool("open", "{\"type\":\"object\",\"properties\":{\"library\":{\"type\":\"string\"}}}", null);
        backends = List.of(new ToolCatalog.BackendTools("v", "v", List.of(open)));
        PublishedTool tool =
                only(view(List.of(), Map.of(), Map.of("v__open", Map.of("library", new TextNode("acme"))), Map.of()));
        assertEquals(json("{\"other\":1,\"library\":\"acme\"}"), valid(tool, "{\"other\":1}"));
        for (String sent : List.of("{\"library\":\"other\"}", "{\"library\":\"acme\"}", "{\"library\":null}")) {
            ArgumentValidator.Validation.Invalid refused = assertInstanceOf(
                    ArgumentValidator.Validation.Invalid.class, tool.validator().check(json(sent)));
            assertEquals(List.of("Argument \"library\" is not known."), refused.problems());
        }
    }

    @Test
    void anArgumentWithADefaultIsNotRequiredAnyMore() {
        PublishedTool tool = only(view(
                List.of("v__search"),
                Map.of(),
                Map.of(),
                Map.of("v__search", Map.of("library", new TextNode("acme")))));
        assertEquals(
                "[\"query\"]", tool.descriptor().inputSchema().path("required").toString());
        assertEquals("acme", valid(tool, "{\"query\":\"x\"}").path("library").asText());
    }

    private View pinnedTo(String library) {
        return view(
                List.of("v__search"),
                Map.of(),
                Map.of("v__search", Map.of("library", new TextNode(library))),
                Map.of());
    }

    /** What a pin keeps a caller from, it could otherwise reach by searching everywhere, or by reading. */
    @Test
    void aViewOffersTheResourcesThatItsToolsArePinnedTo() {
        backends = List.of(
                new ToolCatalog.BackendTools(
                        "v", "v", List.of(tool("search", SCHEMA, JsonPointer.compile("/library")))),
                new ToolCatalog.BackendTools("w", "w", List.of(tool("search"))));
        ViewResources one = pinnedTo("acme").resources();
        assertTrue(one.offered("v").allows("acme"));
        assertFalse(one.offered("v").allows("other"));
        assertTrue(one.offered("w").unrestricted());

        ViewResources any = pinnedTo("ac*").resources();
        assertFalse(any.offered("v").satisfiable(), "a pin is a value and no pattern");

        ViewResources others = view(
                        List.of("v__search"), Map.of(), Map.of("v__search", Map.of("top_k", new IntNode(3))), Map.of())
                .resources();
        assertFalse(others.offered("v").satisfiable());
    }

    @Test
    void aViewOffersNothingOfAServerWhoseToolsArePinnedAndNotKnownYet() {
        backends = List.of(
                new ToolCatalog.BackendTools("v", "v", List.of()),
                new ToolCatalog.BackendTools("w", "w", List.of(tool("search"))));
        ViewResources resources = view(
                        List.of(), Map.of(), Map.of("v__search", Map.of("library", new TextNode("acme"))), Map.of())
                .resources();
        assertFalse(resources.offered("v").satisfiable());
        assertTrue(resources.offered("w").unrestricted());
    }

    @Test
    void anotherDefaultStaysTheCallersChoice() {
        PublishedTool tool = only(view(
                List.of("v__search"),
                Map.of(),
                Map.of(),
                Map.of("v__search", Map.of("top_k", new IntNode(50), "library", new TextNode("acme")))));
        assertEquals(50, valid(tool, "{\"query\":\"x\"}").path("top_k").asInt());
        assertEquals(
                7, valid(tool, "{\"query\":\"x\",\"top_k\":7}").path("top_k").asInt());
    }

    @Test
    void anotherDefaultAlsoHoldsForCallsWithABudgetAndABudgetMayBeTheDefault() {
        JsonNode acme = new TextNode("acme");
        PublishedTool five = only(view(
                List.of("v__search"),
                Map.of(),
                Map.of(),
                Map.of("v__search", Map.of("top_k", new IntNode(50), "library", acme))));
        assertEquals(
                50,
                valid(five, "{\"query\":\"x\",\"budget_tokens\":80}")
                        .path("top_k")
                        .asInt());
        PublishedTool ten = only(view(
                List.of("v__search"),
                Map.of(),
                Map.of(),
                Map.of("v__search", Map.of("budget_tokens", new IntNode(80), "library", acme))));
        assertEquals(10, valid(ten, "{\"query\":\"x\"}").path("top_k").asInt());
    }

    @Test
    void toolsAreChosenAndRenamed() {
        View view = view(List.of(), Map.of("v__search", "find_docs", "w__search", "find_more"), Map.of(), Map.of());
        assertEquals(
                List.of("find_docs", "find_more", "get"),
                view.tools().stream().map(PublishedTool::name).toList());
        assertEquals("search", view.tools().getFirst().descriptor().name());
    }

    @Test
    void everythingWrongIsSaidAtOnce() {
        ToolCatalog.InvalidViews refusal = assertThrows(
                ToolCatalog.InvalidViews.class,
                () -> view(
                        List.of("v__serch", "v__search", "w__search"),
                        Map.of("v__get", "not legal"),
                        Map.of("v__search", Map.of("top_k", new IntNode(0), "colour", new TextNode("red"))),
                        Map.of()));
        assertEquals(
                List.of(
                        "views.team: there is no tool \"v__serch\"; did you mean v__search?",
                        "views.team: v__search has no argument \"colour\"",
                        "views.team: v__search: Argument \"top_k\" must be at least 1, got 0.",
                        "views.team: two tools are called search; rename one of them"),
                refusal.problems());
    }

    @Test
    void resourcesThatCanNotBeKeptToAreRefused() {
        resources = Map.of("v", List.of(), "x", List.of("a"));
        ToolCatalog.InvalidViews refusal = assertThrows(
                ToolCatalog.InvalidViews.class, () -> view(List.of("v__search"), Map.of(), Map.of(), Map.of()));
        assertEquals(
                List.of(
                        "views.team: resources names none of v: name some, or leave the backend out of the view's"
                                + " backends",
                        "views.team: resources names the backend x, which the view does not show"),
                refusal.problems());
    }

    private Map<String, List<String>> resources = Map.of();

    private View view(
            List<String> tools,
            Map<String, String> rename,
            Map<String, Map<String, JsonNode>> pinned,
            Map<String, Map<String, JsonNode>> defaults) {
        ViewSpec spec = new ViewSpec(
                "team",
                Set.of("v", "w"),
                tools,
                rename,
                Map.of(),
                new ViewSpec.ArgumentValues(pinned, defaults),
                ViewSpec.Listing.COMPLETE,
                resources);
        return ToolCatalog.of(backends, List.of(spec)).view("team").orElseThrow();
    }

    private static PublishedTool only(View view) {
        assertEquals(1, view.tools().size());
        return view.tools().getFirst();
    }

    private static ObjectNode valid(PublishedTool tool, String arguments) {
        return assertInstanceOf(
                        ArgumentValidator.Validation.Valid.class,
                        tool.validator().check(json(arguments)))
                .arguments()
                .copy();
    }

    private static ToolDescriptor tool(String name) {
        return tool(name, SCHEMA, null);
    }

    private static ToolDescriptor tool(String name, String schema, JsonPointer scope) {
        return new ToolDescriptor(
                name,
                new ToolDescriptor.Texts(name, name),
                new ToolDescriptor.Schemas(json(schema), null),
                new ToolDescriptor.Effects(Set.of(Verb.READ), scope, true),
                new ToolDescriptor.Limits(Duration.ofSeconds(1), 1000),
                ToolDescriptor.Availability.ALWAYS,
                ToolDescriptor.AnswerFormat.PLAIN,
                null);
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) Json.parse(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
