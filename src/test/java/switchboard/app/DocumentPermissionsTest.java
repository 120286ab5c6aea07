package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Members of one team who may read different documents of the same library, over HTTP. */
class DocumentPermissionsTest {
    private static final String YAML = """
            auth: {mode: keys}
            embedders: {default: {provider: none}}
            backends:
              vectordb: {type: vectordb}
              agentroot: {type: agentroot, roots: ['%s']}
            """;
    private static final String BOUND = "{user: \"{claim:email}\", groups: \"{list:groups}\"}";

    private final Map<String, ApiKey> keys = new TreeMap<>();

    @TempDir
    Path folder;

    private TestGateway start(String name) throws IOException {
        for (String id : List.of("ann", "bob", "eve", "feed", "plain")) {
            keys.computeIfAbsent(id, _ -> ApiKey.generate(new SecureRandom()));
        }
        Path data = Files.createDirectories(folder.resolve(name));
        Files.writeString(data.resolve("teams.yaml"), """
                teams:
                  staff:
                    keys:
                      - {id: ann, sha256: %s, claims: {email: [ann@example.com], groups: [hr, it]}}
                      - {id: bob, sha256: %s, claims: {email: [bob@example.com], groups: [it]}}
                      - {id: eve, sha256: %s, claims: {email: [eve@example.com]}}
                    grants: ["*:*"]
                    bindings: {vectordb: %s, agentroot: %s}
                  feeders:
                    keys: [{id: feed, sha256: %s}]
                    grants: ["*:*"]
                    bindings: {vectordb: {documents: all}, agentroot: {documents: all}}
                  plain:
                    keys: [{id: plain, sha256: %s}]
                    grants: ["*:*"]
                """.formatted(
                        keys.get("ann").sha256(),
                        keys.get("bob").sha256(),
                        keys.get("eve").sha256(),
                        BOUND,
                        BOUND,
                        keys.get("feed").sha256(),
                        keys.get("plain").sha256()));
        return TestGateway.start(YAML.formatted(folder.resolve("files")), data);
    }

    private McpTestClient client(TestGateway gateway, String id) {
        return McpTestClient.modern(gateway.url())
                .with("X-API-Key", keys.get(id).text());
    }

    private static ToolResult ingest(McpTestClient client, String source, String content, String... allow) {
        ObjectNode arguments = Json.object().put("source", source).put("content", content);
        for (String reader : allow) {
            arguments.withArray("allow").add(reader);
        }
        return client.call("ingest_text", arguments);
    }

    private static String id(ToolResult ingested) {
        assertFalse(ingested.isError(), ingested.toString());
        return ingested.structured().path("doc_id").asText();
    }

    /** Each question of who may not read a document has the answer of a gateway that never had it. */
    @Test
    void noAnswerTellsOfADocumentThatIsHidden() throws IOException {
        try (TestGateway gateway = start("all");
                TestGateway without = start("without")) {
            String secret = UUID.randomUUID().toString();
            for (TestGateway each : List.of(gateway, without)) {
                McpTestClient feed = client(each, "feed");
                if (each == gateway) {
                    ObjectNode hidden = Json.object()
                            .put("source", "salaries")
                            .put("title", "Zirconium payroll")
                            .put("content", "# Zirconium payroll\n\nThe granite quarry pays zirconium bonuses.");
                    hidden.putObject("metadata").put("payband", "nine");
                    hidden.putArray("allow").add("group:hr").add("user:cfo@example.com");
                    secret = id(feed.call("ingest_text", hidden));
                    ObjectNode alone = hidden.deepCopy().put("library", "board");
                    id(feed.call("ingest_text", alone));
                }
                id(ingest(feed, "handbook", "# Handbook\n\nThe granite quarry opens at eight. Lanterns hang there."));
                id(ingest(feed, "map", "# Map\n\nA map of the quarry.", "group:it"));
            }
            for (String who : List.of("bob", "plain")) {
                List<String> expected = answers(client(without, who), secret);
                List<String> answers = answers(client(gateway, who), secret);
                for (int i = 0; i < expected.size(); i++) {
                    assertEquals(expected.get(i), answers.get(i), who);
                }
                assertFalse(answers.toString().contains("pays zirconium"), answers::toString);
            }
            ToolResult found = client(gateway, "ann").call("vectordb__search", "{\"query\": \"zirconium\"}");
            assertTrue(found.text().contains("salaries"), found.toString());
            ToolResult everywhere = client(gateway, "ann").call("search_everywhere", "{\"query\": \"zirconium\"}");
            assertTrue(everywhere.text().contains("salaries"), everywhere.toString());
            String typo = "{\"query\": \"quarry\", \"filters\": {\"paybnad\": \"nine\"}}";
            assertTrue(client(gateway, "ann")
                    .call("search_everywhere", typo)
                    .text()
                    .contains("\"payband\""));
            assertTrue(client(gateway, "ann").call("list_sources", "{}").text().contains("\"nine\""));
        }
    }

