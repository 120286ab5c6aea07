package switchboard.federation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ResourceScope;
import switchboard.call.ToolReply;
import switchboard.call.Verb;

/**
 * {@code why_not}: tells an operator whether a member of a team sees a document, and why. The verb {@code admin} on this
 * backend is for all documents, on another backend for that backend's.
 */
record WhyNotTool(FederationSettings settings, FederationBackend.Dependencies dependencies)
        implements ToolHandler<WhyNotTool.Args> {
    static final String NAME = "why_not";
    private static final Set<Verb> ADMIN = Set.of(Verb.ADMIN);

    record Args(
            String address,
            String team,
            @Nullable String key,
            @Nullable ObjectNode claims) {}

    /** Component names are those on the wire. {@code seen} is absent if it can't be told. */
    record Reply(String address, String team, @Nullable Boolean seen, List<SightReason> reasons) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        DocumentUri document = DocumentUri.parse(args.address()).orElse(null);
        if (document == null) {
            return failed(
                    FailureKind.INVALID_ARGUMENT,
                    "address must be one as search_everywhere gives it, such as switchboard://vectordb/default/<id>.");
        }
        if (args.key() != null && args.claims() != null) {
            return failed(
                    FailureKind.INVALID_ARGUMENT,
                    "key and claims exclude each other: a key has the claims that the teams file gives it. Leave one out.");
        }
        FederatedCaller operator = FederatedCaller.of(context, dependencies.calls(), dependencies.searchable());
        return mayExplain(operator, document)
                ? new DocumentSight(args, document, operator, settings, dependencies)
                        .explain()
                        .map(ToolReply::ok)
                : failed(
                        FailureKind.DENIED,
                        "You may not explain who sees documents of " + document.label()
                                + ". That takes the verb admin on " + FederationBackend.ID + ", or on "
                                + document.backend()
                                + ", a view that shows the source, and a team that is bound to nothing there but"
                                + " documents: all.");
    }

    private static Future<ToolReply> failed(FailureKind kind, String message) {
        return Future.succeededFuture(ToolReply.failed(kind, message));
    }

    /** A backend without documents is nobody's but that of who may ask about all. */
    private boolean mayExplain(FederatedCaller operator, DocumentUri document) {
        String backend = document.backend();
        boolean everywhere = admin(operator, ResourceScope.ALL, FederationBackend.ID, document.label());
        if (!dependencies.searchable().contains(backend)) {
            return everywhere;
        }
        ResourceScope offered = operator.offered(backend);
        return operator.backends().contains(backend)
                && operator.shows(document.label())
                && offered.allows(document.source())
                && free(operator, backend)
                && (everywhere || admin(operator, offered, backend, document.source()));
    }

    /** Whether the operator is kept from nothing there itself: otherwise it would learn of what is kept from it. */
    private static boolean free(FederatedCaller operator, String backend) {
        return operator.principal().bindings().getOrDefault(backend, Map.of()).keySet().stream()
                .allMatch(SightTexts.DOCUMENTS::equals);
    }

    private boolean admin(FederatedCaller operator, ResourceScope within, String backend, String resource) {
        return dependencies.policy().decide(operator.principal(), within, backend, ADMIN, List.of(resource))
                instanceof AccessPolicy.PolicyDecision.Allowed;
    }
}
