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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import switchboard.call.Json;
import switchboard.config.SearchConfig;
import switchboard.eval.BeirFiles;
import switchboard.insight.ImplicitJudgments;
import switchboard.insight.InsightStore;
import switchboard.insight.JudgedHit;
import switchboard.tuning.ConfiguredWeights;
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
 * @param folder what was proposed and decided
 * @param log the search log
 * @param client asks with a key that may search what the team may
 */
public record TuneRun(SearchConfig search, TuningFolder folder, InsightStore log, McpClient client) {
    /** One or two keys could say anything. */
    private static final int FEWEST_READERS = 3;

    /** Of more queries, those with most reads that count. */
    private static final int MOST_QUERIES = 500;

    /** One of so many searches may fail; if more do, nothing is proposed. */
    private static final int ONE_MAY_FAIL_OF = 10;

    private static final int DEPTH = 100;

    /** Whether weights were proposed. */
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

    /** What is known of a query: its reads, and how well each document answers that was shown for it, 0 to 100. */
    private record ReadQuery(String text, ImplicitJudgments.QueryReads reads, Map<String, Integer> gains) {}

    /** Looks for better weights for {@code team}; keeps them as a proposal if there are any. */
    public TuneOutcome propose(String team, Instant now) throws IOException {
        if (search.fusion().method() != SearchConfig.Fusion.Method.LINEAR) {
            return none("search.fusion.method is not linear, and only that is tuned.");
        }
        ImplicitJudgments judgments = new ImplicitJudgments();
        log.read(team, judgments::addOverAll);
        ImplicitJudgments.ReadJudgments read = judgments.judgments();
        if (read.reads().isEmpty()
                && read.judged().stream().anyMatch(hit -> hit.counts().read() > 0)) {
            return none("no query whose text is kept has a judgment (insight.teams: queries must be full).");
        }
        List<ReadQuery> queries = queries(read);
        int readers = (int) queries.stream()
                .flatMap(query -> query.reads().keys().stream())
                .distinct()
                .count();
        return readers < FEWEST_READERS
                ? none("reads that say something are of " + readers + " keys, and at least " + FEWEST_READERS
                        + " are needed, so that one alone does not decide.")
                : propose(team, queries, readers, now);
    }

    private TuneOutcome propose(String team, List<ReadQuery> queries, int readers, Instant now) throws IOException {
        List<JudgedQuery> judged = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        for (ReadQuery query : queries) {
            try {
                judged.add(judged(query));
            } catch (McpException e) {
                failures.add(e.getMessage());
            }
        }
        if (failures.size() > queries.size() / ONE_MAY_FAIL_OF) {
            return none(failures.size() + " of " + queries.size() + " searches failed or were not complete, so nothing"
                    + " is compared. The first one: " + failures.getFirst());
        }
        RankingWeights inUse = folder.decisions(team).weights();
        WeightSearch.FoundWeights found =
                new WeightSearch(judged, search.fusion().similarity()).from(inUse);
        if (found.better()) {
            return new TuneOutcome.Proposed(
                    folder.propose(team, found, judged(queries, readers), configured(search), now), found);
        }
        return new TuneOutcome.Unproposed(why(found), Optional.of(found));
    }

    private static TuningProposal.JudgedReads judged(List<ReadQuery> queries, int keys) {
        long judgments = queries.stream()
                .flatMap(query -> query.gains().values().stream())
                .filter(gain -> gain > 0)
                .count();
        return new TuningProposal.JudgedReads((int) judgments, keys);
    }

    private static TuneOutcome none(String why) {
        return new TuneOutcome.Unproposed(why, Optional.empty());
    }

    private static String why(WeightSearch.FoundWeights found) {
        if (found.tooFew()) {
            return "only " + found.heldBack().queries()
                    + " queries with judgments are left to check with, and at least " + WeightSearch.FEWEST_HELD_BACK
                    + " are needed.";
        }
        return found.after().equals(found.before())
                ? "no other weights rank better what was read."
                : "the best other weights are not better, beyond chance, for the queries that were held back ("
                        + found.changed() + " of them rank differently).";
    }

