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
    /** The handlers, one for each tool of the type's {@code tools.json}. Checked at start. */
    List<ToolHandler<?>> tools();

    /**
     * Additional tools that the configuration of this instance declares. They are listed and called like those of the
     * type. Their names are different.
     */
    default List<DeclaredTool> declaredTools() {
        return List.of();
    }

    /** The tools of another server, if this backend relays to one. */
    default Optional<RelayedTools> relayedTools() {
        return Optional.empty();
    }

    /** A message for agents while a part of the backend can't be used; empty otherwise. Does not block. */
    default Optional<String> trouble() {
        return Optional.empty();
    }

    /** The settings ("gates") that are switched on, on which tools may depend. */
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

    /** What it does at set times by itself, if anything. */
    default Optional<ScheduleProvider> schedules() {
        return Optional.empty();
    }

    /** Searching together with other backends, if this backend supports it. */
    default Optional<SearchProvider> search() {
        return Optional.empty();
    }

    /** The number of event loops that handle calls. */
    default Concurrency concurrency() {
        return Concurrency.EVERY_EVENT_LOOP;
    }

    /**
     * Answers a call, usually with {@code here}, the handlers of this process. A backend whose data is in another
     * process sends the call there. Fails like a handler.
     */
    default Future<BackendReply> answer(BackendCall call, CallContext context, Supplier<Future<BackendReply>> here) {
        return here.get();
    }

    /** Runs maintenance on its data; only for backends that store data themselves. */
    default Future<ToolReply> maintain(BackendRequest.Maintain.Chore chore, CallContext context) {
        return Future.succeededFuture(
                ToolReply.failed(FailureKind.INVALID_ARGUMENT, "This backend keeps no data of its own."));
    }

    /**
     * Starts the backend. A failed future prevents the gateway from starting. An engine that is down is not a failure:
     * it shows in {@link #health()}.
     */
    default Future<Void> start() {
        return Future.succeededFuture();
    }

    /** Finishes the calls under way and releases all resources. */
    default Future<Void> stop() {
        return Future.succeededFuture();
    }

    /** Checks whether the engine answers. Never fails. Called in the background only. */
    default Future<Health> health() {
        return Future.succeededFuture(Health.up());
    }

    /**
     * Checks the engine for {@code doctor}: whether it answers, its version and clock, the rights of the gateway's
     * key. Never fails.
     */
    default Future<List<DiagnosticFinding>> examine() {
        return health().map(health -> List.of(new DiagnosticFinding(health.ok(), "engine", health.detail())));
    }

    /** The number of event loops on which a backend handles calls. */
    enum Concurrency {
        /** One: the backend has its own executors. */
        ONE_EVENT_LOOP,
        /** All: the backend waits for a network. */
        EVERY_EVENT_LOOP
    }
}
