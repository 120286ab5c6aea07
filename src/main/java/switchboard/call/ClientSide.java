package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The MCP client at the far end of a call, as far as a backend may involve it.
 *
 * @param capabilities what it says it can do, an MCP {@code ClientCapabilities} object; must not be changed
 * @param asking how it can be asked for something
 * @param answers what it answered to a {@link Relayed.InputRequired}, or null on a first attempt
 */
public record ClientSide(
        ObjectNode capabilities, Asking asking, @Nullable ClientResponses answers) {
    /** Nobody who could be asked. */
    public static final ClientSide SILENT = new ClientSide(Json.object(), Asking.NEVER, null);

    /** How a client can be asked. */
    public enum Asking {
        /** Not at all. */
        NEVER,
        /** By a reply that says what is missing; the client calls again with it. */
        IN_REPLY,
        /** By a request while its call runs. */
        DURING_CALL
    }

    /**
     * What a client answered.
     *
     * @param responses the answers under the keys of the requests; must not be changed
     * @param state what the backend wanted to get back, or null
     */
    public record ClientResponses(
            ObjectNode responses, @Nullable String state) {}

    /** The same client with its answers. */
    public ClientSide answering(ClientResponses given) {
        return new ClientSide(capabilities, asking, given);
    }
}
