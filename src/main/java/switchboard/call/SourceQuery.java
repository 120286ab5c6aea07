package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What is looked for in a source, in terms that every engine has.
 *
 * @param text what a person would ask; nothing in it is syntax
 * @param conditions all of them hold for every hit
 * @param limit how many passages at most, 1 to {@value #MAX_LIMIT}
 */
public record SourceQuery(String text, List<Condition> conditions, int limit) {
    /** Most passages of one source. */
    public static final int MAX_LIMIT = 100;

    public SourceQuery {
        conditions = List.copyOf(conditions);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit is between 1 and " + MAX_LIMIT + ": " + limit);
        }
    }

    /** How a field is compared. */
    public enum Operator {
        EQUAL,
        AT_LEAST,
        MORE_THAN,
        AT_MOST,
        LESS_THAN
    }

    /**
     * A comparison of one field with one value.
     *
     * @param field the field's name in the engine
     * @param comparison how
     * @param value a string (times in ISO 8601), a number or a boolean; only strings and numbers are ordered
     */
    public record Condition(String field, Operator comparison, JsonNode value) {}
}
