package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.DocumentAddress;
import switchboard.call.GivenDocuments;
import switchboard.call.HitSide;
import switchboard.call.InterleavedHits;
import switchboard.call.Json;
import switchboard.call.Redaction;
import switchboard.telemetry.AnsweredCall;
import switchboard.telemetry.RequestCaller;

/**
 * A search and what its caller was given: the hits after the answer was made to fit, without their texts.
 *
 * @param id the gateway's id of the request, which the audit log has, too; with a number from the second search of a call on
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

    /** What is between the id of a call and the number of one of its searches. */
    private static final String NEXT_OF_CALL = ".";

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
            @Nullable String tool) {
        /** Whether this has hits behind those of {@code other}. */
        boolean goesOn(AskedSearch other) {
            return skipped > 0
                    && other.skipped == 0
                    && query.equals(other.query)
                    && sources.equals(other.sources)
                    && Objects.equals(tool, other.tool);
        }
    }

    /**
     * A hit.
     *
     * @param address empty if the answer does not tell which document it is
     * @param score null if the engine has none
     * @param position from 1, in the whole ranking
     * @param relevance 0 to 1, or null if it is not known
     * @param side which of two mixed rankings put it there, or null if there is only one
     */
    record LoggedHit(
            String address,
            String source,
            int position,
            @Nullable Double score,
            @Nullable Double relevance,
            @Nullable HitSide side) {
        private ObjectNode json() {
            ObjectNode json = Json.object();
            if (!address.isEmpty()) {
                json.put("address", address);
            }
            json.put("source", source).put("position", position);
            if (score != null) {
                json.put("score", score);
            }
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
            searches.add(ofTool(answer, search, searches.size(), time));
        }
        return searches;
    }

    /** The search number {@code index} of a call. What the whole call took is that of the first. */
    private static LoggedSearch ofTool(AnsweredCall answer, JsonNode search, int index, Instant time) {
        String call = answer.source().requestId();
        long ms = index == 0 ? answer.duration().toMillis() : 0;
        List<JsonNode> sources =
                search.path(GivenDocuments.SOURCES).valueStream().toList();
        int skipped = search.path(GivenDocuments.SKIPPED).asInt();
        return new LoggedSearch(
                index == 0 ? call : call + NEXT_OF_CALL + (index + 1),
                time,
                answer.caller(),
                new AskedSearch(
                        search.path(GivenDocuments.QUERY).asText(),
                        corrected(answer),
                        answer.source().view(),
                        sources.size() == 1 ? List.of(label(answer, sources.getFirst())) : List.of(),
                        answer.arguments().path("min_relevance").asDouble(),
                        skipped,
                        budget(answer),
                        answer.backend() + ":" + answer.tool()),
                null,
                givenHits(answer, search, skipped),
                sources.stream()
                        .map(source -> new SourceOutcome(
                                label(answer, source),
                                SourceOutcome.OK,
                                source.path("hits").asInt(),
                                sources.size() == 1 ? ms : 0))
                        .toList(),
                ms);
    }

    private static List<LoggedHit> givenHits(AnsweredCall answer, JsonNode search, int skipped) {
        List<LoggedHit> hits = new ArrayList<>();
        for (JsonNode hit : search.path(RESULTS)) {
            hits.add(new LoggedHit(
                    address(answer.backend(), hit),
                    label(answer, hit),
                    skipped + hits.size() + 1,
                    number(hit.path("score")),
                    number(hit.path("relevance")),
                    null));
        }
        return hits;
    }

    private static String label(AnsweredCall answer, JsonNode of) {
        return answer.backend() + ":" + of.path("source").asText();
    }

    /**
     * The address of a document that an engine's own tool gave; empty if it is not known, or if a part of it was private: encoded, it would
     * no longer be found.
     */
    static String address(String backend, JsonNode given) {
        String source = given.path("source").asText();
        String id = given.path("id").asText();
        return !given.hasNonNull("id") || (source + id).contains(Redaction.MARK)
                ? ""
                : DocumentAddress.of(backend, source, id);
    }

    private static @Nullable Double number(JsonNode value) {
        return value.isNumber() ? value.asDouble() : null;
    }

    /** Whether {@code other} is of the same call. */
    boolean sameCall(LoggedSearch other) {
        return call(id).equals(call(other.id));
    }

    /** The call that the search with that id is of. */
    static String call(String id) {
        int end = id.indexOf(NEXT_OF_CALL);
        return end < 0 ? id : id.substring(0, end);
    }

    /** The hits that {@code results} are, whose places begin after {@code skipped} others. */
    private static List<LoggedHit> hits(JsonNode results, int skipped, List<HitSide> sides) {
        List<LoggedHit> hits = new ArrayList<>();
        for (JsonNode hit : results) {
            int place = skipped + hits.size();
            hits.add(new LoggedHit(
                    hit.path("address").asText(),
                    hit.path("source").asText(),
                    place + 1,
                    number(hit.path("score")),
                    number(hit.path("relevance")),
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
