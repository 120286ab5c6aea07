package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of text that a search found.
 *
 * @param document the id of its document in the source
 * @param title title of the document; empty if it has none
 * @param url the URL of the document's origin, or null
 * @param text the passage, or the beginning of the document for engines without passages
 * @param score the engine's score, or null if it has none
 * @param similarity similarity of its vector to the query's, or null if no vectors were compared
 * @param fields the document's other fields; must not be changed
 * @param copies ids of other documents of the source with the same text, best first
 * @param parts what {@code score} is made of; empty if nobody asked, or the engine does not say
 * @param place where it is in its document, or null if that is not known
 */
public record Passage(
        String document,
        String title,
        @Nullable String url,
        String text,
        @Nullable Double score,
        @Nullable Similarity similarity,
        ObjectNode fields,
        List<String> copies,
        List<ScorePart> parts,
        @Nullable PassagePlace place) {
    public Passage {
        copies = List.copyOf(copies);
        parts = List.copyOf(parts);
    }

    /** A passage of which the source names no copies. */
    public Passage(
            String document,
            String title,
            @Nullable String url,
            String text,
            @Nullable Double score,
            @Nullable Similarity similarity,
            ObjectNode fields) {
        this(document, title, url, text, score, similarity, fields, List.of(), List.of(), null);
    }

    /** The same at a known place of its document. */
    public Passage at(PassagePlace known) {
        return new Passage(document, title, url, text, score, similarity, fields, copies, parts, known);
    }

    /** The same with what the operator declared as its title, URL and text. */
    public Passage with(String otherTitle, @Nullable String otherUrl, String otherText) {
        return new Passage(
                document,
                otherTitle,
                otherUrl,
                otherText,
                score,
                similarity,
                fields,
                copies,
                parts,
                place == null ? null : place.of(this, otherTitle, otherText));
    }

    /**
     * The cosine of two vectors. Values of the same model are comparable, whichever engine computed them.
     *
     * @param model the embedding model
     * @param cosine -1 to 1
     */
    public record Similarity(String model, double cosine) {}
}
