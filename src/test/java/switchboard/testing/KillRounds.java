package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import switchboard.call.Json;

/**
 * Rounds of {@code kill -9} on a gateway process in the midst of concurrent ingests, replaces and deletes. After each,
 * a new process must hold every acknowledged document whole, and of an unanswered call all or nothing.
 */
public final class KillRounds {
    private static final int WRITERS = 6;
    private static final int SOURCES_EACH = 4;
    private static final int LIBRARIES = 3;
    private static final int MOST_ACKNOWLEDGED = 60;
    private static final String YAML = """
            embedders: {default: {provider: none}}
            backends: {vectordb: {type: vectordb}}
            """;

    /** No document. */
    private static final String GONE = "";

    private final Path data;
    private final Random random;

    /** For each source the texts it may have: one when its last change was answered, two when it was not. */
    private final Map<String, Set<String>> allowed = new ConcurrentHashMap<>();

    private final Map<String, String> ids = new ConcurrentHashMap<>();
    private final AtomicInteger versions = new AtomicInteger();
    private int unanswered;

    /** Rounds on the data folder {@code data}; the same seed makes the same choices. */
    public KillRounds(Path data, long seed) {
        this.data = data;
        this.random = new Random(seed);
    }

    /** What happened. */
    public record Outcome(int rounds, int acknowledged, int unanswered, int documents) {}

    /** Kills {@code rounds} times and checks after each. */
    public Outcome run(int rounds) throws IOException {
        int acknowledged = 0;
        int documents = 0;
        for (int round = 1; round <= rounds; round++) {
            try (GatewayProcess gateway = GatewayProcess.start(YAML, data)) {
                documents = check(gateway, "before round " + round);
                acknowledged += disturb(gateway);
            }
        }
        try (GatewayProcess gateway = GatewayProcess.start(YAML, data)) {
            documents = check(gateway, "at the end");
        }
        return new Outcome(rounds, acknowledged, unanswered, documents);
    }

    /** Writes from many threads and kills after a random number of answers; how many changes were answered. */
    private int disturb(GatewayProcess gateway) {
        int until = 1 + random.nextInt(MOST_ACKNOWLEDGED);
        AtomicInteger answers = new AtomicInteger();
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Writer writer = new Writer(i, new Random(random.nextLong()), gateway, answers);
            writers.add(Thread.ofVirtual().start(writer));
        }
        Eventually.within(
                java.time.Duration.ofMinutes(2), () -> answers.get() >= until, () -> "answers: " + answers.get());
        gateway.kill();
        for (Thread writer : writers) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
        unanswered +=
                (int) allowed.values().stream().filter(may -> may.size() > 1).count();
        return answers.get();
    }

    /** Changes sources of its own, one call at a time, until the gateway is gone. */
    private final class Writer implements Runnable {
        private final int number;
        private final Random choices;
        private final GatewayProcess gateway;
        private final AtomicInteger answers;

        Writer(int number, Random choices, GatewayProcess gateway, AtomicInteger answers) {
            this.number = number;
            this.choices = choices;
            this.gateway = gateway;
            this.answers = answers;
        }

        @Override
        public void run() {
            try (McpTestClient client = McpTestClient.modern(gateway.url())) {
                while (true) {
                    change(client, "w" + number + "-" + choices.nextInt(SOURCES_EACH));
                    answers.incrementAndGet();
                }
            } catch (AssertionError | java.io.UncheckedIOException gone) {
                // The gateway was killed: what is unanswered is in the books already.
            }
        }

        private void change(McpTestClient client, String source) {
            Set<String> may = allowed.computeIfAbsent(source, _ -> absent());
            String id = ids.get(source);
            boolean delete = id != null && choices.nextInt(4) == 0;
            String text = delete ? GONE : text(source, choices.nextInt(1, 400));
            may.add(text);
            ToolResult answer = delete
                    ? client.call("delete_document", Json.object().put("doc_id", id))
                    : client.call("ingest_text", ingest(source, text));
            if (answer.isError()) {
                throw new AssertionError(answer.toString());
            }
            if (delete) {
                ids.remove(source);
            } else {
                ids.put(source, answer.structured().path("doc_id").asText());
            }
            may.retainAll(Set.of(text));
        }
    }

    /** A source that nobody has written yet. */
    private static Set<String> absent() {
        Set<String> may = ConcurrentHashMap.newKeySet();
        may.add(GONE);
        return may;
    }

    private String text(String source, int sentences) {
        String word = "version" + versions.incrementAndGet() + "x";
        return "# " + source + "\n\n"
                + ("A sentence of " + word + " that makes the document longer.\n\n").repeat(sentences);
    }

    private static ObjectNode ingest(String source, String text) {
        return Json.object().put("content", text).put("source", source).put("library", library(source));
    }

    private static String library(String source) {
        return "library" + Math.floorMod(source.hashCode(), LIBRARIES);
    }

    /** Everything allowed is there, whole, and nothing else; what was in doubt is known from here on. */
    private int check(GatewayProcess gateway, String when) {
        try (McpTestClient client = McpTestClient.modern(gateway.url())) {
            Map<String, JsonNode> listed = list(client);
            ids.clear();
            allowed.forEach((source, may) -> {
                JsonNode document = listed.get(source);
                String text = document == null ? GONE : read(client, document);
                if (!may.contains(text)) {
                    throw new AssertionError(when + ": " + source + " is \"" + text + "\" instead of " + may);
                }
                may.clear();
                may.add(text);
                if (document != null) {
                    ids.put(source, document.path("doc_id").asText());
                    found(client, source, text, when);
                }
            });
            Set<String> unknown = new TreeSet<>(listed.keySet());
            unknown.removeAll(allowed.keySet());
            if (!unknown.isEmpty()) {
                throw new AssertionError(when + ": nobody put " + unknown);
            }
            return listed.size();
        }
    }

    private static Map<String, JsonNode> list(McpTestClient client) {
        Map<String, JsonNode> listed = new TreeMap<>();
        ToolResult answer = client.call("list_documents", Json.object().put("limit", 100));
        for (JsonNode document : answer.structured().path("documents")) {
            if (listed.put(document.path("source").asText(), document) != null) {
                throw new AssertionError("twice: " + document);
            }
        }
        return listed;
    }

    private static String read(McpTestClient client, JsonNode document) {
        ToolResult answer = client.call(
                "get_document",
                Json.object().put("doc_id", document.path("doc_id").asText()));
        return answer.structured().path("content").asText();
    }

    /** The document is found by the word that no other has, with all its chunks and nothing of older versions. */
    private static void found(McpTestClient client, String source, String text, String when) {
        String word = text.replaceAll("(?s).*?A sentence of (version\\d+x).*", "$1");
        ObjectNode query = Json.object().put("query", word).put("top_k", 100);
        JsonNode hits = client.call("vectordb__search", query).structured().path("results");
        if (hits.isEmpty()) {
            throw new AssertionError(when + ": " + source + " is not found by " + word);
        }
        for (JsonNode hit : hits) {
            if (hit.path("content").asText().contains(word)
                    && !hit.path("source").asText().equals(source)) {
                throw new AssertionError(when + ": " + word + " is in " + hit);
            }
        }
    }
}
