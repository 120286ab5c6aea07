package switchboard.cluster;

/**
 * A message for a node.
 *
 * @param kind what it is about
 * @param session the key of the session that it belongs to; of calls, the id of the sender
 * @param body JSON
 */
public record NodeMessage(Kind kind, String session, String body) {
    /** The kinds of messages. */
    public enum Kind {
        /** The client's response to a request of the gateway. */
        RESPONSE,
        /** The client takes back the request of this id. */
        CANCEL,
        /** A message or batch for the connection of an HTTP+SSE session. */
        POST,
        /** A message for the client, on the session's stream. */
        DELIVER,
        /** A client has resumed a stream of this node on the sender, which asks for its next messages. */
        RESUME,
        /** These messages. */
        RESUMED,
        /** Somebody watches calls at the sender, which asks for those of the others. */
        WATCH,
        /** Finished calls of the sender. */
        CALLS
    }

    /** Does not contain the body. */
    @Override
    public String toString() {
        return "NodeMessage[" + kind + "]";
    }
}
