package switchboard.federation;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.backend.ToolHandler;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/** {@code fetch_document}: reads the document of an address that {@code search_everywhere} returned. */
record FetchDocumentTool(FederationSettings settings, FederationBackend.Dependencies dependencies)
        implements ToolHandler<FetchDocumentTool.Args> {
    static final String NAME = "fetch_document";

    record Args(String address, int offset, int max_chars) {}

    /** Component names are those on the wire. */
    record Reply(
            String address,
            String title,
            @Nullable String url,
            String text,
            int offset,
            int total_chars,
            @Nullable Integer next_offset) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        DocumentUri documentUri = DocumentUri.parse(args.address()).orElse(null);
        if (documentUri == null) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT,
                    "address must be one that search_everywhere gave, such as switchboard://vectordb/default/<id>."));
        }
        FederatedCaller federatedCaller = FederatedCaller.of(context, dependencies.calls(), dependencies.searchable());
        return switch (decide(federatedCaller, documentUri)) {
            case AccessPolicy.PolicyDecision.Allowed allowed ->
                federatedCaller
                        .ask(
                                documentUri.backend(),
                                new BackendRequest.ReadDocument(
                                        documentUri.source(),
                                        documentUri.document(),
                                        args.offset(),
                                        args.max_chars(),
                                        settings.declared(documentUri.backend(), documentUri.label())
                                                .fields()),
                                allowed.caller(),
                                context.remaining())
                        .map(reply -> reply(args, documentUri, reply));
            case AccessPolicy.PolicyDecision.Denied _,
                    AccessPolicy.PolicyDecision.Invisible _,
                    AccessPolicy.PolicyDecision.InsufficientScope _ ->
                Future.succeededFuture(ToolReply.failed(
                        FailureKind.NOT_FOUND,
                        "There is no document at " + documentUri
                                + " that you may read. search_everywhere gives the addresses."));
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

    private static ToolReply reply(Args args, DocumentUri documentUri, BackendReply reply) {
        return reply.<BackendReply.DocumentPart, ToolReply>either(
                BackendReply.DocumentPart.class,
                part -> ToolReply.ok(new Reply(
                        documentUri.toString(),
                        part.title(),
                        part.url(),
                        part.text(),
                        args.offset(),
                        part.totalChars(),
                        part.next())),
                FetchDocumentTool::withStep);
    }

    private static ToolReply withStep(ToolReply.Failed failed) {
        return failed.kind() == FailureKind.NOT_FOUND
                ? failed.withMessage(failed.message() + " search_everywhere gives the addresses.")
                : failed;
    }
}
