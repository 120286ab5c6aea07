package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a request came to.
 *
 * @param status the HTTP status, where the transport has one
 * @param json the JSON-RPC response
 * @param headers further headers, where the transport has them
 */
public record RpcAnswer(int status, JsonChunks json, Map<String, String> headers) {
    /** Without further headers. */
    public RpcAnswer(int status, JsonChunks json) {
        this(status, json, Map.of());
    }

    /** What is said when no other answer could be made. */
    public static RpcAnswer defect(JsonNode id) {
        return new RpcAnswer(
                RpcError.INTERNAL.status(),
                RpcCodec.error(id, RpcError.INTERNAL.code(), "Internal error; the log has details.", null));
    }

    /** Sends it with {@code more} headers, as a stream of one event where the caller reads nothing else. */
    public void deliver(ReplySink sink, AcceptedTypes acceptedTypes, Map<String, String> more) {
        if (sink.closed()) {
            return;
        }
        Map<String, String> all = new LinkedHashMap<>(more);
        all.putAll(headers);
        if (status == 200 && !acceptedTypes.json() && acceptedTypes.stream()) {
            sink.open(all);
        }
        sink.end(status, all, json);
    }
}
