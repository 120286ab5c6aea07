package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import switchboard.text.SurrogatePairs;

/**
 * A chunk with the terms of its text.
 *
 * @param chunk the chunk
 * @param index its number among the document's chunks, from 0
 * @param stored what is stored of it
 * @param text its own text, below the column names
 * @param language the language that it was analysed as; empty for English
 * @param terms its terms
 */
record AnalysedChunk(
        Chunk chunk, int index, JsonNode stored, String text, Optional<Language> language, ChunkTerms terms) {
    /** UTF-16 units of a title that its chunks are found by; a title is a line, not a text. */
    private static final int MAX_TITLE = 300;

    /** Analyses a chunk of the document {@code facts} with {@code text}. */
    static AnalysedChunk of(StoredDocument facts, String text, Chunk chunk, int index) {
        String own = chunk.in(text);
        String searched = Chunk.searched(chunk.foundBy(), Chunk.searched(chunk.context(), own));
        Optional<Language> language = LanguageDetector.of(searched);
        return new AnalysedChunk(
                chunk,
                index,
                DocumentSchema.toJson(chunk, index),
                own,
                language,
                ChunkTerms.of(searched, headings(facts, chunk.headingPath()), language));
    }

    /**
     * The title and the headings below it, of which the outermost may be the title. A document without a title has the end of its
     * source instead, such as a file's name, which is not counted.
     */
    private static String headings(StoredDocument facts, String path) {
        String title = facts.title();
        boolean there = path.equals(title) || path.startsWith(title + " > ");
        return there || facts.source().endsWith(title) ? path : SurrogatePairs.start(title, MAX_TITLE) + "\n" + path;
    }
}
