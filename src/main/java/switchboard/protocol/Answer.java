package switchboard.protocol;

import java.util.Map;

/**
 * What a request came to.
 *
 * @param status the HTTP status, where the transport has one
 * @param json the JSON-RPC response
 */
public record Answer(int status, byte[] json) {
    /** Sends it, as a stream of one event where the caller reads nothing else. */
    public void deliver(ReplySink sink, Accept accept, Map<String, String> headers) {
        if (sink.closed()) {
            return;
        }
        if (status == 200 && !accept.json() && accept.stream()) {
            sink.open(headers);
        }
        sink.end(status, headers, json);
    }
}
