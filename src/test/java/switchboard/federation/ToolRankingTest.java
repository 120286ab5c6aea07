package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.call.Verb;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolCatalog.BackendTools;
import switchboard.catalog.ToolDescriptor;
import switchboard.catalog.ToolSearch;
import switchboard.concurrent.TeamShare;
import switchboard.embed.OnnxEmbedder;
import switchboard.embed.OnnxModel;
import switchboard.embed.TextSimilarity;
import switchboard.store.PooledKeywordScore;
import switchboard.testing.BackendHarness;

/** {@code find_tools} on written tasks over the whole catalogue: the files {@code compose/*tasks.json}. */
class ToolRankingTest {
    private static final ToolRanking RANKING = new ToolRanking(PooledKeywordScore::of);

    private static PooledKeywordScore.Scores containing(String part, List<String> texts) {
        return PooledKeywordScore.Scores.of(
                texts.stream().mapToDouble(text -> text.contains(part) ? 1 : 0).toArray());
    }

    private static final List<PublishedTool> ALL = ToolCatalog.of(
                    List.of("agentroot", "meilisearch", "postgres", "switchboard", "vectordb", "weaviate").stream()
                            .map(type -> new BackendTools(type, type, BackendHarness.descriptors(type)))
                            .toList(),
                    List.of())
            .view("")
            .orElseThrow()
            .tools()
            .stream()
            .filter(tool -> !ToolSearch.has(tool.backend(), tool.descriptor()))
            .toList();

    private static final ToolRanking.Described DESCRIBED = ToolRanking.Described.of(ALL);

    private static final Vertx VERTX = Vertx.vertx();
    private static final OnnxEmbedder MODEL =
            new OnnxEmbedder(VERTX, new SimpleMeterRegistry(), OnnxModel.bgeSmall(), 0, TeamShare.ALL);
    private static final TextSimilarity SIMILARITY = new TextSimilarity(() -> Optional.of(MODEL));

    private static final Function<String, Optional<double[]>> BY_KEYWORD = _ -> Optional.empty();
    private static final Function<String, Optional<double[]>> BY_MEANING_TOO =
            task -> await(SIMILARITY.of(task, DESCRIBED.texts()));

    @AfterAll
    static void close() {
        await(MODEL.close());
        await(VERTX.close());
    }

