package switchboard.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.McpEndpoint;
import switchboard.protocol.MetaKeys;
import switchboard.protocol.ProtocolVersion;

/**
 * Calls tools for a person as the requests of its own pages do: with the same decisions, limits and audit. Used on one event
 * loop only.
 */
final class PersonCalls {
    private static final String METHOD = "tools/call";
    private static final String VERSION = ProtocolVersion.V2026_07_28.text();

    private final Vertx vertx;
    private final McpEndpoint endpoint;
    private long lastId;

    PersonCalls(Vertx vertx, McpEndpoint endpoint) {
        this.vertx = vertx;
        this.endpoint = endpoint;
    }

    /**
     * Who calls.
     *
     * @param view one that it may use
     * @param address its network address
     */
    record CallingPerson(Principal principal, String view, String address) {}

    /** Calls {@code tool}, which has a plain name. */
    CollectedReply call(CallingPerson person, String tool, ObjectNode arguments) {
        ObjectNode message =
                Json.object().put("jsonrpc", "2.0").put("id", ++lastId).put("method", METHOD);
        ObjectNode params = message.putObject("params").put("name", tool);
        params.set("arguments", arguments);
        ObjectNode meta = params.putObject("_meta")
                .put(MetaKeys.PROTOCOL_VERSION, VERSION)
                .put(MetaKeys.UNLOGGED, true);
        meta.putObject(MetaKeys.CLIENT_CAPABILITIES);
        CollectedReply reply = new CollectedReply(vertx);
        endpoint.post(
                new InboundMessage(
                        person.view(),
                        "http",
                        person.principal(),
                        person.address(),
                        name -> header(name, tool),
                        Json.bytes(message)),
                reply);
        return reply;
    }

    private static @Nullable String header(String name, String tool) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "mcp-protocol-version" -> VERSION;
            case "mcp-method" -> METHOD;
            case "mcp-name" -> tool;
            case "accept" -> "application/json, text/event-stream";
            case "content-type" -> "application/json";
            default -> null;
        };
    }
}
