package switchboard.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import switchboard.call.Json;
import switchboard.eval.AnswerDocuments;
import switchboard.eval.EvalComparison.EvalRunResult;
import switchboard.eval.JudgedSet;
import switchboard.eval.PairedTest;
import switchboard.eval.Quality;

/**
 * One or two configurations of a search, measured on a judged set query by query; the figures are those of {@code switchboard
 * eval}. Not thread-safe.
 */
public final class JudgedRun {
    /** Sources with these states might have given hits. */
    private static final List<String> NOT_ASKED_TO_THE_END = List.of("timeout", "error");

    private final JudgedSet set;
    private final List<MeasuredConfiguration> configurations;
    private ArrayNode values = Json.array();

    /**
     * A search to make.
     *
     * @param query the id of the query in the set
     * @param configuration which one it measures, from 0
     * @param arguments all arguments of the tool
     */
    public record JudgedSearch(String query, int configuration, ObjectNode arguments) {}

    private static final class MeasuredConfiguration {
        private final String name;
        private final ObjectNode arguments;
        private final Map<String, Quality> byQuery = new LinkedHashMap<>();
        private final List<Double> millis = new ArrayList<>();
        private int failed;
        private int incomplete;

        private MeasuredConfiguration(String name, ObjectNode arguments) {
            this.name = name;
            this.arguments = arguments;
        }

        private EvalRunResult result() {
            return new EvalRunResult(name, byQuery, millis, failed);
        }
    }

    /** A run that has measured nothing yet; {@code arguments} are those of each configuration, without the query. */
    public JudgedRun(JudgedSet set, List<ObjectNode> arguments) {
        this.set = set;
        List<MeasuredConfiguration> named = new ArrayList<>();
        arguments.forEach(
                one -> named.add(new MeasuredConfiguration(Character.toString('A' + named.size()), one.deepCopy())));
        this.configurations = List.copyOf(named);
    }

    /** What is measured, for who waits for it. */
    public ObjectNode outline() {
        return Json.object()
                .put("set", set.name())
                .put("documents", set.texts().size())
                .put("queries", set.queries().size())
                .put("configurations", configurations.size());
    }

    /** All searches: of each query one for each configuration. */
    public Iterator<JudgedSearch> searches() {
        return set.queries().entrySet().stream()
                .flatMap(query -> configurations.stream()
                        .map(configuration -> new JudgedSearch(
                                query.getKey(),
                                configurations.indexOf(configuration),
                                configuration.arguments.deepCopy().put("query", query.getValue()))))
                .iterator();
    }

    /** Whether a search of the configuration of {@code search} has been answered. */
    public boolean hasAnswered(JudgedSearch search) {
        MeasuredConfiguration configuration = configurations.get(search.configuration());
        return configuration.byQuery.size() > configuration.failed;
    }

    /**
     * Takes the result of the next search.
     *
     * @param result of the tool; one that is an error, or missing, counts as an answer without hits
     * @return the values of its query, once each configuration has one
     */
    public Optional<ObjectNode> add(JudgedSearch search, JsonNode result, double ms) {
        MeasuredConfiguration configuration = configurations.get(search.configuration());
        JsonNode answer = result.path("structuredContent");
        List<String> found = AnswerDocuments.of(answer, set.texts().keySet());
        Quality quality = Quality.of(found, set.grades().getOrDefault(search.query(), Map.of()));
        boolean failed = !result.isObject() || result.path("isError").asBoolean();
        configuration.byQuery.put(search.query(), quality);
        configuration.millis.add(ms);
        configuration.failed += failed ? 1 : 0;
        configuration.incomplete += answer.path("sources")
                        .valueStream()
                        .anyMatch(source -> NOT_ASKED_TO_THE_END.contains(
                                source.path("status").asText()))
                ? 1
                : 0;
        values.add(measures(quality)
                .put("hits", AnswerDocuments.hits(answer).size())
                .put("judged", found.size())
                .put("failed", failed));
        if (search.configuration() < configurations.size() - 1) {
            return Optional.empty();
        }
        ObjectNode query = Json.object()
                .put("id", search.query())
                .put("query", set.queries().getOrDefault(search.query(), ""));
        query.set("values", values);
        values = Json.array();
        return Optional.of(query);
    }

    /** The figures of all that was measured, and the difference of the second configuration to the first. */
    public ObjectNode figures() {
        ObjectNode figures = outline();
        ArrayNode all = figures.putArray("configurations");
        configurations.forEach(configuration -> all.add(figures(configuration)));
        if (configurations.size() == 2) {
            figures.set(
                    "difference",
                    difference(
                            configurations.getLast().result(),
                            configurations.getFirst().result()));
        }
        return figures;
    }

    private static ObjectNode figures(MeasuredConfiguration configuration) {
        EvalRunResult result = configuration.result();
        double answered = configuration.byQuery.values().stream()
                .mapToDouble(quality -> quality.mrr10() > 0 ? 1 : 0)
                .average()
                .orElse(0);
        ObjectNode figures = Json.object().put("name", configuration.name);
        figures.setAll(measures(result.quality()));
        return figures.put("answered", answered)
                .put("failed", configuration.failed)
                .put("incomplete", configuration.incomplete)
                .put("p50_ms", result.percentile(50))
                .put("p99_ms", result.percentile(99));
    }

    private static ObjectNode difference(EvalRunResult second, EvalRunResult first) {
        PairedTest test = second.against(first);
        SortedMap<String, Double> byQuery = second.differences(first);
        ObjectNode difference = Json.object()
                .put("mean", test.mean())
                .put("low", test.low())
                .put("high", test.high())
                .put("p", test.p());
        ObjectNode queries = difference.putObject("by_query");
        byQuery.forEach(queries::put);
        return difference;
    }

    private static ObjectNode measures(Quality quality) {
        return Json.object()
                .put("ndcg_at_10", quality.ndcg10())
                .put("recall_at_10", quality.recall10())
                .put("recall_at_100", quality.recall100())
                .put("mrr_at_10", quality.mrr10());
    }
}
