package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.Principal;
import switchboard.call.ContentBlock;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.catalog.AnswerArguments;
import switchboard.catalog.ToolDescriptor;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.federation.AnswerFitter;
import switchboard.federation.ComputationExecutor;
import switchboard.testing.BackendHarness;

/** Answers of random size and shape within random bounds, counted as the gateway counts. */
@ExtendWith(VertxExtension.class)
class AnswerBudgetTest {
    private static final ComputationExecutor AT_ONCE = new ComputationExecutor() {
        @Override
        public <T> Future<T> run(Principal principal, Callable<T> work) {
            try {
                return Future.succeededFuture(work.call());
            } catch (Exception e) {
                return Future.failedFuture(e);
            }
        }
    };
    private static AnswerTokens tokens;
    private static AnswerFitter fitter;
    private static final String[] WORDS = {
        "harbour",
        "tug",
        "Schlepper",
        "\"quoted\"",
        "naïve",
        "🚢",
        "👩‍👩‍👧",
        "漢字",
        "\\",
        "\n",
        "1,234.5",
        "𝔘𝔫𝔦",
        "-->",
        "{}"
    };

    @BeforeAll
    static void count(Vertx vertx) {
        tokens =
                new AnswerTokens(new BlockingExecutor(vertx, new SimpleMeterRegistry(), "tokens", 1, 1, TeamShare.ALL));
        fitter = new AnswerFitter(AT_ONCE, tokens);
    }

