package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;

/** The results of requests whose backend needs input of a client that is not asked during the call. */
final class InputRequiredResults {
    private InputRequiredResults() {}

    /** The result with the questions for a client. */
    static RpcResult questions(RelayedReply.InputRequired need) {
        ObjectNode fields = Json.object().put("resultType", "input_required");
        if (!need.requests().isEmpty()) {
            fields.set("inputRequests", need.requests());
        }
        if (need.state() != null) {
            fields.put("requestState", need.state());
        }
        return new RpcResult.Tree(fields);
    }

    /** The error for a client that can do too little. */
    static RpcException capabilitiesMissing(RelayedReply.CapabilitiesMissing missing) {
        ObjectNode data = Json.object();
        data.set("requiredCapabilities", missing.required());
        return new RpcException(
                RpcError.MISSING_CAPABILITY,
                "This needs a client that declares more capabilities; see data.requiredCapabilities.",
                data);
    }
}
