package switchboard.protocol.method;

import java.util.List;
import switchboard.auth.AccessPolicy;
import switchboard.call.Arguments;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.dispatch.Requester;
import switchboard.protocol.RpcException;
import switchboard.telemetry.FinishedRequest.AccessDecision;

/** Decides whether the caller may use the tool on the resources that the arguments name. */
final class DecideAccess {
    private final AccessPolicy policy;

    DecideAccess(AccessPolicy policy) {
        this.policy = policy;
    }

    /**
     * The caller as the backend knows it.
     *
     * @param arguments with defaults, which count as named
     * @throws ToolException if the caller may not
     * @throws RpcException if the access token has too few scopes
     */
    Caller decide(RequestedTool tool, Arguments arguments) {
        List<String> resources = tool.descriptor().resources(arguments);
        tool.operation().resources(resources);
        AccessPolicy.PolicyDecision decision =
                new Requester(tool.call().principal(), tool.call().view()).decide(policy, tool.published(), resources);
        if (decision instanceof AccessPolicy.PolicyDecision.Allowed allowed) {
            tool.operation().claims(allowed.caller().bindingClaims());
            return allowed.caller();
        }
        tool.operation().decided(AccessDecision.DENIED);
        throw switch (decision) {
            case AccessPolicy.PolicyDecision.InsufficientScope insufficient -> InsufficientScope.of(insufficient);
            case AccessPolicy.PolicyDecision.Denied denied ->
                new ToolException(
                        FailureKind.DENIED,
                        "You may use " + tool.name() + ", but not on \"" + denied.resource()
                                + "\". Name something that your team was granted and that this view shows.");
            case AccessPolicy.PolicyDecision.Invisible _, AccessPolicy.PolicyDecision.Allowed _ ->
                new ToolException(FailureKind.DENIED, "You may not use " + tool.name() + " any more.");
        };
    }
}
