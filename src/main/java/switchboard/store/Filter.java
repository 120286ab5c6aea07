package switchboard.store;

import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.text.SurrogatePairs;

/**
 * Selects chunks or documents. A filter applies before anything is ranked or counted.
 *
 * <p>Fields: {@code doc_id source title file_type last_modified content_hash created_at model} of the document, {@code
 * page chunk_index} and {@code label.<key>} of the chunk, {@code metadata.<key>} of the document's metadata. A nested
 * object is {@code metadata.a.b}; each element of an array is a value. {@code created_at} is a number: milliseconds
 * since 1970. Listing documents with a filter on a chunk's field finds nothing.
 */
public sealed interface Filter {
    /** Matches everything. */
    record All() implements Filter {}

    /** The field has this value, with the same type. */
    record Equal(String field, Value value) implements Filter {}

    /**
     * The field has a value of the same type within the bounds, both inclusive. A null bound is open; one of them must
     * be given.
     */
    record Between(
            String field, @Nullable Value min, @Nullable Value max) implements Filter {
        public Between {
            if (min == null && max == null) {
                throw new IllegalArgumentException("A range needs a bound.");
            }
        }
    }

    /** The field has a text that contains this one (case-sensitive). */
    record Contains(String field, String part) implements Filter {}

    /** The field has any value. */
    record Exists(String field) implements Filter {}

    /** All of these match. An empty list matches everything. */
    record And(List<Filter> filters) implements Filter {
        public And {
            filters = List.copyOf(filters);
        }
    }

    /** At least one of these matches. An empty list matches nothing. */
    record Or(List<Filter> filters) implements Filter {
        public Or {
            filters = List.copyOf(filters);
        }
    }

    /** The filter does not match. */
    record Not(Filter filter) implements Filter {}

    /** A value with its type; values of different types are never equal. */
    sealed interface Value {
        /** A text. */
        record TextValue(String text) implements Value {
            public TextValue {
                text = SurrogatePairs.replaceLone(text); // as in what is stored
            }
        }

        /** A number; whole numbers are exact up to 2^53. */
        record NumberValue(double number) implements Value {}

        /** True or false. */
        record BooleanValue(boolean bool) implements Value {}
    }

    /** The field has this text. */
    static Filter equal(String field, String text) {
        return new Equal(field, new Value.TextValue(text));
    }
}
