package switchboard.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import switchboard.call.Json;
import switchboard.config.SearchConfig;
import switchboard.eval.BeirFiles;
import switchboard.insight.ImplicitJudgments;
import switchboard.insight.InsightFolder;
import switchboard.insight.JudgedHit;
import switchboard.tuning.JudgedQuery;
import switchboard.tuning.RankingWeights;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningProposal;
import switchboard.tuning.WeightSearch;

/**
 * Proposes weights for a team: asks a running gateway the queries after which something was read, and looks for weights that rank
 * that better. Blocks: call it on the thread of a command.
 *
 * @param search the configuration of the gateway
 * @param installation has the data folder
 * @param client asks with a key that may search what the team may
 */
public record TuneRun(SearchConfig search, Installation installation, McpClient client) {
    /** One or two keys could say anything. */
    private static final int FEWEST_READERS = 3;

    /** Of more queries, those after which most was read. */
    private static final int MOST_QUERIES = 500;

    private static final int DEPTH = 100;

    /** What came of it. */
    public sealed interface TuneOutcome {
        /** Weights that are better. */
        record Proposed(TuningProposal proposal, WeightSearch.FoundWeights found) implements TuneOutcome {}

        /**
         * None.
         *
         * @param found what was measured; empty if nothing could be
         */
        record Unproposed(String why, Optional<WeightSearch.FoundWeights> found) implements TuneOutcome {}
    }

    /** Looks for better weights for {@code team}; keeps them as a proposal if there are any. */
    public TuneOutcome propose(String team, Instant now) throws IOException {
        if (search.fusion().method() != SearchConfig.Fusion.Method.LINEAR) {
            return none("search.fusion.method is not linear, and only that is tuned.");
        }
        ImplicitJudgments judgments = new ImplicitJudgments();
        new InsightFolder(installation.data()).read(team, judgments::add);
        ImplicitJudgments.ReadJudgments read = judgments.judgments();
        if (read.readers() < FEWEST_READERS) {
            return none("what was read is of " + read.readers() + " keys, and at least " + FEWEST_READERS
                    + " are needed, so that one alone does not decide.");
        }
        Map<String, Map<String, Integer>> gains = gains(read.judged());
        if (gains.isEmpty()) {
            return none("no query whose text is kept has a judgment (insight.teams: queries must be full).");
        }
        TuningFolder folder = new TuningFolder(installation.data());
        RankingWeights inUse = folder.decisions(team).weights();
        List<JudgedQuery> queries = new ArrayList<>();
        for (Map.Entry<String, Map<String, Integer>> query : gains.entrySet()) {
            queries.add(new JudgedQuery(BeirFiles.id(query.getKey()), hits(query.getKey()), query.getValue()));
        }
        WeightSearch.FoundWeights found =
                new WeightSearch(queries, search.fusion().similarity()).from(inUse);
        if (found.better()) {
            return new TuneOutcome.Proposed(folder.propose(team, found, now), found);
        }
        return new TuneOutcome.Unproposed(why(found), Optional.of(found));
    }

    private static TuneOutcome none(String why) {
        return new TuneOutcome.Unproposed(why, Optional.empty());
    }

    private static String why(WeightSearch.FoundWeights found) {
        if (found.tooFew()) {
            return "only " + found.heldBack().queries()
                    + " queries with judgments are left to check with, and at least 10 are needed.";
        }
        return found.after().equals(found.before())
                ? "no other weights rank better what was read."
                : "the best other weights are not better, beyond chance, for the queries that were held back.";
    }

    /** By query, those with most judgments first. */
    private static Map<String, Map<String, Integer>> gains(List<JudgedHit> judged) {
        Map<String, Map<String, Integer>> gains = new LinkedHashMap<>();
        Map<String, Integer> reads = new HashMap<>();
        for (JudgedHit hit : judged) {
            if (hit.query() != null && hit.gain() > 0) {
                gains.computeIfAbsent(hit.query(), _ -> new HashMap<>()).put(hit.address(), hit.gain());
                reads.merge(hit.query(), hit.counts().read(), Integer::sum);
            }
        }
        Map<String, Map<String, Integer>> most = new LinkedHashMap<>();
        gains.keySet().stream()
                .sorted(Comparator.<String>comparingInt(query -> -reads.getOrDefault(query, 0))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MOST_QUERIES)
                .forEach(query -> most.put(query, gains.getOrDefault(query, Map.of())));
        return most;
    }

    /** What the sources give for a query, with what scores are made of in the configured method. */
    private List<JudgedQuery.ScoredHit> hits(String query) {
        ObjectNode arguments = Json.object()
                .put("query", query)
                .put("limit", DEPTH)
                .put("detail", "titles")
                .put("fusion", "linear")
                .put("explain", true);
        JsonNode answer = client.callUnlogged("search_everywhere", arguments);
        if (answer.path("isError").asBoolean()) {
            throw new McpException("a search failed, so nothing was changed: "
                    + answer.at("/content/0/text").asText());
        }
        return answer.at("/structuredContent/results")
                .valueStream()
                .map(this::hit)
                .toList();
    }

    private JudgedQuery.ScoredHit hit(JsonNode hit) {
        SortedMap<String, Double> sources = new TreeMap<>();
        Stream.concat(Stream.of(hit), hit.path("also_in").valueStream())
                .map(one -> one.path("source").asText())
                .forEach(source -> sources.put(source, weight(source)));
        double similarity = search.fusion().similarity();
        return new JudgedQuery.ScoredHit(
                hit.path("address").asText(),
                sources,
                part(hit, "vector", similarity) + part(hit, "source_rank", similarity),
                part(hit, "keyword", 1 - similarity));
    }

    /** A part of the score of {@code hit} before it was weighted; 0 if it had no weight. */
    private static double part(JsonNode hit, String name, double weight) {
        return weight == 0
                ? 0
                : hit.at("/explanation/parts")
                                .valueStream()
                                .filter(part -> part.path("name").asText().equals(name))
                                .mapToDouble(part -> part.path("value").asDouble())
                                .sum()
                        / weight;
    }

    private double weight(String source) {
        SearchConfig.SourceConfig declared = search.sources().get(source);
        if (declared == null) {
            declared = search.sources().get(source.replaceFirst(":.*", ""));
        }
        return declared == null ? 1 : declared.weight();
    }
}
