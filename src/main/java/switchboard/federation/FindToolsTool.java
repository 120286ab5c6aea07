package switchboard.federation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolSearch;

/** {@code find_tools}: finds tools for a task among those that the caller may call in its view, and describes them. */
final class FindToolsTool implements ToolHandler<FindToolsTool.Args> {
    static final String NAME = ToolSearch.FIND;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final FederationBackend.Dependencies dependencies;
    private final ToolRanking ranking;

    FindToolsTool(FederationBackend.Dependencies dependencies) {
        this.dependencies = dependencies;
        this.ranking = new ToolRanking(dependencies.keywords());
    }

    record Args(String task, int limit, boolean full) {}

    /**
     * Component names are those on the wire.
     *
     * @param tools as in {@code tools/list} or {@linkplain ToolSummary shorter}, best first
     * @param total the number of tools that the caller may call
     */
    record Reply(List<ObjectNode> tools, int total) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        FederatedCaller federatedCaller = FederatedCaller.of(context, dependencies.calls(), dependencies.searchable());
        List<PublishedTool> callable = federatedCaller.view().tools().stream()
                .filter(tool -> !ToolSearch.has(tool.backend(), tool.descriptor()))
                .filter(tool -> mayCall(federatedCaller, tool))
                .toList();
        ComputationExecutor executor = dependencies.executor();
        Principal principal = federatedCaller.principal();
        return executor.run(principal, () -> ToolRanking.Described.of(callable)).compose(described -> meanings(
                        args.task(), described.texts())
                .compose(meanings -> executor.run(principal, () -> ToolReply.ok(reply(args, described, meanings)))));
    }

    private Reply reply(Args args, ToolRanking.Described described, Optional<double[]> meanings) {
        return new Reply(
                ranking.of(args.task(), described, meanings).stream()
                        .limit(args.limit())
                        .map(tool -> args.full() ? entry(tool) : ToolSummary.of(entry(tool)))
                        .toList(),
                described.tools().size());
    }

    /** A model that is slow or can't be reached is not waited for: keywords find tools, too. */
    private Future<Optional<double[]>> meanings(String task, List<String> texts) {
        return dependencies
                .meanings()
                .of(task, texts)
                .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .otherwise(Optional.empty());
    }

    private boolean mayCall(FederatedCaller federatedCaller, PublishedTool tool) {
        return federatedCaller.requester().decide(dependencies.policy(), tool, List.of())
                instanceof AccessPolicy.PolicyDecision.Allowed;
    }

    private static ObjectNode entry(PublishedTool tool) {
        try {
            return (ObjectNode) Json.parse(tool.json());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the catalog wrote unreadable JSON for " + tool.name(), e);
        }
    }
}
