package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;

/** The reserved keys of {@code _meta}, and ours. */
public final class MetaKeys {
    /** The revision a modern request speaks; its presence makes the request modern. */
    public static final String PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";

    /** The capabilities of the request's client. */
    public static final String CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

    /** The lowest level of wanted log messages. */
    public static final String LOG_LEVEL = "io.modelcontextprotocol/logLevel";

    /** The name and version of the server that answers. */
    public static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";

    /** The listen request that a notification belongs to. */
    public static final String SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

    /** A failed tool's error, for programs. */
    public static final String ERROR = "switchboard/error";

    /** Backends that are missing in a list, with reasons. */
    public static final String UNAVAILABLE = "switchboard/unavailable";

    /** {@code true} in a request: the question is not the caller's own, such as one of an evaluation, so it is not logged. */
    public static final String UNLOGGED = "switchboard/unlogged";

    private MetaKeys() {}

    /** Whether a message with these {@code params} declares itself modern. */
    static boolean claims(JsonNode params) {
        return params.path("_meta").has(PROTOCOL_VERSION);
    }
}
