package switchboard.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;
import switchboard.eval.EvalComparison;
import switchboard.eval.JudgedSet;
import switchboard.eval.Quality;

/**
 * Runs the queries of judged sets through tools of a running gateway. A hit counts as a document if one of its values
 * is the document's id, or one of its addresses ends with it (before a file extension). The documents of {@code also_in}
 * come after that of their hit. Blocks: call it on the thread of a command.
 */
public final class ToolEval {
    private final McpClient client;

    /** Calls the tools through {@code client}. */
    public ToolEval(McpClient client) {
        this.client = client;
    }

    /**
     * A tool with arguments to evaluate.
     *
     * @param name its label in reports
     * @param tool the tool's name
     * @param arguments its arguments except the query
     * @param query the name of the argument for the query
     */
    public record SearchVariant(String name, String tool, ObjectNode arguments, String query) {}

    /** Measures each of the variants on {@code set}. */
    public EvalComparison compare(JudgedSet set, List<SearchVariant> ways) {
        return new EvalComparison(
                set.name(),
                set.texts().size(),
                ways.stream().map(way -> run(set, way)).toList());
    }

    private EvalComparison.EvalRunResult run(JudgedSet set, SearchVariant way) {
        Map<String, Quality> byQuery = new LinkedHashMap<>();
        List<Double> millis = new ArrayList<>();
        int failed = 0;
        for (Map.Entry<String, String> query : set.queries().entrySet()) {
            ObjectNode arguments = way.arguments().deepCopy().put(way.query(), query.getValue());
            long start = System.nanoTime();
            JsonNode result = client.callTool(way.tool(), arguments);
            millis.add((System.nanoTime() - start) / 1e6);
            failed += result.path("isError").asBoolean() ? 1 : 0;
            byQuery.put(
                    query.getKey(),
                    Quality.of(
                            documents(
                                    result.path("structuredContent"),
                                    set.texts().keySet()),
                            set.grades().getOrDefault(query.getKey(), Map.of())));
        }
        return new EvalComparison.EvalRunResult(way.name(), byQuery, millis, failed);
    }

    /** The ids of the documents in the first array of objects of an answer, each once. */
    private static List<String> documents(JsonNode answer, Set<String> ids) {
        List<String> documents = new ArrayList<>();
        StreamSupport.stream(answer.spliterator(), false)
                .filter(member -> member.isArray() && member.path(0).isObject())
                .findFirst()
                .ifPresent(hits -> hits.forEach(hit -> {
                    add(hit, ids, documents);
                    hit.path("also_in").forEach(copy -> add(copy, ids, documents));
                }));
        return documents;
    }

    private static void add(JsonNode hit, Set<String> ids, List<String> documents) {
        document(hit, ids).filter(id -> !documents.contains(id)).ifPresent(documents::add);
    }

    private static Optional<String> document(JsonNode hit, Set<String> ids) {
        for (JsonNode value : hit) {
            if (value.isValueNode()) {
                String text = value.asText();
                String last = text.substring(text.lastIndexOf('/') + 1);
                int extension = last.lastIndexOf('.');
                String stem = extension > 0 ? last.substring(0, extension) : last;
                for (String id : List.of(text, last, stem)) {
                    if (value.isTextual() && ids.contains(id)) {
                        return Optional.of(id);
                    }
                }
            } else if (value.isObject()) {
                Optional<String> inner = document(value, ids);
                if (inner.isPresent()) {
                    return inner;
                }
            }
        }
        return Optional.empty();
    }
}
