package switchboard.console;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What came of a change that somebody wanted to make in the console. */
public sealed interface ChangeOutcome {
    /** It is made. */
    record Changed(ObjectNode body) implements ChangeOutcome {
        /** Does not contain the body: a new key is in it. */
        @Override
        public String toString() {
            return "Changed";
        }
    }

    /** It is not made. */
    record Unchanged(Problem reason, String message) implements ChangeOutcome {}

    /** Why nothing is changed; requests are answered with 400, 404, 409 and 503 for them. */
    enum Problem {
        /** A field of the request is wrong; the message begins with its name. */
        INVALID,
        /** There is no such thing. */
        UNKNOWN,
        /** What is to be changed is not as it was, or can't be changed. */
        CONFLICT,
        /** It can't be done at the moment. */
        UNAVAILABLE
    }
}
