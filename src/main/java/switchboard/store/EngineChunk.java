package switchboard.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import switchboard.call.Json;

/**
 * A chunk as an engine keeps it. What it has is never changed in the engine: another version of the document has another id.
 *
 * @param index its number among the document's chunks, from 0
 * @param words the terms of its text for keyword search, see {@link ChunkTerms#line}
 * @param language the code of its language; empty for English
 * @param content what is stored of it, with its text, as JSON
 * @param vectors its vectors by field, as {@link DocumentForm#vectors} has them
 */
public record EngineChunk(int index, String words, String language, String content, Map<String, float[]> vectors) {
    private static final String TEXT = "text";

    public EngineChunk {
        vectors = Map.copyOf(vectors);
    }

    /** A chunk of the document {@code facts} with {@code text}. */
    static EngineChunk of(StoredDocument facts, String text, Chunk chunk, int index, Map<String, float[]> vectors) {
        AnalysedChunk analysed = AnalysedChunk.of(facts, text, chunk, index);
        return new EngineChunk(
                index,
                analysed.terms().line(),
                analysed.language().map(Language::code).orElse(""),
                Json.text(DocumentSchema.toJson(chunk, index).put(TEXT, text.substring(chunk.start(), chunk.end()))),
                vectors);
    }

    /** The number of its terms. */
    int length() {
        return ChunkTerms.ofLine(words).all().size();
    }

    /** The vectors of the whole chunk by field, without those of its sentences. */
    public Map<String, float[]> wholeVectors() {
        Map<String, float[]> whole = new TreeMap<>();
        vectors.forEach((field, numbers) -> whole.put(field, VectorFields.whole(field, numbers)));
        return whole;
    }

    /** Its vectors as a text, see {@link #vectors(String)}. */
    public String encodedVectors() {
        return Base64.getEncoder().encodeToString(DocumentForm.vectorsOf(List.of(vectors)));
    }

    /** The vectors of {@link #encodedVectors}. */
    public static Map<String, float[]> vectors(String encoded) {
        return DocumentForm.vectorsOf(Base64.getDecoder().decode(encoded)).getFirst();
    }

    /** As it is indexed. */
    AnalysedChunk analysed() throws JsonProcessingException {
        JsonNode json = Json.parse(content);
        Chunk chunk = DocumentSchema.chunk(json);
        return new AnalysedChunk(
                chunk,
                index,
                json,
                chunk.columns() + json.path(TEXT).asText(),
                Language.of(language),
                ChunkTerms.ofLine(words));
    }

    /** The text of a stored chunk, if that has it; the others' is in their document. */
    static Optional<String> text(JsonNode stored) {
        return stored.has(TEXT) ? Optional.of(stored.get(TEXT).textValue()) : Optional.empty();
    }
}
