package switchboard.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import switchboard.call.Json;
import switchboard.replica.ChunkEngine.DocumentsPage;
import switchboard.replica.ChunkEngine.EngineFound;
import switchboard.store.EngineChunk;
import switchboard.store.EngineSearch.EngineFindings;
import switchboard.store.EngineSearch.EngineQuestion;

/**
 * A question in GraphQL: the best chunks by words, the nearest to each vector, and the number of chunks that have each word, in one
 * request.
 *
 * @param collection the collection that is asked
 * @param question what is asked
 * @param depth maximum number of chunks of each kind
 */
record ChunkQuery(ChunkCollection collection, EngineQuestion question, int depth) {
    private static final String FIELDS = String.join(
            " ",
            ChunkCollection.DOCUMENT,
            ChunkCollection.INDEX,
            ChunkCollection.TERMS,
            ChunkCollection.LANGUAGE,
            ChunkCollection.CONTENT);

    /** The names of results: the best by words, the nearest to a vector, the number of a word's chunks. */
    private static final String BY_WORDS = "words";

    private static final String BY_VECTOR = "vector";
    private static final String HOLDERS = "holders";
    private static final String DOCUMENTS = "documents";

    /** Whether nothing is asked for. */
    boolean isEmpty() {
        return !counts()
                && (!possible()
                        || (question.words().isEmpty() && question.vectors().isEmpty()));
    }

    /** The body of a GraphQL request; only if the question is not {@linkplain #isEmpty empty}. */
    ObjectNode body() {
        StringBuilder text = new StringBuilder("{");
        if (possible()) {
            candidates(text);
        }
        if (counts()) {
            text.append(" Aggregate {");
            for (int i = 0; i < question.words().size(); i++) {
                text.append(' ').append(HOLDERS).append(i).append(": ").append(collection.name());
                text.append("(where: ").append(having(question.words().get(i))).append(") { meta { count } }");
            }
            text.append(" }");
        }
        return Json.object().put("query", text.append(" }").toString());
    }

    private boolean counts() {
        return !question.words().isEmpty() && question.scope().counted();
    }

    /** Whether there is a document that may be found. */
    private boolean possible() {
        return !question.documents().equals(Optional.of(List.of()));
    }

    private void candidates(StringBuilder text) {
        text.append(" Get {");
        Optional<String> where = question.documents().map(ChunkQuery::among);
        if (!question.words().isEmpty()) {
            text.append(' ').append(BY_WORDS).append(": ").append(collection.name());
            text.append("(bm25: {query: ").append(literal(String.join(" ", question.words())));
            text.append(", properties: [\"").append(ChunkCollection.TERMS).append("\"]}");
            end(text, where);
        }
        int number = 0;
        for (Map.Entry<String, float[]> vector : question.vectors().entrySet()) {
            text.append(' ').append(BY_VECTOR).append(number++).append(": ").append(collection.name());
            text.append("(nearVector: {vector: ").append(Json.text(Json.array(vector.getValue())));
            text.append(", targetVectors: [\"")
                    .append(ChunkCollection.vectorName(vector.getKey()))
                    .append("\"]}");
            end(text, where);
        }
        text.append(" }");
    }

    /** What is read of each chunk; the vectors only where some are compared. */
    private String fields() {
        return question.vectors().isEmpty()
                ? "{ " + FIELDS + " }"
                : "{ " + FIELDS + " " + ChunkCollection.VECTORS + " }";
    }

    private void end(StringBuilder text, Optional<String> where) {
        where.ifPresent(condition -> text.append(", where: ").append(condition));
        text.append(", limit: ").append(depth).append(") ").append(fields());
    }

    private static String among(List<String> documents) {
        return "{path: [\"" + ChunkCollection.DOCUMENT + "\"], operator: ContainsAny, valueText: "
                + documents.stream().map(ChunkQuery::literal).collect(Collectors.joining(",", "[", "]")) + "}";
    }

    private String having(String word) {
        String has = "{path: [\"" + ChunkCollection.TERMS + "\"], operator: Equal, valueText: " + literal(word) + "}";
        return question.readable()
                .map(documents -> "{operator: And, operands: [" + has + ", " + among(documents) + "]}")
                .orElse(has);
    }

    /** The body of a request for the documents of the next {@code most} chunks after one, in the order of their ids. */
    static ObjectNode documents(ChunkCollection collection, String after, int most) {
        return Json.object()
                .put(
                        "query",
                        "{ Get { " + DOCUMENTS + ": " + collection.name() + "(limit: " + most + ", after: "
                                + literal(after) + ") { " + ChunkCollection.DOCUMENT + " _additional { id } } } }");
    }

    /** What an answer to that says. */
    static DocumentsPage documents(JsonNode data, int most) {
        JsonNode chunks = data.path("Get").path(DOCUMENTS);
        Set<String> documents = new HashSet<>();
        String last = "";
        for (JsonNode one : chunks) {
            documents.add(one.path(ChunkCollection.DOCUMENT).asText());
            last = one.path("_additional").path("id").asText();
        }
        return new DocumentsPage(documents, chunks.size() < most ? "" : last);
    }

    /** The body of a request for the number of chunks of each of {@code documents}. */
    static ObjectNode counts(ChunkCollection collection, List<String> documents) {
        StringBuilder text = new StringBuilder("{ Aggregate {");
        for (int i = 0; i < documents.size(); i++) {
            text.append(' ').append(HOLDERS).append(i).append(": ").append(collection.name());
            text.append("(where: ").append(among(List.of(documents.get(i)))).append(") { meta { count } }");
        }
        return Json.object().put("query", text.append(" } }").toString());
    }

    /** The number in an answer for the word, or the document, with this place in the request. */
    static long count(JsonNode data, int place) {
        return data.path("Aggregate")
                .path(HOLDERS + place)
                .path(0)
                .path("meta")
                .path("count")
                .longValue();
    }

    /** A text in GraphQL, whose literals are those of JSON. */
    private static String literal(String text) {
        return Json.text(TextNode.valueOf(text));
    }

    /** What an answer's {@code data} says. */
    EngineFound found(JsonNode data) {
        Map<String, Map<Integer, EngineChunk>> candidates = new LinkedHashMap<>();
        boolean more = false;
        for (Map.Entry<String, JsonNode> result : data.path("Get").properties()) {
            more |= result.getValue().size() >= depth;
            for (JsonNode one : result.getValue()) {
                EngineChunk chunk = ChunkCollection.chunk(one);
                candidates
                        .computeIfAbsent(one.path(ChunkCollection.DOCUMENT).asText(), _ -> new HashMap<>())
                        .put(chunk.index(), chunk);
            }
        }
        Map<String, List<EngineChunk>> chunks = new LinkedHashMap<>();
        candidates.forEach((document, some) -> chunks.put(document, new ArrayList<>(some.values())));
        Map<String, Long> holders = new HashMap<>();
        for (int i = 0; counts() && i < question.words().size(); i++) {
            holders.put(question.words().get(i), count(data, i));
        }
        return new EngineFound(new EngineFindings(chunks, holders), more);
    }
}
