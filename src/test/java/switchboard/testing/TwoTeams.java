package switchboard.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.call.Json;

/**
 * Two teams on the same documents, each bound to an owner of its own: whatever both do, each of them gets what a gateway answers
 * that has never heard of the other. Both use the same libraries, sources and texts, and each tries the other's ids, which are random.
 */
public final class TwoTeams {
    /** The owners. */
    public static final List<String> OWNERS = List.of("red", "blue");

    private static final long SEED = 20_261_121;
    private static final Pattern REFS =
            Pattern.compile(",(\\\\?\")(?:ref\\1:\\{\\1cite\\1:[^{}]*\\}|time\\1:\\1[0-9TZ:-]{20}\\1)");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final List<String> WORDS = List.of(
            "river", "stone", "harbour", "lantern", "orchard", "thunder", "velvet", "copper", "meadow", "winter");
    private static final List<String> LIBRARIES = List.of("default", "notes", "shared");
    private static final List<String> STRANGE_LIBRARIES = List.of(
            "red", "blue", "red\u0000default", "../default", "*", "default\u0000", "DEFAULT", "owner=red", "' OR 1=1");

    private final Random random = new Random(SEED);
    private final List<String> strangeLibraries;
    private final int operations;
    private final Runnable second;
    private final AnswerComparison comparison;

    /**
     * So many operations.
     *
     * @param second lets time pass, so that two changes of a team are never made at the same time
     * @param comparison what both gateways must have in common
     */
    public TwoTeams(int operations, Runnable second, AnswerComparison comparison) {
        this(STRANGE_LIBRARIES, operations, second, comparison);
    }

    private TwoTeams(List<String> strangeLibraries, int operations, Runnable second, AnswerComparison comparison) {
        this.strangeLibraries = strangeLibraries;
        this.operations = operations;
        this.second = second;
        this.comparison = comparison;
    }

    /** The same with names of libraries that a database can store. */
    public TwoTeams withoutZeros() {
        List<String> others = STRANGE_LIBRARIES.stream()
                .filter(name -> name.indexOf('\0') < 0)
                .toList();
        return new TwoTeams(others, operations, second, comparison);
    }

    /** What an answer has in common with that of a gateway that has the documents of one team only. */
    @FunctionalInterface
    public interface AnswerComparison {
        /**
         * Fails unless an answer gives nothing away.
         *
         * @param call the call
         * @param answer of the gateway of both
         * @param alone the same of the other one, with the ids of the first
         * @param asking asks the other one again
         */
        void check(TeamCall call, String answer, String alone, Asking asking);
    }

    /** Asks the gateway of one team only. */
    @FunctionalInterface
    public interface Asking {
        /** Its answer to {@code arguments} for the same tool, with the ids of the other gateway. */
        String again(ObjectNode arguments);
    }

    /** A call of a tool. */
    public record TeamCall(int number, String tool, ObjectNode arguments) {
        private boolean writes() {
            return tool.equals("ingest_text") || tool.equals("delete_document");
        }

        @Override
        public String toString() {
            return "operation " + number + " of seed " + SEED + ": " + tool + arguments;
        }
    }

    /** A team as a client of the gateway of both, and of the one it has for itself. */
    public record TeamClients(McpTestClient shared, McpTestClient alone) {}

    /** Performs all of it as the owners {@link #OWNERS}, in their order. */
    public void perform(TeamClients red, TeamClients blue) {
        Side one = new Side(red);
        Side other = new Side(blue);
        for (int i = 0; i < operations; i++) {
            boolean first = random.nextBoolean();
            Side side = first ? one : other;
            TeamCall call = next(i, side, first ? other : one);
            if (!side.takes(call)) {
                together(one, other);
            }
            side.add(call);
        }
        together(one, other);
        Map<String, Integer> kinds = new TreeMap<>(one.kinds);
        other.kinds.forEach((kind, count) -> kinds.merge(kind, count, Integer::sum));
        assertEquals(
                operations, kinds.values().stream().mapToInt(Integer::intValue).sum());
        // Something was found, and something was refused: the comparison was not of errors only.
        assertTrue(kinds.getOrDefault("search ok", 0) > operations / 10, kinds.toString());
        assertTrue(kinds.getOrDefault("get_document ok", 0) > operations / 50, kinds.toString());
        assertTrue(kinds.getOrDefault("delete_document ok", 0) > operations / 50, kinds.toString());
        assertTrue(kinds.getOrDefault("get_document error", 0) > operations / 50, kinds.toString());
    }

    /** Both teams do what is planned, each one thing after the other, at the same time as the other team. */
    private void together(Side one, Side other) {
        second.run();
        CompletableFuture<Void> meanwhile = CompletableFuture.runAsync(other::perform);
        one.perform();
        meanwhile.orTimeout(5, TimeUnit.MINUTES).join();
    }

    private TeamCall next(int number, Side own, Side other) {
        int dice = random.nextInt(100);
        if (dice < 32) {
            return ingest(number);
        }
        if (dice < 66) {
            return search(number, own, other);
        }
        if (dice < 76) {
            ObjectNode arguments = Json.object().put("limit", 1 + random.nextInt(30));
            arguments.put("offset", random.nextInt(5)).put("library", random.nextBoolean() ? null : library());
            return new TeamCall(number, "list_documents", arguments);
        }
        if (dice < 80) {
            return new TeamCall(number, "list_libraries", Json.object());
        }
        ObjectNode arguments = Json.object().put("doc_id", id(own, other));
        return dice < 90
                ? new TeamCall(number, "get_document", arguments.put("max_chars", 1 + random.nextInt(200)))
                : new TeamCall(number, "delete_document", arguments);
    }

