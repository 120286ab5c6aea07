package switchboard.federation;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import switchboard.auth.AccessPolicy;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/** Reads documents at addresses for the caller of a federated tool, as far as its rights and its view allow. Thread-safe. */
record DocumentReads(FederationSettings settings, FederationBackend.Dependencies dependencies) {
    /** The caller of {@code context}. */
    FederatedCaller caller(CallContext context) {
        return FederatedCaller.of(context, dependencies.calls(), dependencies.searchable());
    }

    /**
     * The part of the document at {@code address}, or a failure: {@code NOT_FOUND} for what the caller may not read. The future
     * never fails.
     */
    Future<BackendReply> read(
            FederatedCaller federatedCaller,
            DocumentUri address,
            BackendRequest.ReadDocument.DocumentName by,
            int offset,
            int maxChars,
            Duration timeout) {
        return switch (decide(federatedCaller, address)) {
            case AccessPolicy.PolicyDecision.Allowed allowed ->
                federatedCaller.ask(
                        address.backend(),
                        new BackendRequest.ReadDocument(
                                address.source(),
                                address.document(),
                                offset,
                                maxChars,
                                settings.declared(address.backend(), address.label())
                                        .fields(),
                                by),
                        allowed.caller(),
                        timeout);
            case AccessPolicy.PolicyDecision.Denied _,
                    AccessPolicy.PolicyDecision.Invisible _,
                    AccessPolicy.PolicyDecision.InsufficientScope _ ->
                Future.succeededFuture(ToolReply.failed(
                        FailureKind.NOT_FOUND, "There is no document at " + address + " that you may read."));
        };
    }

    private AccessPolicy.PolicyDecision decide(FederatedCaller federatedCaller, DocumentUri documentUri) {
        return dependencies.searchable().contains(documentUri.backend())
                        && federatedCaller.backends().contains(documentUri.backend())
                        && federatedCaller.shows(documentUri.label())
                ? dependencies
                        .policy()
                        .decide(
                                federatedCaller.principal(),
                                federatedCaller.offered(documentUri.backend()),
                                documentUri.backend(),
                                FederatedCaller.READ,
                                List.of(documentUri.source()))
                : new AccessPolicy.PolicyDecision.Invisible();
    }
}
