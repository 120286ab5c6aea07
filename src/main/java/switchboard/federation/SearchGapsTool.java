package switchboard.federation;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.call.ViewResources;

/** {@code search_gaps}: tells an operator of the whole gateway what searches did not find, in the words of who asked. */
record SearchGapsTool(SearchGapSource source, FederationBackend.Dependencies dependencies)
        implements ToolHandler<SearchGapsTool.Args> {
    static final String NAME = "search_gaps";

    record Args(@Nullable String team, int days, double min_relevance, int limit) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return seesEverything(context)
                ? source.gaps(new SearchGapSource.GapFilter(
                                args.team(), args.days(), args.min_relevance(), args.limit()))
                        .map(ToolReply::ok)
                : Future.succeededFuture(ToolReply.failed(
                        FailureKind.DENIED,
                        "You may not see what was asked. That takes the verb admin on all of " + FederationBackend.ID
                                + ", not on some sources, and a view that hides no sources of its backends."));
    }

    /** Questions are of no source, so that who may see some sources only would see too much. */
    private boolean seesEverything(CallContext context) {
        return context.caller().scope().unrestricted()
                && FederatedCaller.of(context, dependencies.calls(), dependencies.searchable())
                        .view()
                        .resources()
                        .equals(ViewResources.NONE);
    }
}
