package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.GivenDocuments;
import switchboard.call.HitSide;
import switchboard.call.InterleavedHits;
import switchboard.call.Json;
import switchboard.telemetry.AnsweredCall;
import switchboard.telemetry.RequestCaller;

/**
 * A search and what its caller was given: the hits after the answer was made to fit, without their texts.
 *
 * @param id the gateway's id of the request, which the audit log has, too
 * @param time when it was answered
 * @param asked what was searched
 * @param trial the trial that has mixed two rankings in them, or null
 * @param hits in their order
 * @param sources what each source answered
 * @param ms duration in milliseconds
 */
record LoggedSearch(
        String id,
        Instant time,
        RequestCaller caller,
        AskedSearch asked,
        @Nullable String trial,
        List<LoggedHit> hits,
        List<SourceOutcome> sources,
        long ms) {
    /** The name of such a line. */
    static final String SEARCH = "search";

    /** The member with the trial that mixed two rankings. */
    static final String TRIAL = "trial";

    /** The member with the engine's own tool that was asked. */
    static final String TOOL = "tool";

    private static final String RESULTS = GivenDocuments.RESULTS;

    /** The member of a hit with the ranking that put it there. */
    static final String SIDE = "side";

    /** Approximate size of a search without hits, and of each hit and source, in bytes. */
    private static final int BASE_BYTES = 512;

    private static final int ITEM_BYTES = 256;

    /**
     * What was searched.
     *
     * @param corrected the words that were not known, and what was searched instead, as the answer has them; null if there are none
     * @param skipped how many of the best hits were left out, because an earlier answer had them
     * @param budget the size of the answer in tokens that was asked for, or null
     * @param tool the engine's own tool that was asked, {@code <backend>:<tool>}; null for a search over all sources
     */
    record AskedSearch(
            String query,
            @Nullable JsonNode corrected,
            String view,
            List<String> sources,
            double minRelevance,
            int skipped,
            @Nullable Integer budget,
            @Nullable String tool) {}

    /**
     * A hit.
     *
     * @param address empty if the answer does not tell which document it is
     * @param position from 1, in the whole ranking
     * @param relevance 0 to 1, or null if it is not known
     * @param side which of two mixed rankings put it there, or null if there is only one
     */
    record LoggedHit(
            String address,
            String source,
            int position,
            double score,
            @Nullable Double relevance,
            @Nullable HitSide side) {
        private ObjectNode json() {
            ObjectNode json = Json.object();
            if (!address.isEmpty()) {
                json.put("address", address);
            }
            json.put("source", source).put("position", position).put("score", score);
            if (relevance != null) {
                json.put("relevance", relevance);
            }
            if (side != null) {
                json.put(SIDE, side.word());
            }
            return json;
        }
    }

    /** What a source answered, in the words of the answer. */
    record SourceOutcome(String source, String status, int hits, long ms) {
        private static final String OK = "ok";
        private static final Set<String> ANSWERED = Set.of(OK, "partial");

        /** Whether it could be searched. */
        boolean answered() {
            return ANSWERED.contains(status);
        }
    }

    LoggedSearch {
        hits = List.copyOf(hits);
        sources = List.copyOf(sources);
    }

    /** The search that {@code answer} is about, an answer of {@code search_everywhere}. */
    static LoggedSearch of(AnsweredCall answer, Instant time) {
        JsonNode arguments = answer.arguments();
        int skipped = arguments.path("skip_results").asInt();
        List<HitSide> sides =
                answer.notes().interleaved().map(InterleavedHits::sides).orElse(List.of());
        return new LoggedSearch(
                answer.source().requestId(),
                time,
                answer.caller(),
                asked(answer, skipped),
                answer.notes().interleaved().map(InterleavedHits::trial).orElse(null),
                hits(answer.structured().path(RESULTS), skipped, sides),
                answer.structured()
                        .path("sources")
                        .valueStream()
                        .map(source -> new SourceOutcome(
                                source.path("source").asText(),
                                source.path("status").asText(),
                                source.path("hits").asInt(),
                                source.path("ms").asLong()))
                        .toList(),
                answer.duration().toMillis());
    }

    /** The searches that {@code answer} is about, an answer of an engine's own tool; empty if it is about none. */
    static List<LoggedSearch> ofTool(AnsweredCall answer, Instant time) {
        JsonNode given = answer.notes()
                .given()
                .<JsonNode>map(all -> all.path(GivenDocuments.SEARCHES))
                .orElse(MissingNode.getInstance());
        List<LoggedSearch> searches = new ArrayList<>();
        for (JsonNode search : given) {
            String id = answer.source().requestId();
            searches.add(ofTool(answer, search, searches.isEmpty() ? id : id + "." + (searches.size() + 1), time));
        }
        return searches;
    }

    private static LoggedSearch ofTool(AnsweredCall answer, JsonNode search, String id, Instant time) {
        int skipped = search.path(GivenDocuments.SKIPPED).asInt();
        List<LoggedHit> hits = hits(search.path(RESULTS), skipped, List.of());
        List<String> sources = search.path(GivenDocuments.SOURCES)
                .valueStream()
                .map(JsonNode::asText)
                .toList();
        long ms = answer.duration().toMillis();
        return new LoggedSearch(
                id,
                time,
                answer.caller(),
                new AskedSearch(
                        search.path(GivenDocuments.QUERY).asText(),
                        corrected(answer),
                        answer.source().view(),
                        sources,
                        answer.arguments().path("min_relevance").asDouble(),
                        skipped,
                        budget(answer),
                        answer.backend() + ":" + answer.tool()),
                null,
                hits,
                sources.stream()
                        .map(source -> new SourceOutcome(
                                source,
                                SourceOutcome.OK,
                                (int) hits.stream()
                                        .filter(hit -> hit.source().equals(source))
                                        .count(),
                                ms))
                        .toList(),
                ms);
    }

    /** The hits that {@code results} are, whose places begin after {@code skipped} others. */
    private static List<LoggedHit> hits(JsonNode results, int skipped, List<HitSide> sides) {
        List<LoggedHit> hits = new ArrayList<>();
        for (JsonNode hit : results) {
            JsonNode relevance = hit.path("relevance");
            int place = skipped + hits.size();
            hits.add(new LoggedHit(
                    hit.path("address").asText(),
                    hit.path("source").asText(),
                    place + 1,
                    hit.path("score").asDouble(),
                    relevance.isNumber() ? relevance.asDouble() : null,
                    place < sides.size() ? sides.get(place) : null));
        }
        return hits;
    }

    private static @Nullable Integer budget(AnsweredCall answer) {
        JsonNode budget = answer.arguments().path("budget_tokens");
        return budget.isInt() ? budget.asInt() : null;
    }

    private static AskedSearch asked(AnsweredCall answer, int skipped) {
        JsonNode arguments = answer.arguments();
        return new AskedSearch(
                arguments.path("query").asText(),
                corrected(answer),
                answer.source().view(),
                arguments.path("sources").valueStream().map(JsonNode::asText).toList(),
                arguments.path("min_relevance").asDouble(),
                skipped,
                budget(answer),
                null);
    }

    private static @Nullable JsonNode corrected(AnsweredCall answer) {
        JsonNode corrections = answer.structured().path("corrected");
        return corrections.isEmpty() ? null : corrections;
    }

    /** Approximate length of its line. */
    int bytes() {
        return BASE_BYTES + 4 * asked.query().length() + ITEM_BYTES * (hits.size() + sources.size());
    }

    /** The place of {@code address} among its hits; empty if it is not among them. */
    OptionalInt position(String address) {
        return hits.stream()
                .filter(hit -> hit.address().equals(address))
                .mapToInt(LoggedHit::position)
                .findFirst();
    }

    /** Its line, without what tells of the query. */
    ObjectNode json() {
        ObjectNode line = Json.object()
                .put("event", SEARCH)
                .put("id", id)
                .put("time", time.toString())
                .put("team", caller.team())
                .put("key", caller.key())
                .put("view", asked.view());
        if (asked.tool() != null) {
            line.put(TOOL, asked.tool());
        }
        ArrayNode wanted = line.putArray("asked");
        asked.sources().forEach(wanted::add);
        line.put("min_relevance", asked.minRelevance()).put("skipped", asked.skipped());
        if (asked.budget() != null) {
            line.put("budget_tokens", asked.budget());
        }
        line.put("ms", ms);
        if (trial != null) {
            line.put(TRIAL, trial);
        }
        ArrayNode given = line.putArray("hits");
        hits.forEach(hit -> given.add(hit.json()));
        ArrayNode outcomes = line.putArray("sources");
        sources.forEach(source -> outcomes.addObject()
                .put("source", source.source())
                .put("status", source.status())
                .put("hits", source.hits())
                .put("ms", source.ms()));
        return line;
    }
}