    private TeamCall ingest(int number) {
        ObjectNode arguments = Json.object()
                .put("content", words(3 + random.nextInt(40)))
                .put("source", "source-" + random.nextInt(60))
                .put("library", library());
        arguments.putObject("metadata").put("owner", pick(OWNERS)).put("n", random.nextInt(3));
        return new TeamCall(number, "ingest_text", arguments);
    }

    private TeamCall search(int number, Side own, Side other) {
        ObjectNode arguments = Json.object().put("query", words(1 + random.nextInt(3)));
        arguments.put("top_k", 1 + random.nextInt(20));
        if (random.nextInt(3) == 0) {
            arguments.put("library", library());
        }
        ObjectNode filter = Json.object();
        switch (random.nextInt(9)) {
            case 0 -> filter.put("metadata.owner", pick(OWNERS));
            case 1 -> filter.put("metadata.n", random.nextInt(3));
            case 2 -> filter.put("library", library());
            case 3 -> filter.put("doc_id", id(own, other));
            case 4 -> filter.put("source", "source-" + random.nextInt(60));
            case 5 -> filter.put("owner", pick(OWNERS));
            case 6 -> arguments.put("owner", pick(OWNERS));
            default -> {}
        }
        if (!filter.isEmpty()) {
            arguments.set("filter", filter);
        }
        return new TeamCall(number, "search", arguments);
    }

    /** Mostly one of its own, often one that the other team has, sometimes one that nobody has. */
    private String id(Side own, Side other) {
        int dice = random.nextInt(10);
        List<String> from = dice < 6 ? own.ids : dice < 9 ? other.ids : List.of();
        return from.isEmpty() ? "00000000-0000-8000-8000-00000000000" + random.nextInt(10) : pick(from);
    }

    private String library() {
        return random.nextInt(12) == 0 ? pick(strangeLibraries) : pick(LIBRARIES);
    }

    private String words(int count) {
        return Stream.generate(() -> pick(WORDS)).limit(count).collect(Collectors.joining(" "));
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** One team, and what it knows. */
    private final class Side {
        private final McpTestClient shared;
        private final McpTestClient alone;
        /** Ids in the shared gateway. */
        private final List<String> ids = new ArrayList<>();
        /** What they are in the other one, and back. */
        private final Map<String, String> inAlone = new HashMap<>();

        private final Map<String, String> inShared = new HashMap<>();
        /** What it does next; one change at most, because the clock stands still meanwhile and gives the order. */
        private final List<TeamCall> planned = new ArrayList<>();

        private final Map<String, Integer> kinds = new TreeMap<>();

        Side(TeamClients clients) {
            this.shared = clients.shared();
            this.alone = clients.alone();
        }

        boolean takes(TeamCall operation) {
            return !operation.writes() || planned.stream().noneMatch(TeamCall::writes);
        }

        void add(TeamCall operation) {
            planned.add(operation);
        }

        /** Does what is planned in both, compares, and counts what it came to. */
        void perform() {
            planned.forEach(operation -> kinds.merge(compared(operation), 1, Integer::sum));
            planned.clear();
        }

        private String compared(TeamCall operation) {
            String text = Json.text(operation.arguments());
            CompletableFuture<HttpReply> here = CompletableFuture.supplyAsync(() -> send(shared, operation, text));
            HttpReply there = send(alone, operation, renamed(text, inAlone));
            HttpReply reply = here.orTimeout(2, TimeUnit.MINUTES).join();
            if (operation.tool().equals("ingest_text")) {
                learn(reply, there);
            }
            comparison.check(
                    operation,
                    steady(reply),
                    renamed(steady(there), inShared),
                    arguments ->
                            renamed(steady(send(alone, operation, renamed(Json.text(arguments), inAlone))), inShared));
            assertEquals(there.status(), reply.status());
            return operation.tool()
                    + (reply.json().path("result").path("isError").asBoolean() ? " error" : " ok");
        }

        /** What is compared: all but refs and the time of the answer. In the text block quotes have a backslash. */
        private static String steady(HttpReply reply) {
            return REFS.matcher(reply.body()).replaceAll("");
        }

        private void learn(HttpReply reply, HttpReply there) {
            String id = document(reply);
            String other = document(there);
            if (!id.isEmpty() && !other.isEmpty() && inAlone.put(id, other) == null) {
                ids.add(id);
                inShared.put(other, id);
            }
        }

        private String document(HttpReply reply) {
            JsonNode structured = reply.json().path("result").path("structuredContent");
            return structured.path("doc_id").asText();
        }

        private HttpReply send(McpTestClient client, TeamCall operation, String arguments) {
            ObjectNode params = Json.object().put("name", operation.tool());
            params.set("arguments", read(arguments));
            return client.request("tools/call", params);
        }

        private JsonNode read(String json) {
            try {
                return Json.parse(json);
            } catch (JsonProcessingException e) {
                throw new AssertionError(json, e);
            }
        }

        private String renamed(String text, Map<String, String> names) {
            return ID.matcher(text)
                    .replaceAll(id -> Matcher.quoteReplacement(names.getOrDefault(id.group(), id.group())));
        }
    }
}
