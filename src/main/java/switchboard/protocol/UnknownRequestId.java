package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The id in an error if the message's id is not known. JSON-RPC 2.0 requires {@code null}; from 2025-11-25 on the
 * schemas of MCP allow no {@code null}, and the id is left out.
 */
public final class UnknownRequestId {
    private UnknownRequestId() {}

    /** In a revision: {@code null}, or a missing node, which is left out. */
    public static JsonNode in(ProtocolVersion version) {
        return version.atLeast(ProtocolVersion.V2025_11_25) ? leftOut() : NullNode.getInstance();
    }

    /** For a client that names a revision so in its header, known or not; null for one that does not. */
    public static JsonNode named(@Nullable String header) {
        boolean later = header != null && header.strip().compareTo(ProtocolVersion.V2025_11_25.text()) >= 0;
        return later ? leftOut() : in(ProtocolVersion.ASSUMED);
    }

    /**
     * The value for a message with these headers.
     *
     * @param agreed the version of its session, if it has one
     */
    public static JsonNode of(InboundMessage inboundMessage, Optional<ProtocolVersion> agreed) {
        String header = inboundMessage.header("MCP-Protocol-Version");
        boolean modern = header != null && ProtocolVersion.namesModern(header);
        return agreed.filter(_ -> !modern).map(UnknownRequestId::in).orElseGet(() -> named(header));
    }

    /**
     * The id for the answer to a message or batch: its own, or {@code unknown}, unless the message declares its
     * version.
     */
    public static JsonNode answering(IncomingMessages incoming, JsonNode unknown) {
        return switch (incoming) {
            case IncomingMessages.Single single -> answering(single.message(), unknown);
            case IncomingMessages.Batch batch ->
                batch.claimed().map(UnknownRequestId::in).orElse(unknown);
        };
    }

    /** The same for a message. */
    public static JsonNode answering(RpcMessage message, JsonNode unknown) {
        return switch (message) {
            case RpcMessage.Request request -> request.id();
            case RpcMessage.Malformed malformed ->
                Objects.requireNonNullElseGet(
                        malformed.id(),
                        () -> malformed.claimed().map(UnknownRequestId::in).orElse(unknown));
            // They have none, and the transports of all revisions want "a JSON-RPC error response that has no id".
            case RpcMessage.Notification _, RpcMessage.Response _ -> leftOut();
        };
    }

    /** The protocol version that a message or batch declares. */
    static Optional<ProtocolVersion> claimed(JsonNode body) {
        if (body instanceof ArrayNode batch) {
            for (JsonNode element : batch) {
                if (MetaKeys.claims(element.path("params"))) {
                    return Optional.of(ProtocolVersion.V2026_07_28);
                }
            }
            return batch.path(0).isObject() ? claimed(batch.path(0)) : Optional.empty();
        }
        JsonNode params = body.path("params");
        if (MetaKeys.claims(params)) {
            return Optional.of(ProtocolVersion.V2026_07_28);
        }
        return body.path("method").asText().equals("initialize")
                ? Optional.of(ProtocolVersion.negotiated(params))
                : Optional.empty();
    }

    private static JsonNode leftOut() {
        return MissingNode.getInstance();
    }
}
