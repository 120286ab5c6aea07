package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import io.vertx.core.Future;
import java.util.List;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.store.Namespace;

/** {@code collection_remove}: removes a collection and its documents. */
record CollectionRemoveTool(CollectionRegistry registry, CollectionChanges changes)
        implements ToolHandler<CollectionRemoveTool.Args> {
    record Args(String name) {}

    /** Component names are those on the wire. */
    record Reply(String name, boolean removed) {}

    @Override
    public String name() {
        return "collection_remove";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Caller caller = context.caller();
        Namespace namespace = registry.namespace(args.name(), caller);
        // The documents go first: a removal that is cut off can be made again.
        return changes.run(
                namespace, context, turn -> registry.find(args.name(), caller).compose(known -> {
                    if (known.isEmpty()) {
                        return registry.notFound(args.name(), caller)
                                .map(unknown -> unknown.failed().withDetails(Json.tree(new Reply(args.name(), false))));
                    }
                    return CallerStore.on(turn.store())
                            .of(caller)
                            .drop(namespace)
                            .compose(_ -> registry.in(turn).forget(args.name(), caller))
                            .map(also(_ -> changes.haveChanged(
                                    namespace, List.of(known.get().allow()))))
                            .map(_ -> ToolReply.ok(new Reply(args.name(), true)));
                }));
    }
}
