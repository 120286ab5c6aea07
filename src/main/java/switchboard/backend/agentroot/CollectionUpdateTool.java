package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import io.vertx.core.Future;
import java.time.Instant;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.source.DocumentProvider;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.store.Namespace;
import switchboard.store.StoreTurn;

/** {@code collection_update}: indexes what has changed in a collection's source. */
record CollectionUpdateTool(
        CollectionRegistry registry,
        DocumentProviders providers,
        CollectionUpdater updater,
        CollectionChanges changes,
        CollectionSchedules schedules)
        implements ToolHandler<CollectionUpdateTool.Args> {
    record Args(String name) {}

    @Override
    public String name() {
        return "collection_update";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Namespace namespace = registry.namespace(args.name(), context.caller());
        // A gateway that lacks the folder does not take a turn.
        return registry.find(args.name(), context.caller())
                .compose(known -> known.map(
                                definition -> provider(definition, context).find(definition.origin(), context))
                        .orElseGet(Future::succeededFuture))
                .compose(_ -> changes.run(namespace, context, turn -> updated(args, namespace, turn, context)));
    }

    private DocumentProvider provider(CollectionDefinition definition, CallContext context) {
        return providers.allowed(definition.provider(), definition.name(), context.caller());
    }

    private Future<ToolReply> updated(Args args, Namespace namespace, StoreTurn turn, CallContext context) {
        Instant began = schedules.now();
        return registry.in(turn).require(args.name(), context.caller()).compose(definition -> updater.update(
                        definition, provider(definition, context), namespace, turn, context)
                .onFailure(_ -> changes.mayHaveChanged(namespace))
                .map(also(report -> {
                    if (!report.readers().isEmpty()) {
                        changes.haveChanged(namespace, report.readers());
                    }
                }))
                .compose(report -> schedules
                        .made(namespace, context.caller(), began, report.reply())
                        .map(_ -> ToolReply.ok(report.reply()))));
    }
}
