package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.ContentBlock;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.call.ToolReply;
import switchboard.catalog.ToolDescriptor.ErrorStyle;
import switchboard.protocol.MetaKeys;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.TaskExtension;

/** Writes a tool's reply as MCP's {@code CallToolResult}. */
final class ToolResults {
    private final ContentBlocks blocks = new ContentBlocks();

    /** Success: the blocks, and the structured object if the protocol version supports it. */
    ObjectNode ok(ToolReply.Ok reply, ProtocolVersion version) {
        ObjectNode result = Json.object();
        ArrayNode content = result.putArray("content");
        for (ContentBlock block : reply.content()) {
            content.add(blocks.write(block, version));
        }
        if (reply.structured() != null && version.atLeast(ProtocolVersion.V2025_06_18)) {
            result.set("structuredContent", reply.structured());
        }
        return result;
    }

    /** The size of the smaller of both forms of an answer, which have the same content, so that it counts once. */
    static int twice(ObjectNode result) {
        return Math.min(size(result.path("content")), size(result.path("structuredContent")));
    }

    private static int size(JsonNode form) {
        return form.isMissingNode() ? 0 : Json.bytes(form).length;
    }

    /** The answer of another server, without members that the protocol version does not define. */
    ObjectNode relayed(RelayedReply.RelayedResult reply, ProtocolVersion version) {
        ObjectNode result = reply.result().deepCopy();
        result.remove("resultType");
        ArrayNode content = result.putArray("content");
        for (JsonNode block : reply.result().path("content")) {
            content.add(block instanceof ObjectNode object ? blocks.write(object, version) : block);
        }
        JsonNode structured = result.path("structuredContent");
        if (!(version.modern() || (structured.isObject() && version.atLeast(ProtocolVersion.V2025_06_18)))) {
            result.remove("structuredContent");
        }
        return result;
    }

    /** The result of a task; instead of one that has more than {@code most} bytes, the failure that says so. */
    ObjectNode bounded(ObjectNode result, int most, ErrorStyle style) {
        int bytes = size(result);
        return bytes <= most
                ? result
                : failed(
                        new ToolReply.Failed(
                                        FailureKind.INVALID_ARGUMENT,
                                        "The work was done, but its result has " + bytes
                                                + " bytes; a task's result may have "
                                                + most + ". Ask for less, or call without declaring " + TaskExtension.ID
                                                + ".")
                                .withDetails(Json.object().put("bytes", bytes).put("maxBytes", most)),
                        style);
    }

    /** Failure: what to tell the model first, the same for programs second. */
    ObjectNode failed(ToolReply.Failed reply, ErrorStyle style) {
        ObjectNode error = Json.object();
        error.put("kind", reply.kind().name()).put("message", reply.message());
        if (reply.code() != null) {
            error.put("code", reply.code());
        }
        if (reply.retryAfterMs() != null) {
            error.put("retryAfterMs", reply.retryAfterMs());
        }
        if (reply.details() != null) {
            reply.details().properties().forEach(fact -> error.putIfAbsent(fact.getKey(), fact.getValue()));
        }
        ObjectNode result = Json.object();
        ArrayNode content = result.putArray("content");
        content.addObject().put("type", "text").put("text", headline(reply, style));
        ObjectNode machine = Json.object();
        machine.set("error", error);
        content.addObject().put("type", "text").put("text", Json.text(machine));
        result.put("isError", true);
        result.putObject("_meta").set(MetaKeys.ERROR, error);
        return result;
    }

    private static String headline(ToolReply.Failed reply, ErrorStyle style) {
        return switch (style) {
            case SENTENCE -> reply.message();
            case STATUS -> Json.text(Json.object().put("status", "error").put("error", reply.message()));
        };
    }
}
