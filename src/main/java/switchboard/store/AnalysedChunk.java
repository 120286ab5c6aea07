package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * A chunk with the terms of its text.
 *
 * @param chunk the chunk
 * @param index its number among the document's chunks, from 0
 * @param stored what is stored of it
 * @param text its own text, below the column names
 * @param language the language that it was analysed as; empty for English
 * @param words its terms, in order
 */
record AnalysedChunk(
        Chunk chunk, int index, JsonNode stored, String text, Optional<Language> language, List<String> words) {
    /** Analyses a chunk of a document with {@code text}. */
    static AnalysedChunk of(String text, Chunk chunk, int index) {
        String own = chunk.in(text);
        String searched = Chunk.searched(chunk.foundBy(), Chunk.searched(chunk.context(), own));
        Optional<Language> language = LanguageDetector.of(searched);
        return new AnalysedChunk(
                chunk, index, DocumentSchema.toJson(chunk, index), own, language, ChunkTerms.of(searched, language));
    }
}
