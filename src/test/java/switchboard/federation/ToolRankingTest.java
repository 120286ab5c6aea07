package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.call.Verb;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolCatalog.BackendTools;
import switchboard.catalog.ToolDescriptor;
import switchboard.catalog.ToolSearch;
import switchboard.store.PooledKeywordScore;
import switchboard.testing.BackendHarness;

/** {@code find_tools} on written tasks over the whole catalogue: {@code compose/tasks.json}. */
class ToolRankingTest {
    private static final ToolRanking RANKING = new ToolRanking(PooledKeywordScore::of);
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

    private static JsonNode tasks() throws IOException {
        try (InputStream file =
                Objects.requireNonNull(ToolRankingTest.class.getResourceAsStream("/compose/tasks.json"))) {
            return Json.parse(file.readAllBytes());
        }
    }

    private static String key(PublishedTool tool) {
        return tool.backend() + ToolCatalog.SEPARATOR + tool.descriptor().name();
    }

    @Test
    void theRightToolIsAmongTheFirstThreeForNearlyEveryTask() throws IOException {
        List<String> missed = new ArrayList<>();
        Set<String> wanted = new HashSet<>();
        JsonNode tasks = tasks();
        for (JsonNode task : tasks) {
            List<String> right = new ArrayList<>();
            task.path("tools").forEach(tool -> right.add(tool.asText()));
            wanted.addAll(right);
            List<String> first = RANKING.of(task.path("task").asText(), ALL).stream()
                    .limit(3)
                    .map(ToolRankingTest::key)
                    .toList();
            if (Collections.disjoint(first, right)) {
                missed.add(task.path("task").asText() + " -> " + first);
            }
        }
        System.out.println(
                "find_tools: " + (tasks.size() - missed.size()) + " of " + tasks.size() + " tasks; missed " + missed);
        assertTrue(tasks.size() >= 80);
        assertEquals(
                Set.of(), difference(ALL.stream().map(ToolRankingTest::key).toList(), wanted), "tools without a task");
        assertTrue(missed.size() <= 0.05 * tasks.size(), missed::toString);
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
        assertEquals(RANKING.of("search documents", ALL), RANKING.of("search documents", shuffled));
    }

    private static PublishedTool tool(String name, String title, String description, String argument, String about) {
        ObjectNode schema = Json.object();
        schema.putObject("properties").putObject(argument).put("description", about);
        ToolDescriptor descriptor = new ToolDescriptor(
                name,
                new ToolDescriptor.Texts(title, description),
                new ToolDescriptor.Schemas(schema, null),
                new ToolDescriptor.Effects(Set.of(Verb.READ), null, true),
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

    /**
     * A name counts .4, the first sentence .25 and once more as a part of the description, an argument .1. The order of
     * names is the opposite one.
     */
    @Test
    void theNameCountsMoreThanTheDescriptionAndThatMoreThanArguments() {
        ToolRanking ranking = new ToolRanking((task, texts, _) ->
                texts.stream().mapToDouble(text -> text.contains(task) ? 1 : 0).toArray());
        List<PublishedTool> order = List.of(
                tool("g_winch", "t", "On a winch. More.", "x", "y"),
                tool("f", "t", "On a winch. More.", "winch", "y"),
                tool("e", "t", "On a winch. More.", "x", "y"),
                tool("d_winch", "t", "Of ships. More.", "x", "y"),
                tool("c", "winch", "Of ships.", "x", "y"),
                tool("b", "t", "Of ships. A winch.", "x", "y"),
                tool("a", "t", "Of ships. More.", "x", "winch"),
                tool("A", "t", "Of ships.", "x", "y"),
                tool("B", "t", ". ", "x", "y"));
        List<PublishedTool> shuffled = new ArrayList<>(order);
        Collections.shuffle(shuffled, new Random(1));
        List<String> names =
                ranking.of("winch", shuffled).stream().map(PublishedTool::name).toList();
        assertEquals(List.of("g_winch", "f", "e", "c", "d_winch", "b", "a", "A", "B"), names);
        // A sign between words is none of a name's.
        assertEquals("d_winch", ranking.of("d winch", shuffled).getFirst().name());
        // A description of one sentence is its own beginning.
        assertEquals(
                "c",
                ranking.of("Of ships.", shuffled).stream()
                        .map(PublishedTool::name)
                        .filter(name -> !name.equals("A"))
                        .findFirst()
                        .orElseThrow());
    }
}
