package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import switchboard.auth.AccessPolicy;
import switchboard.call.Json;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

/** The refusal of a call whose access token has too few scopes: HTTP 403 with a challenge that names those needed. */
final class InsufficientScope {
    private static final String DOCS = "docs/security.md#access-tokens";

    private InsufficientScope() {}

    static RpcException of(AccessPolicy.PolicyDecision.InsufficientScope decision) {
        String scopes = String.join(" ", decision.needed());
        ObjectNode data = Json.object().put("type", "unauthorized").put("code", "insufficient_scope");
        ObjectNode context = data.putObject("context");
        decision.needed().forEach(context.putArray("required_scopes")::add);
        context.put("fix", "Get an access token with the scopes: " + scopes).put("docs", DOCS);
        return new RpcException(
                RpcError.INSUFFICIENT_SCOPE,
                "The access token does not have the scopes that this call needs. Get one with the scopes: " + scopes
                        + ".",
                data,
                Map.of("WWW-Authenticate", decision.challenge()));
    }
}
