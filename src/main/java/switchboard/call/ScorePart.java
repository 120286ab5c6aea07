package switchboard.call;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * A part of a score: the parts of one score add up to it.
 *
 * @param name where it comes from
 * @param value its share; negative if it lowers the score
 */
public record ScorePart(Name name, double value) {
    /** The sources of parts; on the wire in lower case. */
    public enum Name {
        /** The words of the query that the passage has. */
        KEYWORD,
        /** The cosine of the passage's vector and the query's. */
        VECTOR,
        /** Words of the query that stand next to each other in the passage, too. */
        BIGRAMS,
        /** What words of the query that are close together in the passage add, or take away if they are far apart, in prose. */
        PROXIMITY,
        /** Nearness to the best passages, in prose. */
        FEEDBACK,
        /** What the passages before and after it are worth, in source code. */
        NEIGHBOURS,
        /** The words of the query that the whole document has, in source code. */
        DOCUMENT,
        /** The rank among the passages with words of the query. */
        KEYWORD_RANK,
        /** The rank among the passages by their vectors. */
        VECTOR_RANK,
        /** The rank in its source. */
        SOURCE_RANK,
        /** The ranks of the same text in other sources. */
        OTHER_SOURCES,
        /** What the weights of sources add or take away. */
        SOURCE_WEIGHT;

        /** The name on the wire. */
        @JsonValue
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
