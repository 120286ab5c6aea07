package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** JSON-RPC 2.0 on the wire: trees to messages, answers to bytes, each encoded once. */
public final class RpcCodec {
    private static final byte[] RESULT_HEAD = ascii("{\"jsonrpc\":\"2.0\",\"id\":");
    private static final byte[] RESULT_KEY = ascii(",\"result\":");
    private static final byte[] END = ascii("}");
    private static final int EMPTY_OBJECT = 2;

    private RpcCodec() {}

    /** The message or batch that {@code node} is. */
    public static IncomingMessages decode(JsonNode node) {
        if (!(node instanceof ArrayNode batch)) {
            return new IncomingMessages.Single(message(node));
        }
        if (batch.isEmpty()) {
            return new IncomingMessages.Single(malformed(null, "the batch is empty", node));
        }
        List<RpcMessage> elements = new ArrayList<>(batch.size());
        batch.forEach(element -> elements.add(message(element)));
        return new IncomingMessages.Batch(elements, UnknownRequestId.claimed(batch));
    }

    private static RpcMessage message(JsonNode node) {
        if (!(node instanceof ObjectNode message)) {
            return malformed(null, "a message must be a JSON object", node);
        }
        JsonNode id = message.get("id");
        if (id != null && !(id.isTextual() || id.isIntegralNumber())) {
            return malformed(null, "\"id\" must be a string or an integer", node);
        }
        if (!message.path("jsonrpc").asText().equals("2.0")) {
            return malformed(id, "\"jsonrpc\" must be \"2.0\"", node);
        }
        JsonNode method = message.get("method");
        if (method == null) {
            return id != null && (message.has("result") || message.has("error"))
                    ? new RpcMessage.Response(id, message)
                    : malformed(id, "\"method\" is missing", node);
        }
        JsonNode params = message.path("params");
        if (!method.isTextual()) {
            return malformed(id, "\"method\" must be a string", node);
        }
        if (!(params.isObject() || params.isMissingNode() || params.isNull())) {
            return malformed(id, "\"params\" must be an object", node);
        }
        ObjectNode object = params instanceof ObjectNode given ? given : Json.object();
        return id == null
                ? new RpcMessage.Notification(method.asText(), object)
                : new RpcMessage.Request(id, method.asText(), object);
    }

    private static RpcMessage malformed(@Nullable JsonNode id, String problem, JsonNode node) {
        return new RpcMessage.Malformed(id, problem, UnknownRequestId.claimed(node));
    }

    /** The answer to the request {@code id}; {@code stamp} adds the fields that the era requires. */
    public static EncodedJson result(JsonNode id, RpcResult result, UnaryOperator<ObjectNode> stamp) {
        return switch (result) {
            case RpcResult.Tree tree -> EncodedJson.of(whole(id, stamp.apply(tree.fields())));
            case RpcResult.Encoded encoded ->
                EncodedJson.of(
                        beforeValue(id, encoded.name()), encoded.value(), afterValue(stamp.apply(encoded.fields())));
            case RpcResult.Shared shared ->
                EncodedJson.around(
                        beforeValue(id, shared.name()), shared.value(), afterValue(stamp.apply(shared.fields())));
            case RpcResult.SizeLimited bounded -> EncodedJson.of(bounded(id, bounded, stamp));
        };
    }

    private static byte[] beforeValue(JsonNode id, String name) {
        return joined(RESULT_HEAD, Json.bytes(id), RESULT_KEY, ascii("{\"" + name + "\":"));
    }

    private static byte[] afterValue(ObjectNode fields) {
        byte[] rest = Json.bytes(fields);
        rest[0] = (byte) ','; // instead of what opened the object
        return joined(rest.length == EMPTY_OBJECT ? END : rest, END);
    }

    /** An error. A missing node for an id is left out; see {@link UnknownRequestId}. */
    public static EncodedJson error(JsonNode id, int code, String message, @Nullable ObjectNode data) {
        ObjectNode answer = Json.object().put("jsonrpc", "2.0");
        if (!id.isMissingNode()) {
            answer.set("id", id);
        }
        ObjectNode error = answer.putObject("error").put("code", code).put("message", message);
        if (data != null) {
            error.set("data", data);
        }
        return EncodedJson.of(Json.bytes(answer));
    }

    /** The answer to an invalid message; {@code unknown} is used if its id could not be read. */
    public static EncodedJson malformed(RpcMessage.Malformed malformed, JsonNode unknown) {
        return error(
                UnknownRequestId.answering(malformed, unknown),
                RpcError.INVALID_REQUEST.code(),
                "Not a JSON-RPC message: " + malformed.problem() + ".",
                null);
    }

    /** A request of the server's, under an id of its own. */
    public static byte[] request(String id, String method, ObjectNode params) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", method);
        message.set("params", params);
        return Json.bytes(message);
    }

    /** A notification. */
    public static byte[] notification(String method, ObjectNode params) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("method", method);
        message.set("params", params);
        return Json.bytes(message);
    }

    /** The answers of a batch as one array. */
    public static byte[] array(List<byte[]> answers) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        writeArray(answers, out);
        return out.toByteArray();
    }

    private static byte[] bounded(JsonNode id, RpcResult.SizeLimited bounded, UnaryOperator<ObjectNode> stamp) {
        ObjectNode result = stamp.apply(bounded.fields());
        byte[] answer = whole(id, result);
        if (answer.length <= bounded.maxBytes()) {
            return answer; // and so is the result in it
        }
        int bytes = Json.bytes(result).length;
        if (bytes > bounded.maxBytes()) {
            bytes -= bounded.twice().applyAsInt(bounded.fields());
        }
        return bytes <= bounded.maxBytes()
                ? answer
                : whole(id, stamp.apply(bounded.instead().apply(bytes)));
    }

    private static byte[] whole(JsonNode id, ObjectNode result) {
        ObjectNode answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", id);
        answer.set("result", result);
        return Json.bytes(answer);
    }

    private static byte[] joined(byte[]... parts) {
        return EncodedJson.of(parts).bytes();
    }

    private static void writeArray(List<byte[]> elements, ByteArrayOutputStream out) {
        out.write('[');
        for (Iterator<byte[]> rest = elements.iterator(); rest.hasNext(); ) {
            out.writeBytes(rest.next());
            if (rest.hasNext()) {
                out.write(',');
            }
        }
        out.write(']');
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