    /** The same of a collection of agentroot, for every tool and resource; then another one sees it. */
    @Test
    void noAnswerTellsOfACollectionThatIsHidden() throws IOException {
        files("open", "handbook.md", "# Handbook\n\nThe granite quarry opens at eight.");
        files("secret", "salaries.md", "# Zirconium payroll\n\nThe granite quarry pays zirconium bonuses.");
        try (TestGateway gateway = start("all");
                TestGateway without = start("without")) {
            index(client(gateway, "feed"), "open");
            index(client(without, "feed"), "open");
            index(client(gateway, "feed"), "secret", "group:hr", "user:cfo@example.com");
            String document = client(gateway, "feed")
                    .call("get", "{\"file\": \"secret/salaries.md\"}")
                    .structured()
                    .path("docid")
                    .asText();
            String chunk = client(gateway, "feed")
                    .call("search_chunks", "{\"query\": \"zirconium\"}")
                    .structured()
                    .path("results")
                    .path(0)
                    .path("chunk_hash")
                    .asText();
            assertFalse(document.isEmpty() || chunk.isEmpty());
            for (String who : List.of("bob", "plain")) {
                List<String> expected = knowledge(client(without, who), document, chunk);
                List<String> answers = knowledge(client(gateway, who), document, chunk);
                for (int i = 0; i < expected.size(); i++) {
                    assertEquals(expected.get(i), answers.get(i), who);
                }
                assertFalse(answers.toString().contains("pays zirconium"), answers::toString);
                assertEquals(removed(client(without, who)), removed(client(gateway, who)));
            }
            assertTrue(knowledge(client(gateway, "ann"), document, chunk)
                    .toString()
                    .contains("pays zirconium"));
            assertEquals("DENIED", add(client(gateway, "bob"), "secret").errorKind());
            ToolResult changed = add(client(gateway, "ann"), "secret", "group:it");
            assertFalse(changed.isError(), changed.toString());
            assertTrue(knowledge(client(gateway, "bob"), document, chunk)
                    .toString()
                    .contains("pays zirconium"));
            assertFalse(knowledge(client(gateway, "plain"), document, chunk)
                    .toString()
                    .contains("pays zirconium"));
            assertEquals("CONFLICT", add(client(gateway, "ann"), "secret").errorKind());
        }
    }

    private static String removed(McpTestClient client) {
        return steady(client.call("collection_remove", "{\"name\": \"secret\"}").toString());
    }

    private void files(String collection, String name, String text) throws IOException {
        Files.writeString(
                Files.createDirectories(folder.resolve("files").resolve(collection))
                        .resolve(name),
                text);
    }

    private ToolResult add(McpTestClient client, String collection, String... allow) {
        ObjectNode arguments = Json.object()
                .put("name", collection)
                .put("path", folder.resolve("files").resolve(collection).toString());
        for (String reader : allow) {
            arguments.withArray("allow").add(reader);
        }
        return client.call("collection_add", arguments);
    }

    private void index(McpTestClient client, String collection, String... allow) {
        assertFalse(add(client, collection, allow).isError());
        assertFalse(client.call("collection_update", Json.object().put("name", collection))
                .isError());
    }

