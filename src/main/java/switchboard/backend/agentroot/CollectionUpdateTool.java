package switchboard.backend.agentroot;

import io.vertx.core.Future;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.store.Namespace;

/** {@code collection_update}: indexes what has changed in a collection's source. */
record CollectionUpdateTool(
        CollectionRegistry registry, DocumentProviders providers, CollectionUpdater updater, CollectionChanges changes)
        implements ToolHandler<CollectionUpdateTool.Args> {
    record Args(String name) {}

    @Override
    public String name() {
        return "collection_update";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Namespace namespace = registry.namespace(args.name(), context.caller());
        return changes.run(
                namespace, () -> registry.require(args.name(), context.caller()).compose(definition -> updater.update(
                                definition,
                                providers.allowed(definition.provider(), definition.name(), context.caller()),
                                namespace,
                                context)
                        .onFailure(_ -> changes.mayHaveChanged(namespace))
                        .map(report -> {
                            if (!report.readers().isEmpty()) {
                                changes.haveChanged(namespace, report.readers());
                            }
                            return ToolReply.ok(report.reply());
                        })));
    }
}
