package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import switchboard.auth.ApiKey;
import switchboard.backend.vectordb.UnhurriedVectordb;
import switchboard.call.Json;
import switchboard.testing.HandClock;
import switchboard.testing.HttpReply;
import switchboard.testing.LongRun;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/**
 * Two teams on one embedded store, each bound to an owner of its own: whatever both do, each of them gets, byte for byte,
 * what a gateway answers that has never heard of the other. Only the random ids of documents differ from store to store.
 * Both use the same libraries, sources and texts, and each tries the other's ids.
 */
class TwoTeamsTest {
    private static final long SEED = 20_261_121;
    private static final int OPERATIONS = LongRun.times(2_000, 10_000);
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final List<String> TEAMS = List.of("red", "blue");
    private static final List<String> WORDS = List.of(
            "river", "stone", "harbour", "lantern", "orchard", "thunder", "velvet", "copper", "meadow", "winter");
    private static final List<String> LIBRARIES = List.of("default", "notes", "shared");
    private static final List<String> STRANGE_LIBRARIES = List.of(
            "red", "blue", "red\u0000default", "../default", "*", "default\u0000", "DEFAULT", "owner=red", "' OR 1=1");

    private final Random random = new Random(SEED);
    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final Map<String, ApiKey> keys =
            TEAMS.stream().collect(Collectors.toMap(team -> team, team -> ApiKey.generate(new SecureRandom())));

    /** In memory where there is such a place: what is shown here does not depend on a disk, and the test waits for it. */
    @TempDir(factory = InMemory.class)
    Path folder;

    @Test
    void eachTeamGetsWhatItWouldGetAlone() throws IOException {
        try (TestGateway both = start("both", TEAMS);
                TestGateway red = start("red", List.of("red"));
                TestGateway blue = start("blue", List.of("blue"))) {
            Side one = side("red", both, red);
            Side other = side("blue", both, blue);
            for (int i = 0; i < OPERATIONS; i++) {
                boolean first = random.nextBoolean();
                Side side = first ? one : other;
                Operation operation = next(i, side, first ? other : one);
                if (!side.takes(operation)) {
                    together(one, other);
                }
                side.add(operation);
            }
            together(one, other);
            Map<String, Integer> kinds = new TreeMap<>(one.kinds);
            other.kinds.forEach((kind, count) -> kinds.merge(kind, count, Integer::sum));
            assertEquals(
                    OPERATIONS,
                    kinds.values().stream().mapToInt(Integer::intValue).sum());
            // Something was found, and something was refused: the comparison was not of errors only.
            assertTrue(kinds.getOrDefault("search ok", 0) > OPERATIONS / 10, kinds.toString());
            assertTrue(kinds.getOrDefault("get_document ok", 0) > OPERATIONS / 50, kinds.toString());
            assertTrue(kinds.getOrDefault("delete_document ok", 0) > OPERATIONS / 50, kinds.toString());
            assertTrue(kinds.getOrDefault("get_document error", 0) > OPERATIONS / 50, kinds.toString());
        }
    }

    /** Both teams do what is planned, each one thing after the other, at the same time as the other team. */
    private void together(Side one, Side other) {
        clock.forward(Duration.ofSeconds(1));
        CompletableFuture<Void> meanwhile = CompletableFuture.runAsync(other::perform);
        one.perform();
        meanwhile.orTimeout(5, TimeUnit.MINUTES).join();
    }

    private TestGateway start(String name, List<String> teams) throws IOException {
        Path data = Files.createDirectories(folder.resolve(name));
        Files.writeString(
                data.resolve("teams.yaml"),
                teams.stream()
                        .map(team -> """
                                  %1$s:
                                    keys: [{id: %1$s1, sha256: %2$s}]
                                    grants: ["vectordb:*"]
                                    bindings: {vectordb: {owner: %1$s}}
                                """.formatted(team, keys.get(team).sha256()))
                        .collect(Collectors.joining("", "teams:\n", "")));
        return TestGateway.start(
                """
                auth: {mode: keys}
                audit: {to: none}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """, data, modelServices -> List.of(UnhurriedVectordb.module(modelServices.embedders())), clock);
    }

    private Side side(String team, TestGateway both, TestGateway alone) {
        String bearer = "Bearer " + keys.get(team).text();
        return new Side(
                both.modern().with("Authorization", bearer), alone.modern().with("Authorization", bearer));
    }

    /** A tool call; where it names a document, by what its team or the other one knows. */
    private record Operation(int number, String tool, ObjectNode arguments) {
        boolean writes() {
            return tool.equals("ingest_text") || tool.equals("delete_document");
        }
    }

