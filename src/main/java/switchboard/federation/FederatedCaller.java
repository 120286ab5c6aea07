package switchboard.federation;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ResourceScope;
import switchboard.call.ToolException;
import switchboard.call.Verb;
import switchboard.call.ViewResources;
import switchboard.catalog.View;
import switchboard.dispatch.DelegatedCalls;
import switchboard.dispatch.Requester;

/**
 * Calls several backends on behalf of a caller.
 *
 * @param requester the caller and its view
 * @param backends ids of the backends that the view includes
 * @param context the context of the federated call
 * @param calls sends the calls
 */
record FederatedCaller(Requester requester, Set<String> backends, CallContext context, DelegatedCalls calls) {
    /** Verbs of searching. */
    static final Set<Verb> SEARCH = Set.of(Verb.SEARCH);
    /** Verbs of reading. */
    static final Set<Verb> READ = Set.of(Verb.READ);

    FederatedCaller {
        backends = Set.copyOf(backends);
    }

    /**
     * The caller of the call {@code context}. A view with the federated tools only gives access to all of {@code
     * searchable}.
     *
     * @throws ToolException if that call has ended
     */
    static FederatedCaller of(CallContext context, DelegatedCalls calls, Set<String> searchable) {
        Requester requester = calls.requester(context.callId())
                .orElseThrow(() -> new ToolException(FailureKind.CANCELLED, "The call has ended."));
        Set<String> shown = requester.view().backends();
        return new FederatedCaller(
                requester, shown.equals(Set.of(FederationBackend.ID)) ? searchable : shown, context, calls);
    }

    Principal principal() {
        return requester.principal();
    }

    View view() {
        return requester.view();
    }

    /** Calls a backend as a part of the federated call, and ends with it. The future never fails. */
    Future<BackendReply> ask(String backend, BackendRequest request, Caller caller, Duration timeout) {
        return calls.send(context.callId(), backend, request, caller, timeout).reply();
    }

    /**
     * The resources of a backend that the view allows for searches and reads that use none of the backend's own tools.
     */
    ResourceScope offered(String backend) {
        return view().resources().offered(backend);
    }

    /** Whether this is an operator of the whole gateway: with the verb {@code admin} on all of it, in a view that hides no sources. */
    boolean operates(AccessPolicy policy) {
        return view().resources().equals(ViewResources.NONE)
                && policy.decide(
                                principal(),
                                offered(FederationBackend.ID),
                                FederationBackend.ID,
                                Set.of(Verb.ADMIN),
                                List.of())
                        instanceof AccessPolicy.PolicyDecision.Allowed(Caller caller)
                && caller.scope().unrestricted();
    }

    /** Whether the view includes the source with that label. */
    boolean shows(String label) {
        return view().resources().of(FederationBackend.ID).allows(label);
    }

    List<String> sortedBackends() {
        return backends.stream().sorted().toList();
    }
}