    private static List<String> knowledge(McpTestClient client, String docid, String chunk) {
        Map<String, List<String>> calls = new LinkedHashMap<>();
        for (String search : List.of(
                "agentroot__search",
                "vsearch",
                "query",
                "smart_search",
                "explore",
                "search_chunks",
                "search_directories",
                "search_everywhere")) {
            calls.put(search, List.of("{\"query\": \"zirconium bonuses quarry\"}", "{\"query\": \"zirconum\"}"));
        }
        calls.put("batch_search", List.of("{\"queries\": [{\"query\": \"quarry\"}, {\"query\": \"zirconium\"}]}"));
        calls.put("status", List.of("{}"));
        calls.put(
                "get",
                List.of(
                        "{\"file\": \"secret/salaries.md\"}",
                        "{\"file\": \"salaries.md\"}",
                        "{\"file\": \"" + docid + "\"}"));
        calls.put(
                "multi_get",
                List.of("{\"pattern\": \"*.md\"}", "{\"pattern\": \"secret/salaries.md,open/handbook.md\"}"));
        calls.put("metadata_get", List.of("{\"docid\": \"secret/salaries.md\"}"));
        calls.put("metadata_add", List.of("{\"docid\": \"secret/salaries.md\", \"metadata\": {\"a\": \"b\"}}"));
        calls.put("metadata_query", List.of("{\"field\": \"title\", \"operator\": \"exists\"}"));
        calls.put("browse_directory", List.of("{\"collection\": \"secret\"}", "{\"collection\": \"open\"}"));
        calls.put("collection_update", List.of("{\"name\": \"secret\"}", "{\"name\": \"secre\"}"));
        calls.put("get_chunk", List.of("{\"chunk_hash\": \"" + chunk + "\"}"));
        calls.put("navigate_chunks", List.of("{\"chunk_hash\": \"" + chunk + "\", \"direction\": \"next\"}"));
        calls.put("list_sources", List.of("{}"));
        calls.put("fetch_document", List.of("{\"address\": \"switchboard://agentroot/secret/x\"}"));
        List<String> answers = new ArrayList<>();
        calls.forEach((tool, all) -> all.forEach(arguments -> answers.add(
                tool + arguments + ": " + steady(client.call(tool, arguments).toString()))));
        requests()
                .forEach((method, all) -> all.forEach(params -> answers.add(method + params + ": "
                        + steady(client.request(method, params).body()))));
        return answers;
    }

    private static Map<String, List<ObjectNode>> requests() {
        ObjectNode collections = Json.object();
        collections.putObject("ref").put("type", "ref/resource").put("uri", "agentroot://{collection}/{+path}");
        collections.putObject("argument").put("name", "collection").put("value", "");
        ObjectNode paths = Json.object();
        paths.putObject("ref").put("type", "ref/resource").put("uri", "agentroot://secret/{+path}");
        paths.putObject("argument").put("name", "path").put("value", "");
        return Map.of(
                "resources/list", List.of(Json.object()),
                "resources/templates/list", List.of(Json.object()),
                "resources/read", List.of(Json.object().put("uri", "agentroot://secret/salaries.md")),
                "completion/complete", List.of(collections, paths));
    }

    /** Where everything is hidden, there is nothing at all. */
    @Test
    void aStoreOfHiddenDocumentsLooksEmpty() throws IOException {
        try (TestGateway gateway = start("all");
                TestGateway without = start("without")) {
            String secret = id(ingest(client(gateway, "feed"), "salaries", "Zirconium payroll", "group:hr"));
            assertEquals(answers(client(without, "bob"), secret), answers(client(gateway, "bob"), secret));
        }
    }

    private static List<String> answers(McpTestClient client, String hidden) {
        Map<String, List<String>> calls = new LinkedHashMap<>();
        calls.put(
                "vectordb__search",
                List.of(
                        "{\"query\": \"zirconium bonuses\"}",
                        "{\"query\": \"granite quarry\"}",
                        "{\"query\": \"zirconum\"}",
                        "{\"query\": \"lantren\"}",
                        "{\"query\": \"quarry\", \"filter\": {\"metadata.payband\": \"nine\"}}",
                        "{\"query\": \"quarry\", \"filter\": {\"source\": \"salaries\"}}",
                        "{\"query\": \"quarry\", \"library\": \"default\", \"fusion\": \"rrf\"}",
                        "{\"query\": \"quarry\", \"library\": \"board\"}",
                        "{\"query\": \"quarry\", \"library\": \"bord\"}"));
        calls.put(
                "list_documents",
                List.of("{}", "{\"library\": \"board\"}", "{\"library\": \"default\", \"limit\": 1, \"offset\": 1}"));
        calls.put("list_libraries", List.of("{}"));
        calls.put("get_document", List.of("{\"doc_id\": \"" + hidden + "\"}"));
        calls.put(
                "search_everywhere",
                List.of(
                        "{\"query\": \"zirconium bonuses\"}",
                        "{\"query\": \"granite quarry\"}",
                        "{\"query\": \"zirconum\"}",
                        "{\"query\": \"quarry\", \"filters\": {\"payband\": \"nine\"}}",
                        "{\"query\": \"quarry\", \"filters\": {\"payband\": 9}}",
                        "{\"query\": \"quarry\", \"filters\": {\"paybnad\": \"nine\"}}",
                        "{\"query\": \"zirconium\", \"filters\": {\"title\": \"Zirconium payroll\"}}"));
        calls.put("list_sources", List.of("{}"));
        calls.put("fetch_document", List.of("{\"address\": \"switchboard://vectordb/default/" + hidden + "\"}"));
        List<String> answers = new ArrayList<>();
        calls.forEach((tool, all) -> all.forEach(arguments -> answers.add(
                tool + arguments + ": " + steady(client.call(tool, arguments).toString()))));
        return answers;
    }

