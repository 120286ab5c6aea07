package switchboard.backend.agentroot.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The metadata of a document that rules extract from its text and path. Words are in lower case, so that filters match in any
 * case.
 *
 * @param title what it is called
 * @param summary its first sentence, or what its front matter says; may be empty
 * @param category what kind of text it is
 * @param difficulty {@code beginner}, {@code intermediate}, {@code advanced}, or what its front matter says
 * @param tags of the front matter
 * @param terms its keywords and concepts
 * @param labels of the front matter
 * @param language the language it is written in by its extension; empty for prose
 */
public record ExtractedMetadata(
        String title,
        String summary,
        String category,
        String difficulty,
        List<String> tags,
        Terms terms,
        Map<String, String> labels,
        String language) {
    /**
     * Words for the subject of a document.
     *
     * @param keywords of the front matter, or its commonest words
     * @param concepts of the front matter with its tags, or the first of its keywords
     * @param given the keywords and concepts that somebody gave it; none that were found in its text
     */
    public record Terms(List<String> keywords, List<String> concepts, List<String> given) {
        public Terms {
            keywords = List.copyOf(keywords);
            concepts = List.copyOf(concepts);
            given = List.copyOf(given);
        }
    }

    public ExtractedMetadata {
        tags = List.copyOf(tags);
        labels = new LinkedHashMap<>(labels);
    }

    /** The same under another title. */
    public ExtractedMetadata withTitle(String other) {
        return new ExtractedMetadata(other, summary, category, difficulty, tags, terms, labels, language);
    }
}
