package switchboard.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import switchboard.app.McpClient;
import switchboard.call.Json;
import switchboard.text.SurrogatePairs;

/** Ingests files; searches and prints hits, with the tools of a {@code vectordb} backend. */
final class DocumentCommands {
    private static final int EXCERPT = 160;

    private final McpClient client;
    private final String toolPrefix;
    private final Path base;
    private final PrintWriter out;

    /**
     * Calls the tools through {@code client}.
     *
     * @param toolPrefix what the client's view puts before the tools' names
     * @param base sources below this folder are shown relative to it
     */
    DocumentCommands(McpClient client, String toolPrefix, Path base, PrintWriter out) {
        this.client = client;
        this.base = base.toAbsolutePath().normalize();
        this.toolPrefix = toolPrefix;
        this.out = out;
    }

    /** Ingests {@code files} into {@code library}, unless that is interrupted. */
    IngestReport ingest(List<Path> files, String library, Progress progress, InterruptHandler interruption) {
        SortedMap<String, Integer> outcomes = new TreeMap<>();
        SortedMap<String, String> failures = new TreeMap<>();
        int chunks = 0;
        try (progress) {
            for (Path file : files) {
                ObjectNode arguments = Json.object();
                arguments.put("path", file.toString()).put("library", library);
                JsonNode result = interruption.waitFor(() -> client.callTool(toolPrefix + "ingest_file", arguments));
                if (result.path("isError").asBoolean()) {
                    failures.put(file.toString(), message(result));
                } else {
                    JsonNode document = result.path("structuredContent");
                    outcomes.merge(document.path("status").asText(), 1, Integer::sum);
                    chunks += document.path("chunk_count").asInt();
                }
                progress.step(shown(file.toString()));
            }
        } catch (CancellationException e) {
            return new IngestReport(library, outcomes, chunks, failures, true);
        }
        return new IngestReport(library, outcomes, chunks, failures, false);
    }

    /** Searches for {@code query} and prints the hits. Returns whether the tool succeeded. */
    boolean search(String query, int topK, ObjectNode more) {
        ObjectNode arguments = more.deepCopy();
        arguments.put("query", query).put("top_k", topK);
        JsonNode result = client.callTool(toolPrefix + "search", arguments);
        if (result.path("isError").asBoolean()) {
            out.println(message(result));
            out.flush();
            return false;
        }
        JsonNode answer = result.path("structuredContent");
        if (answer.path("results").isEmpty()) {
            out.println("  nothing found");
        }
        int rank = 0;
        for (JsonNode hit : answer.path("results")) {
            rank++;
            out.printf(
                    Locale.ROOT,
                    "  %d. %.4f  %s%s%n",
                    rank,
                    hit.path("score").asDouble(),
                    shown(hit.path("source").asText()),
                    heading(hit));
            out.println("     " + excerpt(hit.path("content").asText()));
        }
        if (answer.path("mode").asText().equals("keyword")) {
            out.println("  (by keywords only: " + answer.path("reason").asText() + ")");
        }
        out.flush();
        return true;
    }

    private static String message(JsonNode result) {
        JsonNode error = result.path("_meta").path("switchboard/error").path("message");
        return error.isTextual()
                ? error.asText()
                : result.path("content").path(0).path("text").asText();
    }

    /** A source as people read it: relative to the base if it is below that. */
    String shown(String source) {
        String line = source.lines().collect(Collectors.joining(" "));
        return source.startsWith(base + File.separator)
                ? base.relativize(Path.of(line)).toString()
                : line;
    }

    private static String heading(JsonNode hit) {
        String heading = hit.path("heading").asText();
        return heading.isEmpty() ? "" : "  [" + heading + "]";
    }

    private static String excerpt(String content) {
        String line = content.replaceAll("\\s+", " ").strip();
        return line.length() <= EXCERPT ? line : SurrogatePairs.start(line, EXCERPT) + "...";
    }
}
