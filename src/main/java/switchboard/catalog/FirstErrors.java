package switchboard.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/**
 * The first errors that the schema library finds in a value. It would go on to the last, and make an object of several hundred
 * bytes of each: a body of 4 MB has room for two million wrong elements of an array.
 */
final class FirstErrors extends AbstractList<Error> {
    private static final int MOST = 100;

    private final List<Error> found = new ArrayList<>();

    private FirstErrors() {}

    /** The first errors of {@code value}, in the order of the library: at most {@value #MOST}; empty if it is valid. */
    static List<Error> of(Schema schema, JsonNode value) {
        FirstErrors errors = new FirstErrors();
        try {
            schema.validate(value, context -> context.setErrors(errors));
        } catch (EnoughException _) {
            return errors.found;
        }
        return errors.found;
    }

    @Override
    public void add(int index, Error error) {
        found.add(index, error);
        if (found.size() == MOST) {
            throw new EnoughException();
        }
    }

    @Override
    public Error get(int index) {
        return found.get(index);
    }

    @Override
    public int size() {
        return found.size();
    }

    /** Ends the library's work. It has no stack trace, because this is expected. */
    private static final class EnoughException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EnoughException() {
            super(null, null, false, false);
        }
    }
}
