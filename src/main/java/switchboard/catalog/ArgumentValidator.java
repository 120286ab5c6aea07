package switchboard.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import switchboard.call.Arguments;

/** Checks a call's arguments against the tool's schema and fills in the schema's defaults. Thread-safe. */
public interface ArgumentValidator {
    /** The result of a validation. */
    sealed interface Validation {
        /** The arguments are right; defaults are filled in. */
        record Valid(Arguments arguments) implements Validation {}

        /** They are not: a sentence for each problem, naming the argument, the rule and what came. */
        record Invalid(List<String> problems) implements Validation {
            public Invalid {
                problems = List.copyOf(problems);
            }
        }
    }

    /** Checks {@code arguments}, which is not changed. */
    Validation check(ObjectNode arguments);
}
