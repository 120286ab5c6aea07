package switchboard.federation;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/** {@code search_gaps}: tells an operator of the whole gateway what searches did not find, in the words of who asked. */
record SearchGapsTool(SearchGapSource source, NeverFound documents, FederationBackend.Dependencies dependencies)
        implements ToolHandler<SearchGapsTool.Args> {
    static final String NAME = "search_gaps";

    record Args(@Nullable String team, int days, double min_relevance, int limit) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        FederatedCaller caller = FederatedCaller.of(context, dependencies.calls(), dependencies.searchable());
        // Questions are of no source, so that who may see some sources only would see too much.
        return caller.operates(dependencies.policy())
                ? source.gaps(new SearchGapSource.GapFilter(
                                args.team(), args.days(), args.min_relevance(), args.limit()))
                        .compose(gaps -> documents
                                .of(caller, gaps)
                                .map(never -> ToolReply.ok(gaps.report().set("never_found", never))))
                : Future.succeededFuture(ToolReply.failed(
                        FailureKind.DENIED,
                        "You may not see what was asked. That takes the verb admin on all of " + FederationBackend.ID
                                + ", not on some sources, and a view that hides no sources of its backends."));
    }
}