    /** The tools that a file of tasks asks for were right first, or among the first three. */
    private record Measured(
            List<JsonNode> tasks, List<JsonNode> first, List<JsonNode> firstThree, List<String> missed) {
        static Measured of(String file, Function<String, Optional<double[]>> meanings) throws IOException {
            Measured measured =
                    new Measured(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (JsonNode task : read(file)) {
                measured.add(task, meanings.apply(task.path("task").asText()));
            }
            System.out.printf(
                    "find_tools, %s: %d tasks, %d right first, %d among the first three%n",
                    file,
                    measured.tasks().size(),
                    measured.first().size(),
                    measured.firstThree().size());
            return measured;
        }

        private void add(JsonNode task, Optional<double[]> meanings) {
            List<PublishedTool> ranked = RANKING.of(task.path("task").asText(), DESCRIBED, meanings);
            Set<String> right = new HashSet<>();
            task.path("tools").forEach(tool -> right.add(tool.asText()));
            List<String> best =
                    ranked.stream().limit(3).map(ToolRankingTest::key).toList();
            tasks.add(task);
            if (right.contains(best.getFirst())) {
                first.add(task);
            }
            if (Collections.disjoint(right, best)) {
                missed.add(task.path("task").asText() + " -> " + best);
            } else {
                firstThree.add(task);
            }
            if (task.path("reads").asBoolean()) {
                assertFalse(
                        ranked.getFirst().descriptor().effects().verbs().contains(Verb.DELETE),
                        () -> task + " -> " + best);
            }
        }

        Measured unseen() {
            Predicate<JsonNode> unseen = task -> !task.path("seen").asBoolean(true);
            return new Measured(
                    tasks.stream().filter(unseen).toList(),
                    first.stream().filter(unseen).toList(),
                    firstThree.stream().filter(unseen).toList(),
                    missed);
        }

        void atLeast(double rightFirst, double amongThree) {
            assertTrue(first.size() >= rightFirst * tasks.size(), () -> first.size() + " of " + tasks.size());
            assertTrue(firstThree.size() >= amongThree * tasks.size(), missed::toString);
        }
    }

    private static JsonNode read(String file) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(ToolRankingTest.class.getResourceAsStream("/compose/" + file + ".json"))) {
            return Json.parse(in.readAllBytes());
        }
    }

    private static <T> T await(Future<T> future) {
        return future.await();
    }

    private static String key(PublishedTool tool) {
        return tool.backend() + ToolCatalog.SEPARATOR + tool.descriptor().name();
    }

    @Test
    void tasksInTheWordsOfToolsFindThem() throws IOException {
        Measured measured = Measured.of("tasks", BY_KEYWORD);
        measured.atLeast(0.85, 0.95);
        Set<String> wanted = new HashSet<>();
        measured.tasks().forEach(task -> task.path("tools").forEach(tool -> wanted.add(tool.asText())));
        assertEquals(
                Set.of(), difference(ALL.stream().map(ToolRankingTest::key).toList(), wanted), "tools without a task");
    }

    /**
     * 120 tasks by somebody who had not seen the examples of tools; half of them ({@code seen: false}) were not looked at
     * when the examples were written. Reached: .87 and .975, of the unseen half .80 and .97; a processor with other int8
     * vectors may differ by a task.
     */
    @Test
    void tasksInPlainWordsFindTheToolByWordsAndMeaning() throws Exception {
        for (int waited = 0; BY_MEANING_TOO.apply("ready?").isEmpty(); waited++) {
            assertTrue(waited < 1200, "the model does not read the tools");
            Thread.sleep(100);
        }
        Measured plain = Measured.of("plain-tasks", BY_MEANING_TOO);
        plain.atLeast(0.84, 0.95);
        plain.unseen().atLeast(0.76, 0.93);
        Measured.of("tasks", BY_MEANING_TOO).atLeast(0.93, 0.97);
    }

    @Test
    void tasksInPlainWordsFindTheToolWithoutAModel() throws IOException {
        Measured.of("plain-tasks", BY_KEYWORD).atLeast(0.78, 0.88);
    }

    @Test
    void everyToolSaysWhatItIsFor() {
        assertEquals(
                List.of(),
                ALL.stream()
                        .filter(tool -> tool.descriptor().texts().examples().size() < 5)
                        .map(ToolRankingTest::key)
                        .toList());
    }

    private static Set<String> difference(List<String> all, Set<String> some) {
        Set<String> rest = new HashSet<>(all);
        rest.removeAll(some);
        return rest;
    }

    @Test
    void theOrderDoesNotDependOnThatOfTheCatalogue() {
        List<PublishedTool> shuffled = new ArrayList<>(ALL);
        Collections.shuffle(shuffled, new Random(7));
        assertEquals(
                RANKING.of("search documents", DESCRIBED, Optional.empty()),
                RANKING.of("search documents", ToolRanking.Described.of(shuffled), Optional.empty()));
    }

    private static PublishedTool tool(String name, String title, String description, Verb verb, String... examples) {
        ToolDescriptor descriptor = new ToolDescriptor(
                name,
                new ToolDescriptor.Texts(title, description, null, List.of(examples)),
                new ToolDescriptor.Schemas(Json.object(), null),
                new ToolDescriptor.Effects(Set.of(verb), null, true),
                new ToolDescriptor.Limits(Duration.ofSeconds(1), 1),
                ToolDescriptor.Availability.ALWAYS,
                ToolDescriptor.AnswerFormat.PLAIN,
                null);
        return ToolCatalog.of(List.of(new BackendTools("other", "other", List.of(descriptor))), List.of())
                .view("")
                .orElseThrow()
                .tools()
                .getFirst();
    }

    private static List<String> names(List<PublishedTool> tools) {
        return tools.stream().map(PublishedTool::name).toList();
    }

    /** A sentence counts by itself and as a part of the whole; the order of names is the opposite one. */
    @Test
    void aSentenceThatFitsCountsMoreThanAWordInTheMiddle() {
        ToolRanking ranking = new ToolRanking((task, texts, _) -> containing(task, texts));
        List<PublishedTool> order = List.of(
                tool("e", "t", "Of ships. More.", Verb.READ, "turn a winch"),
                tool("d", "winch", "Of ships. More.", Verb.READ),
                tool("c", "t", "On a winch. More.", Verb.READ),
                tool("b_winch", "t", "Of ships. More.", Verb.READ),
                tool("a", "t", "Of ships. A winch.", Verb.READ),
                tool("A", "t", "Of ships.", Verb.READ));
        List<PublishedTool> shuffled = new ArrayList<>(order);
        Collections.shuffle(shuffled, new Random(1));
        ToolRanking.Described described = ToolRanking.Described.of(shuffled);
        assertEquals(
                List.of("c", "d", "e", "a", "b_winch", "A"), names(ranking.of("winch", described, Optional.empty())));
        // Signs between the words of a name are none.
        assertEquals(
                "b_winch",
                ranking.of("b winch", described, Optional.empty()).getFirst().name());
    }

    @Test
    void meaningsCountHalfAsMuchAsKeywords() {
        ToolRanking ranking = new ToolRanking((task, texts, _) -> containing(task, texts));
        ToolRanking.Described described = ToolRanking.Described.of(List.of(
                tool("near", "t", "Of ships. More.", Verb.READ, "haul a load"),
                tool("word", "t", "Of ships. A winch.", Verb.READ)));
        assertEquals(
                "word",
                ranking.of("winch", described, Optional.empty()).getFirst().name());
        double[] meanings = new double[described.texts().size()];
        meanings[0] = 1;
        meanings[described.texts().indexOf("haul a load")] = 0.9;
        assertEquals(
                "word",
                ranking.of("winch", described, Optional.of(meanings)).getFirst().name());
        meanings[described.texts().indexOf("haul a load")] = 1.1;
        assertEquals(
                "near",
                ranking.of("winch", described, Optional.of(meanings)).getFirst().name());
    }

    @ParameterizedTest
    @CsvSource({
        "which notes are about winches, keep",
        "show the winch, keep",
        "delete the winch, remove",
        "The winch must be REMOVED, remove",
        "I no longer need the winch, remove",
        "forget the winch, remove",
        "find the winch so that I can delete it, keep",
        "before I delete the winch show it, keep",
        "delete the winch before Friday, remove",
        "I don’t need the winch, remove",
        "destroy the winch, remove",
        "which winch is closest to this one, keep",
        "show the end of the log of the winch, keep"
    })
    void whatDeletesIsFirstOnlyForATaskThatTakesSomethingAway(String task, String first) {
        ToolRanking ranking = new ToolRanking((_, texts, _) -> containing("remove", texts));
        ToolRanking.Described described = ToolRanking.Described.of(List.of(
                tool("keep", "t", "Shows. More.", Verb.READ),
                tool("remove", "remove", "Removes. More.", Verb.DELETE),
                tool("also_remove", "t", "Removes, too. More.", Verb.DELETE)));
        List<String> names = names(ranking.of(task, described, Optional.empty()));
        assertEquals(first, names.getFirst());
        assertEquals(Set.of("keep", "remove", "also_remove"), Set.copyOf(names));
    }

    /** A tool of another server has every verb unless it is trusted. */
    @Test
    void aToolOfAnotherServerCanBeFirst() {
        ToolRanking ranking = new ToolRanking((_, texts, _) -> containing("issue", texts));
        PublishedTool own = tool("keep", "t", "Shows. More.", Verb.READ);
        for (boolean destructive : List.of(false, true)) {
            ToolDescriptor plain = tool("create_issue", "t", "Makes an issue. More.", Verb.DELETE)
                    .descriptor();
            ObjectNode entry = Json.object().put("name", "create_issue");
            entry.putObject("inputSchema").put("type", "object");
            entry.putObject("annotations").put("destructiveHint", destructive);
            ToolDescriptor relayed = new ToolDescriptor(
                    plain.name(),
                    plain.texts(),
                    plain.schemas(),
                    plain.effects(),
                    plain.limits(),
                    plain.availability(),
                    plain.answer(),
                    entry);
            PublishedTool other = ToolCatalog.of(List.of(new BackendTools("hub", "mcp", List.of(relayed))), List.of())
                    .view("hub")
                    .orElseThrow()
                    .tools()
                    .getFirst();
            ToolRanking.Described described = ToolRanking.Described.of(List.of(own, other));
            assertEquals(
                    destructive ? "keep" : "create_issue",
                    ranking.of("create an issue", described, Optional.empty())
                            .getFirst()
                            .name());
        }
    }

    @Test
    void nothingToRankIsNothing() {
        assertEquals(List.of(), RANKING.of("task", ToolRanking.Described.of(List.of()), Optional.empty()));
    }
}
