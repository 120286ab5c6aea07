package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The result of a {@link ClientQuestion}. */
public sealed interface ClientAnswer {
    /** The client's result; must not be changed. */
    record Answered(ObjectNode result) implements ClientAnswer {}

    /** The client refused or can't be asked; as a JSON-RPC error. */
    record Declined(int code, String message) implements ClientAnswer {
        /** The call has no client that can be asked. */
        public static final Declined NOBODY = new Declined(-32601, "The client of this call can't be asked.");

        /** The client did not answer while the call ran. */
        public static final Declined LATE = new Declined(-32603, "The client did not answer in time.");
    }
}