    /** Those with most reads that count come first. */
    private static List<ReadQuery> queries(ImplicitJudgments.ReadJudgments read) {
        Map<String, Map<String, Integer>> gains = new LinkedHashMap<>();
        for (JudgedHit hit : read.judged()) {
            if (hit.query() != null) {
                gains.computeIfAbsent(hit.query(), _ -> new HashMap<>()).put(hit.address(), hit.gain());
            }
        }
        List<ReadQuery> all = new ArrayList<>();
        read.reads().forEach((text, reads) -> {
            ReadQuery query = new ReadQuery(text, reads, gains.getOrDefault(text, Map.of()));
            if (query.gains().values().stream().anyMatch(gain -> gain > 0)) {
                all.add(query);
            }
        });
        all.sort(Comparator.comparingDouble((ReadQuery query) -> -query.reads().count())
                .thenComparing(ReadQuery::text));
        return all.subList(0, Math.min(all.size(), MOST_QUERIES));
    }

    /**
     * What the sources give for a query now, with what scores are made of in the configured method. Documents that were never shown for
     * it are left out, because nothing is known of them (condensed lists; Sakai 2007).
     *
     * @throws McpException if the search fails, or a source did not answer
     */
    private JudgedQuery judged(ReadQuery query) {
        ObjectNode arguments = Json.object()
                .put("query", query.text())
                .put("limit", DEPTH)
                .put("detail", "titles")
                .put("fusion", "linear")
                .put("explain", true);
        JsonNode answer = client.callUnlogged("search_everywhere", arguments);
        if (answer.path("isError").asBoolean()) {
            throw new McpException(answer.at("/content/0/text").asText());
        }
        JsonNode found = answer.path("structuredContent");
        found.path("sources")
                .valueStream()
                .filter(TuneRun::isMissing)
                .findFirst()
                .ifPresent(source -> {
                    throw new McpException(source.path("source").asText() + ": "
                            + source.path("status").asText() + " "
                            + source.path("detail").asText());
                });
        List<JudgedQuery.ScoredHit> hits = found.path("results")
                .valueStream()
                .filter(hit -> hit.has("explanation"))
                .map(hit -> hit(hit, query.gains()))
                .filter(hit -> query.gains().containsKey(hit.address()))
                .toList();
        Map<String, Integer> gains = new HashMap<>(query.gains());
        gains.values().removeIf(gain -> gain == 0);
        return new JudgedQuery(
                BeirFiles.id(query.text()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}]+", " ")
                        .strip()),
                hits,
                gains,
                query.reads().count());
    }

    private static boolean isMissing(JsonNode source) {
        String status = source.path("status").asText();
        return !status.equals("ok") && !status.equals("partial");
    }

    /** A hit; of a text that several sources have, under the address that is known for the query. */
    private JudgedQuery.ScoredHit hit(JsonNode hit, Map<String, Integer> known) {
        String address = Stream.concat(Stream.of(hit), hit.path("also_in").valueStream())
                .map(one -> one.path("address").asText())
                .filter(known::containsKey)
                .findFirst()
                .orElse(hit.path("address").asText());
        SortedMap<String, Double> sources = new TreeMap<>();
        Stream.concat(Stream.of(hit), hit.path("also_in").valueStream())
                .map(one -> one.path("source").asText())
                .forEach(source -> sources.put(source, weight(source)));
        double similarity = search.fusion().similarity();
        return new JudgedQuery.ScoredHit(
                address,
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

    /** What factors of proposals are multiplied with, or come before. */
    public static ConfiguredWeights configured(SearchConfig search) {
        SortedMap<String, Double> sources = new TreeMap<>();
        search.sources().forEach((name, source) -> sources.put(name, source.weight()));
        return new ConfiguredWeights(search.fusion().similarity(), sources);
    }

    private double weight(String source) {
        SearchConfig.SourceConfig declared = search.sources().get(source);
        if (declared == null) {
            declared = search.sources().get(source.replaceFirst(":.*", ""));
        }
        return declared == null ? 1 : declared.weight();
    }
}
