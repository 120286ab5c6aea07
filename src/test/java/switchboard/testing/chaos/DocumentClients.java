package switchboard.testing.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.ReplicaProcesses;
import switchboard.testing.ToolResult;
import switchboard.testing.chaos.ExpectedDocuments.Expected;

/**
 * Clients that write documents through several gateways, each its own, and clients that search them through each gateway. What a search
 * finds must be what was acknowledged before it began, unless its answer says that it may lack that.
 */
final class DocumentClients {
    private static final int SOURCES_EACH = 4;
    private static final int LIBRARIES = 3;

    /** A writer whose gateway fails goes on with another one, and comes back after so many changes. */
    private static final int CHANGES_AT_ONCE = 10;

    private static final Duration LONG = Duration.ofMinutes(3);
    private static final double SEARCHES_A_SECOND = 5;
    private static final double CHANGES_A_SECOND = 2;

    private final ReplicaProcesses replicas;
    private final String view;
    private final ExpectedDocuments expected;
    private final AtomicIntegerArray made;
    private final AtomicInteger versions;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    DocumentClients(ReplicaProcesses replicas, String view, ExpectedDocuments expected, AtomicInteger versions) {
        this.replicas = replicas;
        this.view = view;
        this.expected = expected;
        this.made = new AtomicIntegerArray(replicas.count());
        this.versions = versions;
    }

    /** Starts two writers and a searcher for each gateway. */
    void start(Random random) {
        for (int writer = 0; writer < 2 * replicas.count(); writer++) {
            int number = writer;
            Random choices = new Random(random.nextLong());
            threads.add(Thread.ofVirtual().start(() -> write(number, choices)));
        }
        for (int replica = 0; replica < replicas.count(); replica++) {
            int number = replica;
            Random choices = new Random(random.nextLong());
            threads.add(Thread.ofVirtual().start(() -> search(number, choices)));
        }
    }

    /** How many changes were made through a gateway. */
    int made(int replica) {
        return made.get(replica);
    }

    /** Ends them after the calls that are under way. */
    void end() {
        ended.set(true);
        for (Thread thread : threads) {
            try {
                if (!thread.join(LONG)) {
                    throw new AssertionError("a client waits for ever");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }

    private void write(int number, Random choices) {
        Pace pace = new Pace();
        pace.set(CHANGES_A_SECOND);
        int home = number % replicas.count();
        int replica = home;
        while (!ended.get()) {
            boolean works = true;
            try (McpTestClient client = replicas.client(replica, view)) {
                for (int left = CHANGES_AT_ONCE; left > 0 && works && !ended.get(); left--) {
                    pace.await();
                    works = change(client, replica, source(number, choices), choices);
                }
            }
            replica = works ? home : (replica + 1) % replicas.count();
        }
    }

    private static String source(int writer, Random choices) {
        return "w" + writer + "-" + choices.nextInt(SOURCES_EACH);
    }

    static String library(String source) {
        return "library" + Math.floorMod(source.hashCode(), LIBRARIES);
    }

    /** Changes a document of the writer's own; false if the gateway could not do it. */
    private boolean change(McpTestClient client, int replica, String source, Random choices) {
        String id = expected.of(source).id();
        boolean delete = id != null && choices.nextInt(4) == 0;
        String text = delete ? ExpectedDocuments.GONE : text(source, choices.nextInt(1, 60));
        Expected before = expected.begin(source, text);
        ToolResult answer;
        try {
            answer = delete
                    ? client.call("delete_document", Json.object().put("doc_id", id))
                    : client.call(
                            "ingest_text",
                            Json.object()
                                    .put("content", text)
                                    .put("source", source)
                                    .put("library", library(source)));
        } catch (AssertionError broken) {
            expected.unanswered(source, broken.toString());
            return false;
        }
        if (answer.isError()) {
            if (answer.text().contains("nothing was changed")) {
                expected.refused(source, before, answer.toString());
            } else {
                expected.unanswered(source, answer.toString());
            }
            return false;
        }
        if (delete && !answer.structured().path("found").asBoolean()) {
            expected.defect(source + " with the id " + id + " was acknowledged, and was not there to be deleted");
        }
        expected.made(
                source, text, delete ? null : answer.structured().path("doc_id").asText());
        made.incrementAndGet(replica);
        return true;
    }

    private String text(String source, int sentences) {
        return "# " + source + "\n\n"
                + ("A sentence of " + newWord(versions) + " that makes the document longer.\n\n").repeat(sentences);
    }

    /** A word that no text has. It has letters only, since others are split. */
    static String newWord(AtomicInteger versions) {
        StringBuilder word = new StringBuilder("version");
        for (int rest = versions.incrementAndGet(); rest > 0; rest /= 10) {
            word.append("bcdfghjklm".charAt(rest % 10));
        }
        return word.append('x').toString();
    }

    /** The word that only this text has. */
    static String word(String text) {
        return text.replaceAll("(?s).*?A sentence of (version[a-z]+x).*", "$1");
    }

    private void search(int replica, Random choices) {
        Pace pace = new Pace();
        pace.set(SEARCHES_A_SECOND);
        while (!ended.get()) {
            try (McpTestClient client = replicas.client(replica, view)) {
                while (!ended.get()) {
                    pace.await();
                    searched(client, replica, source(choices.nextInt(2 * replicas.count()), choices));
                }
            } catch (AssertionError _) {
                // The gateway is gone: again.
            }
        }
    }

    private void searched(McpTestClient client, int replica, String source) {
        Expected before = expected.of(source);
        String text = before.texts().iterator().next();
        if (!before.settled() || text.equals(ExpectedDocuments.GONE)) {
            return;
        }
        ToolResult answer = client.call(
                "search",
                Json.object()
                        .put("query", word(text))
                        .put("library", library(source))
                        .put("top_k", 100));
        String told = answer.isError() ? "" : wrong(answer.structured(), source, word(text));
        if (!told.isEmpty() && expected.of(source) == before) {
            expected.defect("gateway " + replica + ": " + source + " " + told + ": " + shortly(answer.toString()));
        }
    }

    /** The beginning of what may be long. */
    static String shortly(String text) {
        return text.substring(0, Math.min(text.length(), 2_000));
    }

    /** What is wrong with what a search found; nothing if all is right, or the answer says that it may be wrong. */
    private static String wrong(JsonNode found, String source, String word) {
        boolean there = false;
        for (JsonNode hit : found.path("results")) {
            if (hit.path("source").asText().equals(source)) {
                there = true;
                String content = hit.path("content").asText();
                if (content.contains("version") && !content.contains(word)) {
                    return says(found) ? "" : "is found as it was before";
                }
            }
        }
        return there || says(found) ? "" : "is not found by " + word;
    }

    private static boolean says(JsonNode found) {
        String reason = found.path("reason").asText();
        return reason.contains("can't be reached")
                || reason.contains("not searched yet")
                || reason.contains("is still building");
    }
}