    private Operation next(int number, Side own, Side other) {
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
            return new Operation(number, "list_documents", arguments);
        }
        if (dice < 80) {
            return new Operation(number, "list_libraries", Json.object());
        }
        ObjectNode arguments = Json.object().put("doc_id", id(own, other));
        return dice < 90
                ? new Operation(number, "get_document", arguments.put("max_chars", 1 + random.nextInt(200)))
                : new Operation(number, "delete_document", arguments);
    }

    private Operation ingest(int number) {
        ObjectNode arguments = Json.object()
                .put("content", words(3 + random.nextInt(40)))
                .put("source", "source-" + random.nextInt(60))
                .put("library", library());
        arguments.putObject("metadata").put("owner", pick(TEAMS)).put("n", random.nextInt(3));
        return new Operation(number, "ingest_text", arguments);
    }

    private Operation search(int number, Side own, Side other) {
        ObjectNode arguments = Json.object().put("query", words(1 + random.nextInt(3)));
        arguments.put("top_k", 1 + random.nextInt(20));
        if (random.nextInt(3) == 0) {
            arguments.put("library", library());
        }
        ObjectNode filter = Json.object();
        switch (random.nextInt(9)) {
            case 0 -> filter.put("metadata.owner", pick(TEAMS));
            case 1 -> filter.put("metadata.n", random.nextInt(3));
            case 2 -> filter.put("library", library());
            case 3 -> filter.put("doc_id", id(own, other));
            case 4 -> filter.put("source", "source-" + random.nextInt(60));
            case 5 -> filter.put("owner", pick(TEAMS));
            case 6 -> arguments.put("owner", pick(TEAMS));
            default -> {}
        }
        if (!filter.isEmpty()) {
            arguments.set("filter", filter);
        }
        return new Operation(number, "search", arguments);
    }

    /** Mostly one of its own, often one that the other team has, sometimes one that nobody has. */
    private String id(Side own, Side other) {
        int dice = random.nextInt(10);
        List<String> from = dice < 6 ? own.ids : dice < 9 ? other.ids : List.of();
        return from.isEmpty() ? "00000000-0000-8000-8000-00000000000" + random.nextInt(10) : pick(from);
    }

    private String library() {
        return random.nextInt(12) == 0 ? pick(STRANGE_LIBRARIES) : pick(LIBRARIES);
    }

    private String words(int count) {
        return Stream.generate(() -> pick(WORDS)).limit(count).collect(Collectors.joining(" "));
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** One team: as a client of the gateway of both, and of the one it has for itself. */
    private static final class Side {
        private final McpTestClient shared;
        private final McpTestClient alone;
        /** Ids in the shared gateway. */
        private final List<String> ids = new ArrayList<>();
        /** What they are in the other one, and back. */
        private final Map<String, String> inAlone = new HashMap<>();

        private final Map<String, String> inShared = new HashMap<>();
        /** What it does next; one change at most, because the clock stands still meanwhile and gives the order. */
        private final List<Operation> planned = new ArrayList<>();

        private final Map<String, Integer> kinds = new TreeMap<>();

        Side(McpTestClient shared, McpTestClient alone) {
            this.shared = shared;
            this.alone = alone;
        }

        boolean takes(Operation operation) {
            return !operation.writes() || planned.stream().noneMatch(Operation::writes);
        }

        void add(Operation operation) {
            planned.add(operation);
        }

        /** Does what is planned in both, compares, and counts what it came to. */
        void perform() {
            planned.forEach(operation -> kinds.merge(compared(operation), 1, Integer::sum));
            planned.clear();
        }

        private String compared(Operation operation) {
            String text = Json.text(operation.arguments());
            CompletableFuture<HttpReply> here = CompletableFuture.supplyAsync(() -> send(shared, operation, text));
            HttpReply there = send(alone, operation, renamed(text, inAlone));
            HttpReply reply = here.orTimeout(2, TimeUnit.MINUTES).join();
            if (operation.tool().equals("ingest_text")) {
                learn(reply, there);
            }
            assertEquals(
                    reply.body(),
                    renamed(there.body(), inShared),
                    () -> "operation " + operation.number() + " of seed " + SEED + ": " + operation);
            assertEquals(there.status(), reply.status());
            return operation.tool()
                    + (reply.json().path("result").path("isError").asBoolean() ? " error" : " ok");
        }

        private void learn(HttpReply reply, HttpReply there) {
            String id = document(reply);
            String other = document(there);
            if (!id.isEmpty() && !other.isEmpty() && inAlone.put(id, other) == null) {
                ids.add(id);
                inShared.put(other, id);
            }
        }

        private static String document(HttpReply reply) {
            JsonNode structured = reply.json().path("result").path("structuredContent");
            return structured.path("doc_id").asText();
        }

        private static HttpReply send(McpTestClient client, Operation operation, String arguments) {
            ObjectNode params = Json.object().put("name", operation.tool());
            params.set("arguments", read(arguments));
            return client.request("tools/call", params);
        }

        private static JsonNode read(String json) {
            try {
                return Json.parse(json);
            } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
                throw new AssertionError(json, e);
            }
        }

        private static String renamed(String text, Map<String, String> names) {
            return ID.matcher(text)
                    .replaceAll(id -> Matcher.quoteReplacement(names.getOrDefault(id.group(), id.group())));
        }
    }

    /** Folders of Linux's file system in memory; elsewhere the usual ones. */
    static final class InMemory implements TempDirFactory {
        private static final Path MEMORY = Path.of("/dev/shm");

        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.isWritable(MEMORY)
                    ? Files.createTempDirectory(MEMORY, "switchboard-test")
                    : Files.createTempDirectory("switchboard-test");
        }
    }
}
