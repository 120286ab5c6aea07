package switchboard.upstream;

import io.vertx.core.Future;
import java.util.Map;
import switchboard.call.ToolReply;

/** What authorizes requests to a server: the gateway, or one caller. Thread-safe. */
public interface Authorization {
    /** Nothing besides the headers that the client of the server sends anyway. */
    Authorization NONE = new Authorization() {
        @Override
        public Future<Map<String, String>> headers() {
            return Future.succeededFuture(Map.of());
        }

        @Override
        public boolean refused(Map<String, String> headers) {
            return false;
        }
    };

    /** The headers to send, which replace others of the same name; fails with {@code ToolException} if there are none now. */
    Future<Map<String, String>> headers();

    /**
     * The server has refused a request with {@code headers} (401), so that they are not used again.
     *
     * @return whether there may be others, with which the request can be sent once more
     */
    boolean refused(Map<String, String> headers);

    /** The failure of a call for an answer 401 or 403. */
    default ToolReply.Failed refusal(UpstreamResponse response) {
        return response.unexplained();
    }
}
