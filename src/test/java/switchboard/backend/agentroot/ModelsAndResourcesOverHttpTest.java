package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.ToolResult;

/** Documents as resources, and what a language model adds, through the whole gateway. */
class ModelsAndResourcesOverHttpTest {
    @TempDir
    Path temp;

    private AgentrootSite site;

    @BeforeEach
    void start() {
        site = new AgentrootSite(temp);
    }

    @AfterEach
    void stop() {
        site.close();
    }

    @Test
    void documentsAreResourcesPageByPage() throws IOException {
        for (int i = 0; i < 130; i++) {
            site.write("docs/f" + i + ".md", "# File " + i + "\n\ntext " + i);
        }
        site.index("docs");
        try (McpTestClient client = site.gateway().modern("agentroot")) {
            JsonNode first = client.result("resources/list", Json.object());
            assertEquals(100, first.path("resources").size());
            JsonNode second = client.result("resources/list", Json.object().set("cursor", first.path("nextCursor")));
            Set<String> uris = new HashSet<>(AgentrootFixture.texts(first.path("resources"), "uri"));
            uris.addAll(AgentrootFixture.texts(second.path("resources"), "uri"));
            assertEquals(130, uris.size());
            assertFalse(second.hasNonNull("nextCursor"));
            JsonNode read = client.result("resources/read", Json.object().put("uri", "agentroot://docs/f7.md"));
            assertEquals(
                    "# File 7\n\ntext 7",
                    read.path("contents").path(0).path("text").asText());
            assertEquals(
                    List.of("agentroot://{collection}/{+path}", "agentroot://docs/{+path}"),
                    AgentrootFixture.texts(
                            client.result("resources/templates/list", Json.object())
                                    .path("resourceTemplates"),
                            "uriTemplate"));
            assertEquals(List.of("docs"), completed(client, "agentroot://{collection}/{+path}", "collection", "do"));
            assertEquals(
                    List.of("f12.md", "f120.md", "f121.md", "f122.md"),
                    completed(client, "agentroot://docs/{+path}", "path", "f12").subList(0, 4).stream()
                            .sorted()
                            .toList());
            for (String uri : List.of("agentroot://docs/nope.md", "agentroot://other/f7.md", "agentroot://f7.md")) {
                JsonNode missing = client.request(
                                "resources/read", Json.object().put("uri", uri))
                        .json();
                assertTrue(missing.has("error"), uri);
            }
        }
    }

    private static List<String> completed(McpTestClient client, String template, String argument, String value) {
        ObjectNode params = Json.object();
        params.putObject("ref").put("type", "ref/resource").put("uri", template);
        params.putObject("argument").put("name", argument).put("value", value);
        return AgentrootFixture.texts(
                client.result("completion/complete", params).path("completion").path("values"));
    }

    @Test
    void anUpdateThatChangesSomethingIsAnnounced() throws IOException {
        site.write("docs/a.md", "a");
        try (McpTestClient client = site.gateway().legacy("agentroot");
                RawHttp stream = new RawHttp(site.gateway().url().getPort())) {
            stream.get(
                            "/mcp/agentroot",
                            "Mcp-Session-Id: " + client.session()
                                    + "\nMCP-Protocol-Version: 2025-11-25\nAccept: text/event-stream\n")
                    .readUntil("text/event-stream");
            site.index("docs");
            stream.readUntil("\"method\":\"notifications/resources/list_changed\"");
        }
    }

    @Test
    void aModelDescribesDocumentsWhereTheFrontMatterDoesNot() {
        site.restart("indexing");
        site.write("docs/a.md", "---\ncategory: recipe\n---\n# Soup\n\nBoil water.");
        String answer = "{'summary':'How to cook soup.','category':'guide','difficulty':'Beginner',"
                + "'keywords':['soup','cooking'],'concepts':['cuisine']}";
        site.says(answer);
        site.index("docs");
        JsonNode found = site.ok("search", "{'query':'boil','concept':'cuisine','difficulty':'beginner'}")
                .path("results")
                .path(0);
        assertEquals("How to cook soup.", found.path("summary").asText());
        assertEquals("recipe", found.path("category").asText());
        assertEquals(1, site.questions.size());
        JsonNode format = site.questions.getFirst().path("response_format");
        assertEquals("json_schema", format.path("type").asText());
        assertEquals(0, site.update("docs").path("filesUpdated").asInt());
        assertEquals(1, site.questions.size());
        site.write("docs/b.md", "# Bread\n\nKnead.");
        JsonNode without = site.update("docs");
        assertEquals(1, without.path("added").asInt());
        assertTrue(without.has("withoutModel"), without.toString());
        assertEquals(1, site.ok("search", "{'query':'knead'}").path("count").asInt());
    }

    @Test
    void vectorsOfAnotherLengthAreNotCompared() {
        site.write("docs/a.md", "heron");
        site.index("docs");
        site.given = 32;
        JsonNode unfit = site.ok("vsearch", "{'query':'heron'}");
        assertEquals("keyword", unfit.path("mode").asText());
        assertTrue(unfit.path("reason").asText().contains("32 numbers, but 64 are expected"), unfit.toString());
        site.expected = 32;
        site.restart("");
        ToolResult mismatch = site.call("vsearch", "{'query':'heron'}");
        assertEquals("CONFLICT", mismatch.errorKind());
        assertTrue(mismatch.text().contains("64 dimensions, the query's has 32"), mismatch.text());
        JsonNode words = site.ok("query", "{'query':'heron'}");
        assertEquals("keyword", words.path("mode").asText());
        assertEquals(List.of("docs/a.md"), AgentrootFixture.files(words));
    }

    @Test
    void aModelThatKnowsNoSchemasIsAskedInWords() {
        site.answers.add(Map.entry(400, ""));
        site.says("Sure: {'words':'soup','since':'','until':'','category':'','language':''}");
        JsonNode reply = site.ok("smart_search", "{'query':'anything about soup?'}");
        assertEquals("llm", reply.path("parser").asText());
        assertEquals("soup", reply.path("understood").path("words").asText());
        assertFalse(site.questions.get(1).has("response_format"));
        assertTrue(site.questions.get(1).toString().contains("JSON Schema"));
        site.says("{'words':'bread','since':'','until':'','category':'','language':''}");
        site.ok("smart_search", "{'query':'anything about bread?'}");
        assertEquals(3, site.questions.size());
    }
}
