package switchboard.federation;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import switchboard.auth.Principal;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ResourceScope;
import switchboard.call.ToolException;
import switchboard.call.Verb;
import switchboard.catalog.View;
import switchboard.dispatch.DelegatedCalls;
import switchboard.dispatch.Requester;

/**
 * On whose behalf several backends are asked, and the way to them.
 *
 * @param requester who asks, in which view
 * @param backends the ids of the backends that the view shows
 * @param context of the call that all this is done for
 * @param calls sends parts of it
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
     * Who asked for the call of {@code context}. A view of the federated tools alone stands for all of {@code searchable}.
     *
     * @throws ToolException if that call is over
     */
    static FederatedCaller of(CallContext context, DelegatedCalls calls, Set<String> searchable) {
        Requester requester = calls.requester(context.callId())
                .orElseThrow(() -> new ToolException(FailureKind.CANCELLED, "The call is over."));
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

    /** Asks a backend as a part of the call; ends with it. The reply never fails. */
    Future<BackendReply> ask(String backend, BackendRequest request, Caller caller, Duration timeout) {
        return calls.send(context.callId(), backend, request, caller, timeout).reply();
    }

    /** What the view leaves of a backend for searches and reads that are none of its own tools'. */
    ResourceScope offered(String backend) {
        return view().bounds().offered(backend);
    }

    /** Whether the view shows the source of that label. */
    boolean shows(String label) {
        return view().bounds().of(FederationBackend.ID).allows(label);
    }

    List<String> sortedBackends() {
        return backends.stream().sorted().toList();
    }
}
