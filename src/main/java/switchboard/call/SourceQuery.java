package switchboard.call;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import switchboard.text.SurrogatePairs;

/**
 * A search in a source, in terms that every engine supports.
 *
 * @param text a question in plain text, without any syntax
 * @param conditions all of them hold for every hit
 * @param limit maximum number of passages, 1 to {@value #MAX_LIMIT}
 * @param perDocument maximum number of passages of one document, 0 for no limit; an engine whose documents have one passage
 *     each ignores it
 * @param mode what to search by; an engine that can't choose searches as usual
 * @param explain whether to say what scores are made of; an engine that can't say ignores it
 */
public record SourceQuery(
        String text, List<Condition> conditions, int limit, int perDocument, SearchMode mode, boolean explain) {
    /** Maximum length of {@link #brief}. */
    public static final int MAX_BRIEF = 4_000;

    /** Maximum number of passages of one source. */
    public static final int MAX_LIMIT = 100;

    public SourceQuery {
        conditions = List.copyOf(conditions);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit is between 1 and " + MAX_LIMIT + ": " + limit);
        }
        if (perDocument < 0) {
            throw new IllegalArgumentException("perDocument must not be negative: " + perDocument);
        }
    }

    /** A search without a limit on passages of one document. */
    public SourceQuery(String text, List<Condition> conditions, int limit) {
        this(text, conditions, limit, 0, SearchMode.HYBRID, false);
    }

    /** What passages are compared with a query by. */
    public enum SearchMode {
        /** Words and vectors, as the source is set up. */
        @JsonProperty("hybrid")
        HYBRID,
        /** Words only. */
        @JsonProperty("keyword")
        KEYWORD,
        /** Vectors only, where there are some. */
        @JsonProperty("vector")
        VECTOR
    }

    /** The text for engines that take no very long ones: its beginning, {@value #MAX_BRIEF} UTF-16 units at most. */
    public String brief() {
        return beginning(text, MAX_BRIEF);
    }

    /** The beginning of {@code text}, at most {@code most} UTF-16 units, up to the end of a word if there is one. */
    public static String beginning(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = most;
        while (end > most / 2 && !Character.isWhitespace(text.charAt(end))) {
            end--;
        }
        if (end == most / 2) {
            end = SurrogatePairs.before(text, most);
        }
        return text.substring(0, end).stripTrailing();
    }

    /** A comparison operator. */
    public enum Operator {
        EQUAL("eq"),
        AT_LEAST("gte"),
        MORE_THAN("gt"),
        AT_MOST("lte"),
        LESS_THAN("lt");

        private final String word;

        Operator(String word) {
            this.word = word;
        }

        /** Its name in arguments of tools, and in queries of some engines. */
        public String word() {
            return word;
        }
    }

    /**
     * A comparison of a field with a value.
     *
     * @param field the field's name in the engine
     * @param comparison the operator
     * @param value a string (times in ISO 8601), a number or a boolean; only strings and numbers are ordered
     */
    public record Condition(String field, Operator comparison, JsonNode value) {}
}
