package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** How many tokens the refs of an answer take. */
class RefTokensTest {
    private static final int MOST_PER_HIT = 45;
    /** What the time takes, once. */
    private static final int MOST_ONCE = 20;

    private static long tokens(ToolResult result) {
        return AnswerTokens.tokens(result.text().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void tenRefsTakeFewTokensAndNeverTheRoomOfAResult() {
        try (TestGateway gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb, dataDir: data/one}
                views:
                  bare: {backends: [switchboard, vectordb], refs: none}
                """);
                McpTestClient client = gateway.modern();
                McpTestClient bare = gateway.modern("bare")) {
            fill(client);
            for (String tool : List.of("search_everywhere", "vectordb__search")) {
                ToolResult with = client.call(tool, query(tool));
                ToolResult without = bare.call(tool.replace("vectordb__", ""), query(tool));
                assertEquals(10, with.structured().path("results").size(), with::toString);
                long more = tokens(with) - tokens(without);
                assertTrue(more > 0 && more <= 10 * MOST_PER_HIT + MOST_ONCE, () -> more + " more tokens");
                Set<Integer> refs = new TreeSet<>();
                for (int budget = 150; budget <= 6_000; budget += budget < 1_000 ? 50 : 250) {
                    ObjectNode arguments = query(tool).put("budget_tokens", budget);
                    ToolResult cut = answer(client, tool, arguments);
                    assertTrue(tokens(cut) <= budget, budget + ": " + cut);
                    JsonNode expected =
                            bare.call(tool.replace("vectordb__", ""), arguments).structured();
                    refs.add(removeRefs((ObjectNode) cut.structured()));
                    assertEquals(steady(expected), steady(cut.structured()), arguments::toString);
                }
                assertTrue(refs.contains(10) && refs.size() > 3, refs::toString);
            }
            assertFalse(client.call("search_everywhere", "{\"query\": \"harbour\", \"detail\": \"titles\"}")
                    .toString()
                    .contains("\"time\""));
        }
    }

    /** An answer whose times take the same number of tokens as another's: of a number with three digits, one. */
    private static ToolResult answer(McpTestClient client, String tool, ObjectNode arguments) {
        for (int attempt = 0; ; attempt++) {
            ToolResult result = client.call(tool, arguments);
            assertFalse(result.isError(), result::toString);
            if (attempt == 9 || result.structured().at("/sources/0/ms").asInt() < 1_000) {
                return result;
            }
        }
    }

    private static JsonNode steady(JsonNode answer) {
        answer.path("sources").forEach(source -> ((ObjectNode) source).remove("ms"));
        return answer;
    }

    /** Removes the refs, of which only the first results may have some, and the time, which is only there with them. */
    private static int removeRefs(ObjectNode answer) {
        int refs = 0;
        boolean missing = false;
        for (JsonNode hit : answer.path("results")) {
            JsonNode ref = ((ObjectNode) hit).remove("ref");
            assertFalse(ref != null && missing, answer::toString);
            missing = ref == null;
            if (ref != null) {
                assertTrue(ref.path("cite").asText().endsWith("]"), ref::toString);
                refs++;
            }
        }
        assertEquals(refs > 0, answer.remove("time") != null, answer::toString);
        return refs;
    }

    private static ObjectNode query(String tool) {
        ObjectNode query = Json.object().put("query", "harbour");
        return query.put(tool.equals("search_everywhere") ? "limit" : "top_k", 10);
    }

    private static void fill(McpTestClient client) {
        Random random = new Random(5);
        String[] words =
                "the harbour opens at nine each day and closes when last boats have come back from sea with nets"
                        .split(" ");
        for (int document = 0; document < 12; document++) {
            StringBuilder text = new StringBuilder("The harbour of town " + document + ". ");
            for (int i = 0; i < 220; i++) {
                text.append(words[random.nextInt(words.length)]).append(i % 12 == 11 ? ". " : " ");
            }
            client.call(
                    "ingest_text",
                    Json.object().put("content", text.toString()).put("source", "guides/town-" + document + ".md"));
        }
    }
}
