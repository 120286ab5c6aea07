package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.TreeSet;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;

/**
 * What is known of a document's chunks where these are in an engine.
 *
 * @param chunks how many they are
 * @param words the number of their terms together
 * @param languages the codes of their languages besides English
 */
record EngineFacts(int chunks, long words, List<String> languages) {
    /** A field of documents whose chunks are elsewhere: how many they are. */
    static final String CHUNKS = "engine_chunks";

    /** The same: the number of their terms together. */
    static final String WORDS = "engine_words";

    private static final String ENGINE = "engine";

    EngineFacts {
        languages = List.copyOf(languages);
    }

    /** What is known of {@code chunks}. */
    static EngineFacts of(List<EngineChunk> chunks) {
        TreeSet<String> languages = new TreeSet<>();
        chunks.stream()
                .map(EngineChunk::language)
                .filter(language -> !language.isEmpty())
                .forEach(languages::add);
        return new EngineFacts(
                chunks.size(), chunks.stream().mapToLong(EngineChunk::length).sum(), List.copyOf(languages));
    }

    /** Adds them to a document's facts. */
    void write(ObjectNode facts) {
        ObjectNode json = facts.putObject(ENGINE).put("chunks", chunks).put("words", words);
        languages.forEach(json.putArray("languages")::add);
    }

    /** Whether a document's facts have them. */
    static boolean in(JsonNode facts) {
        return facts.has(ENGINE);
    }

    /** Adds those of {@code before}, if it has them. */
    static void keep(JsonNode before, ObjectNode facts) {
        if (before.has(ENGINE)) {
            facts.set(ENGINE, before.get(ENGINE));
        }
    }

    /** The Lucene document of a document whose chunks are elsewhere. */
    static Document bare(StoredDocument document, JsonNode facts) {
        Document bare = DocumentSchema.document(document, 0);
        bare.add(new StringField(DocumentSchema.ANALYSIS, DocumentSchema.ELSEWHERE, Field.Store.NO));
        JsonNode engine = facts.path(ENGINE);
        bare.add(new NumericDocValuesField(CHUNKS, engine.path("chunks").intValue()));
        bare.add(new NumericDocValuesField(WORDS, engine.path("words").longValue()));
        engine.path("languages")
                .forEach(code -> bare.add(new StringField(DocumentSchema.LANGUAGE, code.asText(), Field.Store.NO)));
        return bare;
    }
}
