package switchboard.dispatch;

import java.util.List;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.View;

/**
 * The requester of a call and its view. It stays with the dispatcher and is in no message on the bus.
 *
 * @param principal decides what may be seen at each backend
 * @param view the called view; what it excludes does not exist for the call
 */
public record Requester(Principal principal, View view) {
    /**
     * Decides whether it may use a tool of the view.
     *
     * @param resources the resources that the arguments name; none for a list of tools
     */
    public AccessPolicy.PolicyDecision decide(AccessPolicy policy, PublishedTool tool, List<String> resources) {
        return policy.decide(
                principal,
                view.resources().of(tool.backend()),
                tool.backend(),
                tool.descriptor().verbs(),
                resources);
    }

    /** Whether the tool exists for it: it may use it on some resource, perhaps with another access token. */
    public boolean sees(AccessPolicy policy, PublishedTool tool) {
        return !(decide(policy, tool, List.of()) instanceof AccessPolicy.PolicyDecision.Invisible);
    }
}
