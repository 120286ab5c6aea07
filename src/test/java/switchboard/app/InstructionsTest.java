package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/** What a client is told at its start: which tool for what, in both eras. */
class InstructionsTest {
    private static final int MOST = 1_500;
    private static final String BACKENDS = """
            embedders: {default: {provider: none}}
            backends:
              vectordb: {type: vectordb, dataDir: data/one}
              agentroot: {type: agentroot, dataDir: data/two}
              meilisearch: {type: meilisearch, url: "http://127.0.0.1:9"}
              weaviate: {type: weaviate, url: "http://127.0.0.1:9", writes: true}
            """;

    @TempDir
    Path folder;

    private static String discovered(McpTestClient client) {
        return client.result("server/discover", Json.object())
                .path("instructions")
                .asText();
    }

    /** The same text for a client of an older era. */
    private static String initialized(McpTestClient client) {
        return client.post(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                                + "\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
                        Map.of())
                .json()
                .path("result")
                .path("instructions")
                .asText();
    }

    /** Names after the last colon of each line but the first. */
    private static List<String> named(String instructions) {
        return instructions
                .lines()
                .skip(1)
                .map(line -> line.substring(line.lastIndexOf(": ") + 2))
                .toList();
    }

    @Test
    void theyNameToolsThatTheListHasAndBeginWithTheOneForAllSources() {
        try (TestGateway gateway = TestGateway.start(BACKENDS);
                McpTestClient client = gateway.modern()) {
            String text = discovered(client);
            assertEquals(text, initialized(client));
            assertTrue(
                    text.startsWith(
                            "Which tool for what:\n- ask all sources at once; begin here: search_everywhere\n"
                                    + "- call a tool that find_tools names: call_tool\n- check whether citations still hold: check_citation\n- find the tool for any other task: find_tools\n"
                                    + "- read a document that was found: fetch_document\n- see what can be searched: list_sources\n"),
                    text);
            for (String task : List.of(
                    "- search the documents of a library: vectordb__search",
                    "- index a folder: collection_add",
                    "- search a Meilisearch index: meilisearch_search",
                    "- search a Weaviate collection: weaviate-query-hybrid")) {
                assertTrue(text.contains(task), () -> task + " is not in " + text);
            }
            assertTrue(text.length() <= MOST, () -> text.length() + " characters");
            assertTrue(client.toolNames().containsAll(named(text)), text);
        }
    }

    @Test
    void aViewHasItsOwn() {
        try (TestGateway gateway = TestGateway.start(BACKENDS + """
                views:
                  books: {backends: [vectordb], tools: [vectordb__search], rename: {vectordb__search: find_books}}
                  compact: {backends: [agentroot], findTools: true}
                  bare: {backends: [agentroot], tools: [agentroot__status]}
                """);
                McpTestClient books = gateway.modern("books");
                McpTestClient compact = gateway.modern("compact");
                McpTestClient bare = gateway.modern("bare")) {
            assertEquals("Which tool for what:\n- search the documents of a library: find_books", discovered(books));
            assertEquals(List.of("call_tool", "find_tools"), named(discovered(compact)));
            assertFalse(bare.result("server/discover", Json.object()).has("instructions"));
        }
    }

    @Test
    void nobodyIsToldOfToolsThatItMayNotUse() throws IOException {
        ApiKey key = ApiKey.generate(new SecureRandom());
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  readers:
                    keys: [{id: reader, sha256: %s}]
                    grants: ["vectordb:search,embed"]
                """.formatted(key.sha256()));
        try (TestGateway gateway = TestGateway.start("auth: {mode: keys}\n" + BACKENDS, folder);
                McpTestClient client = gateway.modern().with("Authorization", "Bearer " + key.text())) {
            assertEquals(
                    "Which tool for what:\n- search the documents of a library: vectordb__search", discovered(client));
        }
    }

    @Test
    void manyBackendsDoNotMakeThemLonger() {
        String stores = IntStream.range(0, 12)
                .mapToObj(i -> "  store%d: {type: vectordb, dataDir: data/%d}\n".formatted(i, i))
                .collect(Collectors.joining());
        try (TestGateway gateway = TestGateway.start("embedders: {default: {provider: none}}\nbackends:\n" + stores);
                McpTestClient client = gateway.modern()) {
            String text = discovered(client);
            assertTrue(text.length() <= MOST && text.length() > MOST - 100, () -> text.length() + " characters");
            assertTrue(text.contains("find_tools"), text);
            assertTrue(client.toolNames().containsAll(named(text)), text);
        }
    }
}
