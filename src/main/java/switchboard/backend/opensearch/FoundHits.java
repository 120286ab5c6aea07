package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * What a search found.
 *
 * @param hits best first
 * @param mode how it was searched
 * @param vector the vector that it was searched by
 * @param total how many documents match; empty for a search by vector, which gives all that are asked for
 * @param notes what the caller should know
 */
record FoundHits(
        List<EngineHit> hits,
        SearchMode mode,
        Optional<SearchVector> vector,
        Optional<Total> total,
        List<String> notes) {
    /**
     * A hit.
     *
     * @param index the index that it is in, which an alias stands for
     * @param id its id there
     * @param score the engine's score, or of reciprocal rank fusion; null if hits are sorted by a field
     * @param cosine of its vector to that of the question, as far as the engine's score tells it
     * @param source its fields
     * @param highlights places that match, by field; empty if not asked for
     */
    record EngineHit(
            String index,
            String id,
            @Nullable Double score,
            OptionalDouble cosine,
            ObjectNode source,
            ObjectNode highlights) {
        static EngineHit of(JsonNode hit, OptionalDouble cosine) {
            return new EngineHit(
                    hit.path("_index").asText(),
                    hit.path("_id").asText(),
                    hit.path("_score").isNumber() ? hit.path("_score").asDouble() : null,
                    cosine,
                    object(hit.path("_source")),
                    object(hit.path("highlight")));
        }

        private static ObjectNode object(JsonNode node) {
            return node instanceof ObjectNode object ? object : Json.object();
        }

        /** The same with another score. */
        EngineHit scored(double score) {
            return new EngineHit(index, id, score, cosine, source, highlights);
        }

        /** The same with what another search knows about the same document. */
        EngineHit with(EngineHit other) {
            return new EngineHit(index, id, score, cosine.isPresent() ? cosine : other.cosine, source, highlights);
        }

        /** The same with the fields of {@code other}, which is the same document. */
        EngineHit showing(EngineHit other) {
            return new EngineHit(index, id, score, cosine, other.source, other.highlights);
        }

        /** What names the document. */
        List<String> place() {
            return List.of(index, id);
        }
    }

    /**
     * A number of documents.
     *
     * @param documents how many
     * @param exact whether there are not more
     */
    record Total(long documents, boolean exact) {
        static Total of(JsonNode answer) {
            JsonNode total = answer.path("hits").path("total");
            return new Total(
                    total.path("value").asLong(),
                    total.path("relation").asText().equals("eq")
                            && notes(answer).isEmpty());
        }
    }

    /** What a search by keywords found. */
    static FoundHits byKeywords(JsonNode answer, List<String> why) {
        return new FoundHits(
                        hits(answer),
                        SearchMode.KEYWORD,
                        Optional.empty(),
                        Optional.of(Total.of(answer)),
                        notes(answer))
                .noting(why);
    }

    /** The hits in an answer. */
    static List<EngineHit> hits(JsonNode answer) {
        return hits(answer, _ -> OptionalDouble.empty());
    }

    /** The hits in the answer to a search by {@code vector}. */
    static List<EngineHit> hits(JsonNode answer, SearchVector vector) {
        return hits(answer, hit -> vector.field().cosine(hit.path("_score")));
    }

    private static List<EngineHit> hits(JsonNode answer, Function<JsonNode, OptionalDouble> cosine) {
        List<EngineHit> hits = new ArrayList<>();
        answer.path("hits").path("hits").forEach(hit -> hits.add(EngineHit.of(hit, cosine.apply(hit))));
        return hits;
    }

    /** The same with more notes. */
    FoundHits noting(List<String> more) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(more);
        return new FoundHits(hits, mode, vector, total, List.copyOf(all));
    }

    /** What an answer says of itself: that it lacks hits. */
    static List<String> notes(JsonNode answer) {
        List<String> notes = new ArrayList<>();
        if (answer.path("timed_out").asBoolean()) {
            notes.add("The engine ran out of time: hits may be missing.");
        }
        int failed = answer.path("_shards").path("failed").asInt();
        if (failed > 0) {
            notes.add(failed + " of " + answer.path("_shards").path("total").asInt()
                    + " parts of the index failed: hits may be missing.");
        }
        return notes;
    }
}
