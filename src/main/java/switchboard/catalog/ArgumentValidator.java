package switchboard.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import switchboard.call.Arguments;

/** Validates a call's arguments with the tool's schema and adds the schema's defaults. Thread-safe. */
public interface ArgumentValidator {
    /** The result of a validation. */
    sealed interface Validation {
        /** The arguments are valid; defaults are added. */
        record Valid(Arguments arguments) implements Validation {}

        /** They are not valid: one sentence for each problem, with the argument, the rule and the value. */
        record Invalid(List<String> problems) implements Validation {
            public Invalid {
                problems = List.copyOf(problems);
            }
        }
    }

    /** Checks {@code arguments}, which is not changed. */
    Validation check(ObjectNode arguments);
}
