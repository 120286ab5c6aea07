package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Consumer;
import switchboard.call.CallContext;
import switchboard.call.LogLevel;

/** Passes on the messages that a server sends while it answers a request. */
final class PeerEventRelay implements Consumer<ObjectNode> {
    private final CallContext context;
    private final String token;

    /** For the request {@code id}, which is also its progress token. */
    PeerEventRelay(CallContext context, long id) {
        this.context = context;
        this.token = Long.toString(id);
    }

    @Override
    public void accept(ObjectNode notification) {
        JsonNode params = notification.path("params");
        switch (notification.path("method").asText()) {
            case "notifications/progress" -> {
                if (params.path("progressToken").asText().equals(token)) {
                    context.progress(
                            params.path("progress").asDouble(),
                            params.path("total").isNumber()
                                    ? params.path("total").asDouble()
                                    : null,
                            params.path("message").isTextual()
                                    ? params.path("message").asText()
                                    : null);
                }
            }
            case "notifications/message" -> {
                Optional<LogLevel> level = LogLevel.of(params.path("level").asText());
                level.ifPresent(
                        known -> context.log(known, params.path("logger").asText(), params.path("data")));
            }
            default -> {}
        }
    }
}