    private static String words(Random random, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(9) == 0 ? "" : " ");
        }
        return text.toString();
    }

    private static ObjectNode answer(Random random) {
        ObjectNode answer = Json.object().put("query", words(random, 30));
        ArrayNode results = answer.putArray("results");
        int most = random.nextInt(4) == 0 ? 160 : 30;
        for (int i = random.nextInt(20); i > 0; i--) {
            ObjectNode result = results.addObject()
                    .put("doc_id", String.valueOf(results.size()))
                    .put("text", words(random, most));
            result.put("address", "switchboard://a/b/" + "x".repeat(random.nextInt(300)));
            result.putObject("fields")
                    .put("note", words(random, 20))
                    .putArray("tags")
                    .add(words(random, 3));
            if (random.nextInt(5) == 0) {
                ArrayNode vector = result.putArray("vector");
                random.doubles(random.nextInt(40)).forEach(vector::add);
            }
        }
        answer.put("count", results.size()).put("row_count", results.size());
        if (random.nextBoolean()) {
            answer.putArray("notes").add(words(random, 60));
        }
        return answer;
    }

    private static ToolReply.Ok fit(ObjectNode answer, AnswerArguments wanted, int maxBytes) {
        return (ToolReply.Ok) fitter.fit(
                        Principal.anonymous(),
                        ToolReply.ok(answer),
                        answer,
                        new AnswerFitter.Bounds("results", "tug naïve", schema(), wanted, maxBytes))
                .result();
    }

    private static ObjectNode schema() {
        return BackendHarness.descriptors("vectordb").stream()
                .filter(tool -> tool.name().equals("search"))
                .map(ToolDescriptor::outputSchema)
                .findFirst()
                .orElseThrow();
    }

    private static String text(ToolReply.Ok reply) {
        return ((ContentBlock.TextBlock) reply.content().getFirst()).text();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void anAnswerIsNeverOverItsBudgetAndNextLeadsToAllResultsInWhole(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 150; round++) {
            ObjectNode answer = answer(random);
            // 50 to 20,000, as many small as large ones
            int budget = (int) Math.round(50 * Math.pow(400, random.nextDouble()));
            TreeSet<Integer> whole = new TreeSet<>();
            Set<JsonNode> shortened = new HashSet<>();
            AnswerArguments wanted = new AnswerArguments(budget, 0);
            while (wanted != null) {
                ToolReply.Ok reply = fit(answer, wanted, Integer.MAX_VALUE);
                String text = text(reply);
                int most = wanted.budgetTokens();
                assertTrue(tokens.of(text, most) <= most, () -> "more than " + most + ": " + text);
                assertEquals(text, new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
                JsonNode part = reply.structured();
                assertEquals(text, Json.text(part));
                countsAndNamesWhatIsThere(answer, part);
                part.path("results").forEach(result -> {
                    int id = result.path("doc_id").asInt();
                    if (result.equals(answer.path("results").get(id - 1))) {
                        whole.add(id);
                    } else {
                        assertTrue(shortened.add(result), () -> "the same again: " + result);
                    }
                });
                JsonNode truncated = part.path("truncated");
                assertEquals(
                        answer.path("results").size()
                                - wanted.skip()
                                - part.path("results").size(),
                        truncated.path("omitted").asInt());
                AnswerArguments next = truncated.isMissingNode() ? null : next(truncated, wanted);
                assertTrue(
                        next == null || next.skip() > wanted.skip() || next.budgetTokens() > wanted.budgetTokens(),
                        part::toString);
                wanted = next;
            }
            TreeSet<Integer> all = new TreeSet<>();
            answer.path("results")
                    .forEach(result -> all.add(result.path("doc_id").asInt()));
            assertEquals(all, whole);
        }
    }

    private static void countsAndNamesWhatIsThere(JsonNode answer, JsonNode part) {
        for (String count : List.of("count", "row_count")) {
            assertEquals(
                    part.path("results").size(),
                    part.path(count).asInt(part.path("results").size()),
                    () -> count + " of " + part);
        }
        Set<String> missing = new TreeSet<>();
        for (JsonNode result : part.path("results")) {
            answer.path("results")
                    .get(result.path("doc_id").asInt() - 1)
                    .fieldNames()
                    .forEachRemaining(name -> {
                        if (!result.has(name)) {
                            missing.add(name);
                        }
                    });
        }
        Set<String> named = new TreeSet<>();
        part.path("truncated").path("dropped").forEach(name -> named.add(name.asText()));
        assertEquals(missing, named, part::toString);
    }

    private static AnswerArguments next(JsonNode truncated, AnswerArguments last) {
        JsonNode next = truncated.path("next");
        return new AnswerArguments(
                next.path("budget_tokens").asInt(last.budgetTokens()),
                next.path("skip_results").asInt(last.skip()));
    }

    @Test
    void anAnswerOverTheLargestSizeShrinksToIt() {
        Random random = new Random(5);
        for (int round = 0; round < 100; round++) {
            ObjectNode answer = answer(random);
            int most = 3_000 + random.nextInt(20_000);
            ToolReply.Ok reply = fit(answer, new AnswerArguments(null, 0), most);
            // What is said in both forms counts once.
            int bytes = Math.max(
                    Json.bytes(reply.structured()).length,
                    Json.bytes(Json.mapper().getNodeFactory().textNode(text(reply))).length);
            assertTrue(bytes <= most, () -> bytes + " of " + most);
        }
    }

    @Test
    void whatFitsIsLeftAsItIs() {
        ObjectNode answer = answer(new Random(6));
        ToolReply.Ok own = new ToolReply.Ok(List.of(new ContentBlock.TextBlock("In its own words.")), answer);
        assertEquals(
                own,
                fitter.fit(
                                Principal.anonymous(),
                                own,
                                answer,
                                new AnswerFitter.Bounds(
                                        "results", "tug naïve", schema(), new AnswerArguments(100, 0), 1_000_000))
                        .result());
    }

    @Test
    void everySearchTakesABudget() {
        for (String type : List.of("vectordb", "agentroot", "weaviate", "meilisearch", "postgres", "switchboard")) {
            List<String> without = new ArrayList<>();
            for (ToolDescriptor tool : BackendHarness.descriptors(type)) {
                boolean searches = tool.verbs().contains(switchboard.call.Verb.SEARCH) && tool.outputSchema() != null;
                boolean takes = tool.inputSchema().path("properties").has("budget_tokens");
                assertEquals(
                        takes,
                        tool.outputSchema() != null
                                && tool.outputSchema().path("properties").has("truncated")
                                && tool.results() != null);
                if (searches && !takes) {
                    without.add(tool.name());
                }
            }
            // A standing question is answered later, with a limited number of hits.
            assertEquals(type.equals("switchboard") ? List.of("watch_search") : List.of(), without, type);
        }
        assertFalse(AnswerArguments.NAMES.isEmpty());
    }
}
