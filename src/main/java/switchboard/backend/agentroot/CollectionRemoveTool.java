package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.List;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.Namespace;

/** {@code collection_remove}: removes a collection and its documents. */
record CollectionRemoveTool(CollectionRegistry registry, CollectionChanges changes, CollectionSchedules schedules)
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
        return changes.run(namespace, context, turn -> {
            CollectionRegistry inTurn = registry.in(turn);
            return inTurn.stored(args.name(), caller).compose(known -> {
                if (known.isEmpty()) {
                    return registry.notFound(args.name(), caller)
                            .map(unknown -> unknown.failed().withDetails(Json.tree(new Reply(args.name(), false))));
                }
                return CallerStore.on(turn.store())
                        .of(caller)
                        .drop(namespace)
                        .compose(_ -> {
                            changes.haveChanged(
                                    namespace, List.of(known.get().definition().allow()));
                            return forgotten(inTurn, known.get(), caller);
                        })
                        .compose(_ -> schedules.removed(namespace))
                        .map(_ -> ToolReply.ok(new Reply(args.name(), true)));
            });
        });
    }

    private static Future<Boolean> forgotten(
            CollectionRegistry registry, CollectionRegistry.StoredDefinition known, Caller caller) {
        String name = known.definition().name();
        return registry.forget(known, caller)
                .recover(failure -> Future.failedFuture(
                        failure instanceof ToolException told
                                ? half(told.failed().kind(), name)
                                : failure))
                .compose(done ->
                        done ? Future.succeededFuture(true) : Future.failedFuture(half(FailureKind.CONFLICT, name)));
    }

    private static ToolException half(FailureKind kind, String name) {
        return new ToolException(
                kind,
                "The documents of " + name
                        + " were removed, but not its definition. Call it again to remove that, too.");
    }
}
