package switchboard.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import switchboard.app.McpClient;
import switchboard.call.Json;

/** Ingests files, searches and prints hits, with the tools of a {@code vectordb} backend. */
final class DocumentCommands {
    private static final Set<String> EXTENSIONS = Set.of("md", "markdown", "txt", "html", "htm", "csv", "json", "xml");
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

    /** The files under {@code paths} that can be ingested, sorted; a path that is a file is taken as it is. */
    static List<Path> files(List<Path> paths) throws IOException {
        Stream.Builder<Path> found = Stream.builder();
        for (Path path : paths) {
            if (Files.isDirectory(path)) {
                try (Stream<Path> walk = Files.walk(path)) {
                    walk.filter(Files::isRegularFile)
                            .filter(DocumentCommands::readable)
                            .forEach(found);
                }
            } else {
                found.add(path);
            }
        }
        return found.build()
                .map(path -> path.toAbsolutePath().normalize())
                .distinct()
                .sorted()
                .toList();
    }

    /** Ingests {@code files} into {@code library}, unless that is interrupted; returns how many failed. */
    int ingest(List<Path> files, String library, Progress progress, Interruption interruption) {
        TreeMap<String, Integer> outcomes = new TreeMap<>();
        int chunks = 0;
        int failed = 0;
        StringBuilder failures = new StringBuilder();
        try (progress) {
            for (Path file : files) {
                ObjectNode arguments = Json.object();
                arguments.put("path", file.toString()).put("library", library);
                JsonNode result = interruption.waitFor(() -> client.callTool(toolPrefix + "ingest_file", arguments));
                if (result.path("isError").asBoolean()) {
                    failed++;
                    failures.append("  ")
                            .append(file)
                            .append(": ")
                            .append(message(result))
                            .append('\n');
                } else {
                    JsonNode document = result.path("structuredContent");
                    outcomes.merge(document.path("status").asText(), 1, Integer::sum);
                    chunks += document.path("chunk_count").asInt();
                }
                progress.step(shown(file.toString()));
            }
        } catch (CancellationException e) {
            failures.append("  interrupted: not all files were ingested\n");
        }
        StringBuilder summary = new StringBuilder();
        outcomes.forEach((outcome, count) ->
                summary.append(count).append(' ').append(outcome).append(", "));
        out.println(summary.toString() + failed + " failed; " + chunks + " chunks in library " + library);
        out.print(failures);
        out.flush();
        return failed;
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

    private static boolean readable(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return EXTENSIONS.contains(name.substring(name.lastIndexOf('.') + 1)) && !name.startsWith(".");
    }

    private static String message(JsonNode result) {
        JsonNode error = result.path("_meta").path("switchboard/error").path("message");
        return error.isTextual()
                ? error.asText()
                : result.path("content").path(0).path("text").asText();
    }

    private String shown(String source) {
        return source.startsWith(base + File.separator)
                ? base.relativize(Path.of(source)).toString()
                : source;
    }

    private static String heading(JsonNode hit) {
        String heading = hit.path("heading").asText();
        return heading.isEmpty() ? "" : "  [" + heading + "]";
    }

    private static String excerpt(String content) {
        String line = content.replaceAll("\\s+", " ").strip();
        return line.length() <= EXCERPT ? line : line.substring(0, EXCERPT) + "...";
    }
}
