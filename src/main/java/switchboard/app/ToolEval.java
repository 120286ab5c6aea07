package switchboard.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import switchboard.eval.AnswerDocuments;
import switchboard.eval.EvalComparison;
import switchboard.eval.JudgedSet;
import switchboard.eval.Quality;

/**
 * Runs the queries of judged sets through tools of a running gateway. Blocks: call it on the thread of a command.
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
            JsonNode result = client.callUnlogged(way.tool(), arguments);
            millis.add((System.nanoTime() - start) / 1e6);
            failed += result.path("isError").asBoolean() ? 1 : 0;
            byQuery.put(
                    query.getKey(),
                    Quality.of(
                            AnswerDocuments.of(
                                    result.path("structuredContent"),
                                    set.texts().keySet()),
                            set.grades().getOrDefault(query.getKey(), Map.of())));
        }
        return new EvalComparison.EvalRunResult(way.name(), byQuery, millis, failed);
    }
}