    /** Without ids, times and durations, which differ between two gateways. */
    private static String steady(String answer) {
        return answer.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "ID")
                .replaceAll("\"id\":\\d+", "\"id\":N")
                .replaceAll("20\\d\\d-\\d\\d-\\d\\dT[0-9:.]+(Z|\\+00:00)", "TIME")
                .replaceAll("(\"ms\\\\?\":)[0-9]+", "$1N");
    }

    @Test
    void whoMayNotReadADocumentIsDeniedItsChangeAndWhoMayChangesWhoReadsIt() throws IOException {
        try (TestGateway gateway = start("all")) {
            McpTestClient ann = client(gateway, "ann");
            McpTestClient bob = client(gateway, "bob");
            String secret = id(ingest(ann, "salaries", "All earn the same.", "group:hr"));
            assertEquals("DENIED", ingest(bob, "salaries", "All earn nothing.").errorKind());
            assertEquals(
                    "DENIED",
                    bob.call("delete_document", Json.object().put("doc_id", secret))
                            .errorKind());
            assertTrue(read(ann, secret).text().contains("All earn the same."));
            assertTrue(read(ann, secret).text().contains("group:hr"), "who may read it sees who may");
            // The same text again: who reads it stays, unless that is given.
            assertEquals("skipped", status(ingest(ann, "salaries", "All earn the same.")));
            assertEquals("NOT_FOUND", read(bob, secret).errorKind());
            assertEquals(
                    "replaced",
                    status(ingest(ann, "salaries", "All earn the same.", "group:hr", "user:bob@example.com")));
            assertTrue(read(bob, secret).text().contains("All earn the same."), "at the next call, with the same id");
            // Another text: the permission stays, too.
            String next = id(ingest(ann, "salaries", "All earn more."));
            assertTrue(read(bob, next).text().contains("user:bob@example.com"));
            assertEquals("replaced", status(ingest(ann, "salaries", "All earn more.", "everyone")));
            assertFalse(read(client(gateway, "plain"), next).isError());
        }
    }

    private static ToolResult read(McpTestClient client, String id) {
        return client.call("get_document", Json.object().put("doc_id", id));
    }

    private static String status(ToolResult ingested) {
        assertFalse(ingested.isError(), ingested.toString());
        return ingested.structured().path("status").asText();
    }

    @Test
    void whoLacksAClaimSeesNothingAndIsToldSoWhetherThereAreDocumentsOrNot() throws IOException {
        try (TestGateway gateway = start("all")) {
            McpTestClient eve = client(gateway, "eve");
            ToolResult empty = eve.call("list_documents", "{}");
            assertEquals("DENIED", empty.errorKind());
            assertTrue(empty.text().contains("needs the claim \\\"groups\\\""), empty.text());
            id(ingest(client(gateway, "feed"), "handbook", "For all."));
            assertEquals(empty.text(), eve.call("list_documents", "{}").text());
        }
    }

    @Test
    void readersOfAnotherFormAreRefusedWithTheField() throws IOException {
        try (TestGateway gateway = start("all")) {
            ToolResult refused = ingest(client(gateway, "ann"), "a", "b", "hr");
            assertEquals("INVALID_ARGUMENT", refused.errorKind());
            assertTrue(refused.text().contains("allow") && refused.text().contains("group:NAME"), refused.text());
            assertTrue(
                    client(gateway, "ann").call("list_documents", "{}").text().contains("\"total\":0"));
        }
    }
}
