package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The answer to a request.
 *
 * @param status the HTTP status, for HTTP
 * @param json the JSON-RPC response
 * @param headers additional headers, for HTTP
 */
public record RpcAnswer(int status, EncodedJson json, Map<String, String> headers) {
    /** Without further headers. */
    public RpcAnswer(int status, EncodedJson json) {
        this(status, json, Map.of());
    }

    /** The answer if no other one could be made. */
    public static RpcAnswer defect(JsonNode id) {
        return new RpcAnswer(
                RpcError.INTERNAL.status(),
                RpcCodec.error(id, RpcError.INTERNAL.code(), "Internal error; the log has details.", null));
    }

    /** Sends it with {@code more} headers; as a stream with one event if the caller accepts nothing else. */
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
