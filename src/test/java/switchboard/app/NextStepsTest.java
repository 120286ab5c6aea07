package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.ApiKey;
import switchboard.catalog.ToolDescriptor;
import switchboard.testing.BackendHarness;
import switchboard.testing.McpTestClient;
import switchboard.testing.Programs;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** An error says what to do next, and what it says can be done: tools that exist, names that the caller may see. */
class NextStepsTest {
    private static final Pattern TOOL = Pattern.compile("\\b[a-z]+(?:_[a-z]+)+\\b");
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey BLUE = ApiKey.generate(new SecureRandom());

    @TempDir
    private static Path folder;

    private static TestGateway gateway;
    private static McpTestClient red;
    private static McpTestClient blue;

    @BeforeAll
    static void start() throws IOException {
        Path root = folder.toRealPath();
        Files.createDirectories(root.resolve("docs"));
        Files.writeString(root.resolve("docs/tugs.md"), "# Tugs\n\nA tug pulls ships.\n");
        Files.writeString(root.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: red1, sha256: %s}]
                    grants: ["switchboard:*", "agentroot:*:red-*", "vectordb:*:red-*", "agentroot:files,fetch", "dark:*"]
                  blue:
                    keys: [{id: blue1, sha256: %s}]
                    grants: ["switchboard:*", "agentroot:*:blue-*", "vectordb:*:blue-*", "agentroot:files"]
                """.formatted(RED.sha256(), BLUE.sha256()));
        int closed = Programs.freePort();
        gateway = TestGateway.start("""
                auth: {mode: keys}
                audit: {to: none}
                embedders:
                  none: {provider: none}
                  gone: {provider: openai, url: 'http://127.0.0.1:%d/v1', model: words, dimension: 64}
                backends:
                  agentroot: {type: agentroot, dataDir: one, roots: ['%2$s'], embedder: none}
                  vectordb: {type: vectordb, dataDir: two, ingestRoots: ['%2$s'], embedder: none}
                  dark: {type: vectordb, dataDir: three, ingestRoots: ['%2$s'], embedder: gone}
                """.formatted(closed, root), root);
        red = gateway.modern().with("Authorization", "Bearer " + RED.text());
        blue = gateway.modern().with("Authorization", "Bearer " + BLUE.text());
        ok(red, "collection_add", "{'name':'red-harbour','path':'" + root.resolve("docs") + "'}");
        ok(red, "collection_update", "{'name':'red-harbour'}");
        ok(red, "vectordb__ingest_text", "{'content':'Ships float.','library':'red-harbour'}");
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static ToolResult call(McpTestClient who, String tool, String arguments) {
        return who.call(tool, arguments.replace('\'', '"'));
    }

    private static JsonNode ok(McpTestClient who, String tool, String arguments) {
        ToolResult result = call(who, tool, arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }

    @Test
    void aViewOfOneBackendNamesNoToolThatItLacks() {
        McpTestClient view = gateway.modern("vectordb").with("Authorization", "Bearer " + RED.text());
        McpTestClient empty = gateway.modern("vectordb").with("Authorization", "Bearer " + BLUE.text());
        Set<String> there = Set.copyOf(view.toolNames());
        for (String message : List.of(
                call(view, "search", "{'query':'x','library':'red-harbor'}").text(),
                call(view, "list_documents", "{'library':'red-none'}").text(),
                call(view, "get_document", "{'doc_id':'none'}").text(),
                call(empty, "search", "{'query':'ships'}").text())) {
            BackendHarness.descriptors("vectordb").stream()
                    .map(ToolDescriptor::name)
                    .filter(name -> !there.contains(name))
                    .forEach(missing -> assertFalse(message.contains(missing), message));
        }
    }

    /** Whoever reads this can go on: the tools that it names are there, and no engine's address is in it. */
    private static void checkStep(String message) {
        Set<String> tools = new TreeSet<>();
        for (String type : Set.of("agentroot", "vectordb", "switchboard")) {
            BackendHarness.descriptors(type).forEach(tool -> {
                tools.add(tool.name());
                tool.inputSchema().path("properties").fieldNames().forEachRemaining(tools::add);
            });
        }
        Matcher named = TOOL.matcher(message);
        while (named.find()) {
            assertTrue(tools.contains(named.group()), () -> "no tool or argument in: " + message);
        }
        assertFalse(message.contains("127.0.0.1"), message);
        assertFalse(message.contains("query_vector"), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "get                        | {'file':'red-harbour/none.md'}             | NOT_FOUND        | multi_get",
                "metadata_get               | {'docid':'#abcdef0'}                      | NOT_FOUND        | search",
                "metadata_get               | {'docid':'red-harbour/tugs.md'}           | NOT_FOUND        | metadata_add",
                "metadata_add               | {'docid':'#abcdef0','metadata':{'a':1}}   | NOT_FOUND        | search",
                "metadata_add | {'docid':'red-harbour/tugs.md','metadata':{'a':null,'b':{}}} | INVALID_ARGUMENT | texts, numbers",
                "metadata_query             | {'field':'a','operator':'gt'}             | INVALID_ARGUMENT | exists",
                "metadata_query             | {'field':'a','operator':'gt','value':'x'} | INVALID_ARGUMENT | date",
                "get_chunk                  | {'chunk_hash':'beef'}                     | NOT_FOUND        | search_chunks",
                "navigate_chunks            | {'chunk_hash':'beef','direction':'next'}  | NOT_FOUND        | search_chunks",
                "memory_delete              | {'id':'none'}                             | NOT_FOUND        | memory_list",
                "session_get                | {'session_id':'none'}                     | NOT_FOUND        | session_start",
                "collection_remove          | {'name':'red-harbor'}                     | NOT_FOUND        | red-harbour",
                "collection_update          | {'name':'red-harbor'}                     | NOT_FOUND        | red-harbour",
                "agentroot__search          | {'query':'x','collection':'red-harbor'}   | NOT_FOUND        | red-harbour",
                "browse_directory           | {'collection':'red-harbour','path':'no'}  | NOT_FOUND        | without path",
                "vectordb__search           | {'query':'x','library':'red-harbor'}      | NOT_FOUND        | red-harbour",
                "vectordb__search           | {'query':' '}                             | INVALID_ARGUMENT | what to look for",
                "vectordb__get_document     | {'doc_id':'none'}                         | NOT_FOUND        | list_documents",
                "vectordb__ingest_file      | {'path':'none.md','library':'red-a'}      | NOT_FOUND        | Check the path",
                "vectordb__ingest_file      | {'path':'docs','library':'red-a'}         | INVALID_ARGUMENT | collection_add",
                "dark__ingest_file          | {'path':'docs/tugs.md'}                   | UNAVAILABLE      | Try again",
                "dark__ingest_text          | {'content':'Ships.'}                      | UNAVAILABLE      | Try again",
                "fetch_document | {'address':'switchboard://vectordb/red-harbour/none'} | NOT_FOUND         | search",
            })
    void everyErrorNamesWhatToDo(String tool, String arguments, String kind, String step) {
        ToolResult result = call(red, tool, arguments);
        assertEquals(kind, result.errorKind(), result::toString);
        String message = result.error().path("message").asText();
        assertTrue(message.contains(step), message);
        checkStep(message);
    }

    @Test
    void namesOfOthersAreNoNearNames() {
        String library = call(blue, "vectordb__search", "{'query':'x','library':'blue-harbour'}")
                .toString();
        assertTrue(library.contains("NOT_FOUND"), library);
        assertFalse(library.contains("red-"), library);
        String list = ok(blue, "vectordb__list_documents", "{'library':'blue-harbour'}")
                .toString();
        assertFalse(list.contains("red-"), list);
        String collection =
                call(blue, "collection_update", "{'name':'blue-harbour'}").toString();
        assertTrue(collection.contains("NOT_FOUND"), collection);
        assertFalse(collection.contains("red-"), collection);
        // What may not be used is refused in the same words whether it exists or not.
        assertEquals(
                call(blue, "vectordb__search", "{'query':'x','library':'red-harbour'}")
                        .toString(),
                call(blue, "vectordb__search", "{'query':'x','library':'red-harbouq'}")
                        .toString()
                        .replace("red-harbouq", "red-harbour"));
    }

    @Test
    void anUnknownLibraryListsNothingAndSaysWhy() {
        JsonNode list = ok(red, "vectordb__list_documents", "{'library':'red-harbor'}");
        assertEquals(0, list.path("count").asInt());
        assertEquals(
                call(red, "vectordb__search", "{'query':'x','library':'red-harbor'}")
                        .error()
                        .path("message")
                        .asText(),
                list.path("reason").asText());
        assertTrue(ok(red, "vectordb__list_documents", "{'library':'red-harbour'}")
                .path("reason")
                .isMissingNode());
    }

    @Test
    void anEmptyStoreSaysSo() {
        for (String tool : Set.of("vectordb__search", "vsearch", "query")) {
            String reason = ok(blue, tool, "{'query':'ships'}").path("reason").asText();
            assertTrue(reason.contains("yet"), tool + ": " + reason);
            checkStep(reason);
        }
    }

    @Test
    void anEngineThatIsGoneShowsNoAddressInASearch() {
        // Nothing could be stored with its vectors, so the question itself has to be embedded.
        ToolResult found = call(red, "search_everywhere", "{'query':'ships'}");
        assertFalse(found.toString().contains("127.0.0.1"), found::toString);
    }
}
