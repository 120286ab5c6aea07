package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * What search makes of the words of a query, over HTTP and in all search tools: typing errors that no source has, names in
 * other spellings, and pasted logs.
 */
class QueryWordsOverHttpTest {
    private static final int LONGEST = 64 * 1024;

    @TempDir
    private static Path temp;

    private static TestGateway gateway;
    private static McpTestClient red;
    private static McpTestClient blue;

    @BeforeAll
    static void start() throws IOException {
        Path folder = Files.createDirectory(temp.resolve("code")).toRealPath();
        Files.writeString(folder.resolve("users.py"), """
                def get_user_by_id(users, key):
                    \"""Looks somebody up.\"""
                    return users[key]
                """);
        Files.writeString(folder.resolve("groups.py"), """
                def get_group_by_name(groups, name):
                    return groups[name]
                """);
        Path data = Files.createDirectory(temp.resolve("data"));
        ApiKey redKey = ApiKey.generate(new SecureRandom());
        ApiKey blueKey = ApiKey.generate(new SecureRandom());
        Files.writeString(data.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: red1, sha256: %s}]
                    grants: ["*:*"]
                  blue:
                    keys: [{id: blue1, sha256: %s}]
                    grants: ["switchboard:*", "vectordb:*:ships"]
                """.formatted(redKey.sha256(), blueKey.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  agentroot: {type: agentroot, updateTime: 15s, roots: ['%s']}
                """.formatted(folder), data);
        red = gateway.modern().with("Authorization", "Bearer " + redKey.text());
        blue = gateway.modern().with("Authorization", "Bearer " + blueKey.text());
        ingest("ships", "Ferries", "A ferry carries passengers across the water, also in a thunderstorm. v2.14.0");
        ingest("ships", "Signals", "The lighthouse keeper rings a bell.");
        ingest("secret", "Plans", "The submarine dives at midnight near the breakwater.");
        ingest("code", "Java", "User getUserById(String key) { return users.get(key); }");
        ingest("code", "Java groups", "Group getGroupByName(String name) { return groups.get(name); }");
        ok(
                red,
                "collection_add",
                Json.object().put("name", "code").put("path", folder.toString()).put("pattern", "**/*.py"));
        while (!ok(red, "collection_update", Json.object().put("name", "code"))
                .path("complete")
                .asBoolean()) {
            // The next call goes on.
        }
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static void ingest(String library, String title, String content) {
        ok(
                red,
                "ingest_text",
                Json.object()
                        .put("content", content)
                        .put("title", title)
                        .put("source", "text:" + library + "/" + title)
                        .put("library", library));
    }

    private static JsonNode ok(McpTestClient client, String tool, ObjectNode arguments) {
        ToolResult result = client.call(tool, arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }

    private static JsonNode everywhere(McpTestClient client, String query, String... sources) {
        ObjectNode arguments = Json.object().put("query", query);
        for (String source : sources) {
            arguments.withArray("sources").add(source);
        }
        return ok(client, "search_everywhere", arguments);
    }

    private static List<String> titles(JsonNode reply) {
        return reply.path("results").findValuesAsText("title");
    }

    @ParameterizedTest
    @CsvSource({
        "passangers in a thunderstrom, Ferries",
        "Lighthose keeper, Signals",
        "who rings the bell of the lighthousse, Signals"
    })
    void aWordThatNoSourceHasIsSearchedAsASimilarOneOfAnySource(String query, String title) {
        JsonNode reply = everywhere(red, query);
        assertEquals(title, reply.path("results").path(0).path("title").asText(), reply::toString);
        assertFalse(reply.path("corrected").isEmpty(), reply::toString);
        for (JsonNode one : reply.path("corrected")) {
            assertTrue(query.contains(one.path("written").asText()), reply::toString);
            assertFalse(query.contains(one.path("searched").asText()), reply::toString);
        }
    }

    @Test
    void aWordThatAnotherSourceHasStays() {
        ingest("ships", "Names", "The boat is called Breakwatar.");
        JsonNode alone = everywhere(red, "breakwatar plans", "vectordb:secret");
        assertEquals(
                "[{\"written\":\"breakwatar\",\"searched\":\"breakwater\"}]",
                alone.path("corrected").toString());
        JsonNode both = everywhere(red, "breakwatar plans", "vectordb:secret", "vectordb:ships");
        assertTrue(both.path("corrected").isMissingNode(), both::toString);
        assertTrue(titles(both).contains("Names"), both::toString);
    }

    @Test
    void wordsOfDocumentsThatTheCallerMayNotSeeAreNotOffered() {
        JsonNode all = everywhere(red, "submarin");
        JsonNode typo = everywhere(red, "subnarine");
        assertEquals(List.of("Plans"), titles(typo), () -> typo + "\n" + all);
        JsonNode reply = everywhere(blue, "subnarine");
        assertTrue(reply.path("corrected").isMissingNode(), reply::toString);
        assertEquals(0, reply.path("results").size(), reply::toString);
        assertEquals(
                "vectordb:ships", reply.path("sources").path(0).path("source").asText(), reply::toString);
        assertEquals(1, reply.path("sources").size(), reply::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"lighthouse", "LIGHTHOSE", "light_hose", "lightHose", "lighthose7", "v2.14.1", "20260101", "bel"
            })
    void wordsThatExistIdentifiersVersionsNumbersAndShortWordsStay(String query) {
        assertTrue(everywhere(red, query).path("corrected").isMissingNode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"getUserById", "get_user_by_id", "GetUserById", "get-user-by-id", "get user by id"})
    void namesInOtherSpellingsFindEachOther(String name) {
        JsonNode vectordb =
                ok(red, "vectordb__search", Json.object().put("query", name).put("library", "code"));
        assertEquals("Java", titles(vectordb).getFirst(), vectordb::toString);
        for (String tool : List.of("search", "query", "smart_search", "explore")) {
            JsonNode found = ok(red, "agentroot__" + tool, Json.object().put("query", name));
            assertEquals(
                    "code/users.py", found.path("results").path(0).path("file").asText(), () -> tool + " " + found);
        }
        JsonNode chunks = ok(red, "agentroot__search_chunks", Json.object().put("query", name));
        assertEquals(
                "code/users.py", chunks.path("results").path(0).path("file").asText(), chunks::toString);
        List<String> both =
                titles(everywhere(red, name, "vectordb:code", "agentroot:code")).subList(0, 2);
        assertTrue(both.contains("Java") && both.stream().anyMatch(title -> title.contains("users")), both::toString);
    }

    /** A log of the greatest length in which few words say what it is about. */
    private static String log(String message) {
        String text = message
                + IntStream.range(0, 3_000)
                        .mapToObj(i -> "\n\tat com.example.generated" + i + ".Frame" + i + ".run(Frame" + i + ".java:"
                                + i + ")")
                        .collect(Collectors.joining());
        String end = "\nCaused by: a thunderstorm on the ferry, see get_user_by_id category:none";
        return text.substring(0, LONGEST - end.length()) + end;
    }

    @Test
    void aPastedLogIsSearchedByItsMostTellingWordsAndTheAnswerSaysSo() {
        String log = log("ERROR no answer");
        assertEquals(LONGEST, log.length());
        JsonNode vectordb =
                ok(red, "vectordb__search", Json.object().put("query", log).put("library", "ships"));
        assertEquals("Ferries", titles(vectordb).getFirst());
        assertTrue(vectordb.path("reason").asText().contains("different words"), vectordb::toString);
        for (Map.Entry<String, String> tool : Map.of(
                        "search", "results", "query", "results", "search_chunks", "results")
                .entrySet()) {
            JsonNode found =
                    ok(red, "agentroot__" + tool.getKey(), Json.object().put("query", log));
            assertEquals(
                    "code/users.py", found.path("results").path(0).path("file").asText(), tool::getKey);
            assertTrue(found.path("reason").asText().contains("different words"), tool::getKey);
            assertTrue(found.path("query").asText().length() <= 4_001, tool::getKey);
        }
        JsonNode everywhere = everywhere(red, log, "vectordb:ships");
        assertEquals("Ferries", titles(everywhere).getFirst());
        assertTrue(
                everywhere.path("sources").path(0).path("detail").asText().contains("different words"),
                everywhere::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"vectordb__search", "agentroot__search", "agentroot__query", "search_everywhere"})
    void textsOfManyKindsUpToTheGreatestLengthAreSearchedAndLongerOnesRefused(String tool) {
        for (String piece : List.of("船", "🚢", "a", "(", "\"", " x", "é ", "a.b_", "\u0000")) {
            String text = piece.repeat(LONGEST / piece.length());
            ok(red, tool, Json.object().put("query", text));
        }
        ToolResult refused = red.call(tool, Json.object().put("query", "a".repeat(LONGEST + 1)));
        assertEquals("INVALID_ARGUMENT", refused.errorKind(), refused::toString);
        assertTrue(refused.text().contains("query"), refused::toString);
    }
}
