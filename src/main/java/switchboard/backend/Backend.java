package switchboard.backend;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import switchboard.call.BackendCall;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.DiagnosticFinding;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.ToolReply;

/**
 * One configured instance of a backend. Used from several event loops at once: implementations are thread-safe and
 * never block the calling thread.
 */
public interface Backend {
    /** The handlers, one for each tool of the type's {@code tools.json}; checked at boot. */
    List<ToolHandler<?>> tools();

    /**
     * Further tools that this instance's configuration declares; they are listed and called like those of the type, and
     * their names differ from them.
     */
    default List<DeclaredTool> declaredTools() {
        return List.of();
    }

    /** The tools of another server, if this backend stands for one. */
    default Optional<RelayedTools> relayedTools() {
        return Optional.empty();
    }

    /** What agents should know while a part of the backend can't be used, if so. Answered from memory. */
    default Optional<String> trouble() {
        return Optional.empty();
    }

    /** The gates (configuration switches that tools may depend on) that are open. */
    default Set<String> gates() {
        return Set.of();
    }

    /** The MCP resources, if the backend has any. */
    default Optional<ResourceProvider> resources() {
        return Optional.empty();
    }

    /** The MCP prompts, if the backend has any. */
    default Optional<PromptProvider> prompts() {
        return Optional.empty();
    }

    /** What can be searched together with other backends, if the backend takes part in that. */
    default Optional<SearchProvider> search() {
        return Optional.empty();
    }

    /** On how many event loops calls are taken. */
    default Concurrency concurrency() {
        return Concurrency.EVERY_EVENT_LOOP;
    }

    /**
     * Has a call answered; usually by {@code here}, the handlers of this process. A backend whose data is in another
     * process sends the call there. Fails as a handler may.
     */
    default Future<BackendReply> answer(BackendCall call, CallContext context, Supplier<Future<BackendReply>> here) {
        return here.get();
    }

    /** Works on its data as a whole; only for backends that keep data themselves. */
    default Future<ToolReply> maintain(BackendRequest.Maintain.Chore chore, CallContext context) {
        return Future.succeededFuture(
                ToolReply.failed(FailureKind.INVALID_ARGUMENT, "This backend keeps no data of its own."));
    }

    /**
     * Gets ready to serve. A failed future keeps the gateway from starting; an engine that is merely down is not a
     * failure: it shows in {@link #health()}.
     */
    default Future<Void> start() {
        return Future.succeededFuture();
    }

    /** Finishes what is under way and lets go of everything. */
    default Future<Void> stop() {
        return Future.succeededFuture();
    }

    /** Whether the engine answers, now; never fails, and is asked in the background only. */
    default Future<Health> health() {
        return Future.succeededFuture(Health.up());
    }

    /**
     * What an operator should know of the engine: whether it answers, its version and clock, what the gateway's key may
     * do there; asked by {@code doctor} only. Never fails.
     */
    default Future<List<DiagnosticFinding>> examine() {
        return health().map(health -> List.of(new DiagnosticFinding(health.ok(), "engine", health.detail())));
    }

    /** On how many event loops a backend takes calls. */
    enum Concurrency {
        /** On one: the backend has its own executors. */
        ONE_EVENT_LOOP,
        /** On each: the backend waits for a network. */
        EVERY_EVENT_LOOP
    }
}
