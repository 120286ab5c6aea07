package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What came of a {@link ClientQuestion}. */
public sealed interface ClientAnswer {
    /** The client's result; must not be changed. */
    record Result(ObjectNode result) implements ClientAnswer {}

    /** The client refused, or there is none that could be asked; as a JSON-RPC error. */
    record Refused(int code, String message) implements ClientAnswer {
        /** There is no client that could be asked. */
        public static final Refused NOBODY = new Refused(-32601, "The client of this call can't be asked.");

        /** The client did not answer while the call ran. */
        public static final Refused LATE = new Refused(-32603, "The client did not answer in time.");
    }
}
