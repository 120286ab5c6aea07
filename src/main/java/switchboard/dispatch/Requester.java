package switchboard.dispatch;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.call.AnswerNotes;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.View;

/**
 * The requester of a call and its view. It stays with the dispatcher and is in no message on the bus.
 *
 * @param principal decides what may be seen at each backend
 * @param view the called view; what it excludes does not exist for the call
 * @param notes takes what the search log should know of the answer
 */
public record Requester(Principal principal, View view, AnswerNotes notes) {
    /** A requester whose answer is not logged. */
    public Requester(Principal principal, View view) {
        this(principal, view, AnswerNotes.NONE);
    }

    /**
     * Decides whether it may use a tool of the view.
     *
     * @param resources the resources that the arguments name; none for a list of tools
     */
    public AccessPolicy.PolicyDecision decide(AccessPolicy policy, PublishedTool tool, List<String> resources) {
        AccessPolicy.PolicyDecision own = at(tool.backend(), policy, tool, resources);
        return own instanceof AccessPolicy.PolicyDecision.Allowed
                        || !tool.descriptor().effects().perBackend()
                ? own
                : elsewhere(policy, tool).orElse(own);
    }

    private AccessPolicy.PolicyDecision at(
            String backend, AccessPolicy policy, PublishedTool tool, List<String> resources) {
        return policy.decide(
                principal,
                view.resources().of(backend),
                backend,
                tool.descriptor().verbs(),
                resources);
    }

    /**
     * Whether another backend of the view allows a tool that asks each backend. The caller has no rights at the tool's own
     * backend then.
     */
    private Optional<AccessPolicy.PolicyDecision> elsewhere(AccessPolicy policy, PublishedTool tool) {
        boolean alone = view.backends().equals(Set.of(tool.backend()));
        List<AccessPolicy.PolicyDecision> others = principal.grants().stream()
                .map(Grant::backend)
                .distinct()
                .filter(backend -> !backend.equals(tool.backend())
                        && (alone || view.backends().contains(backend)))
                .sorted()
                .map(backend -> at(backend, policy, tool, List.of()))
                .toList();
        return others.stream().anyMatch(AccessPolicy.PolicyDecision.Allowed.class::isInstance)
                ? Optional.of(new AccessPolicy.PolicyDecision.Allowed(
                        principal.caller(tool.backend(), Rights.NONE, ResourceScope.NOTHING)))
                : others.stream()
                        .filter(AccessPolicy.PolicyDecision.InsufficientScope.class::isInstance)
                        .findFirst();
    }

    /** Whom the backend of a tool knows it as; empty if its view lacks the tool, or it may not use that now. */
    public Optional<Caller> caller(AccessPolicy policy, String backend, String tool) {
        return view.tools().stream()
                .filter(known -> known.backend().equals(backend)
                        && known.descriptor().name().equals(tool))
                .findFirst()
                .flatMap(known ->
                        decide(policy, known, List.of()) instanceof AccessPolicy.PolicyDecision.Allowed(Caller caller)
                                ? Optional.of(caller)
                                : Optional.empty());
    }

    /** Whether the tool exists for it: it may use it on some resource, perhaps with another access token. */
    public boolean sees(AccessPolicy policy, PublishedTool tool) {
        return !(decide(policy, tool, List.of()) instanceof AccessPolicy.PolicyDecision.Invisible);
    }
}
