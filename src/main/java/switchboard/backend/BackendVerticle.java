package switchboard.backend;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.BackendCall;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.BusAddresses;
import switchboard.call.CallContext;
import switchboard.call.DiskError;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.CurrentTeam;

/**
 * Receives a backend's calls from the event bus, and always replies: whatever a handler returns, throws or fails with
 * becomes a reply, because without one the caller would wait for the timeout. Deployed once or once per event loop, as
 * {@link Backend#concurrency()} says; the instances share the backend.
 */
public final class BackendVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(BackendVerticle.class);

    private final String id;
    private final Backend backend;
    private final Map<String, BoundTool<?>> tools;
    private final Map<String, RunningCall> running = new ConcurrentHashMap<>();
    private List<MessageConsumer<?>> consumers = List.of();

    /** A consumer for the backend {@code id}. */
    public BackendVerticle(String id, Backend backend) {
        this.id = id;
        this.backend = backend;
        this.tools = Stream.concat(
                        backend.tools().stream(),
                        backend.declaredTools().stream().map(DeclaredTool::handler))
                .collect(Collectors.toUnmodifiableMap(ToolHandler::name, BoundTool::of));
    }

    /** A tool with the record of its arguments, which is looked up once. */
    private record BoundTool<A extends Record>(ToolHandler<A> handler, Class<A> argsType) {
        static <A extends Record> BoundTool<A> of(ToolHandler<A> handler) {
            return new BoundTool<>(handler, handler.argsType());
        }

        Future<ToolReply> call(BackendRequest.CallTool call, CallContext context) {
            A arguments;
            try {
                arguments = call.arguments().bind(argsType);
            } catch (IllegalArgumentException e) {
                // Schemas compare huge numbers inexactly: 1e400 passes a maximum and then fits no int.
                LOG.debug("call {}: {}", call.tool(), e.getMessage());
                return Future.succeededFuture(ToolReply.failed(
                        FailureKind.INVALID_ARGUMENT,
                        "An argument is out of range: a number is too large or too small."));
            }
            return handler.call(arguments, context);
        }
    }

    @Override
    public Future<?> start() {
        EventBus bus = vertx.eventBus();
        MessageConsumer<BackendCall> calls = bus.localConsumer(BusAddresses.backend(id), this::take);
        MessageConsumer<String> cancellations =
                bus.localConsumer(BusAddresses.cancellations(id), message -> cancel(message.body()));
        consumers = List.of(calls, cancellations);
        return Future.all(calls.completion(), cancellations.completion());
    }

    @Override
    public Future<?> stop() {
        running.values().forEach(RunningCall::cancel);
        return Future.all(consumers.stream().map(MessageConsumer::unregister).toList());
    }

    private void take(Message<BackendCall> message) {
        BackendCall call = message.body();
        CurrentTeam.begin(call.caller().chargedTeam()); // each message has a context of its own
        RunningCall context = new RunningCall(call, vertx.eventBus());
        running.put(call.id(), context);
        Futures.finish(
                routed(call, context).recover(failure -> Future.succeededFuture(failed(call, failure))),
                reply -> {
                    running.remove(call.id());
                    message.reply(reply);
                },
                failure -> {
                    running.remove(call.id());
                    message.fail(0, String.valueOf(failure.getMessage()));
                });
    }

    private void cancel(String callId) {
        RunningCall context = running.get(callId);
        if (context != null) {
            context.cancel();
        }
    }

    private Future<BackendReply> routed(BackendCall call, RunningCall context) {
        try {
            return backend.answer(call, context, () -> answer(call.request(), context));
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private Future<BackendReply> answer(BackendRequest request, RunningCall context) {
        try {
            return switch (request) {
                case BackendRequest.CallTool call -> tool(call, context);
                case BackendRequest.RelayTask task ->
                    backend.relayedTools()
                            .map(relayed -> relayed.task(task, context))
                            .orElseThrow(() -> new IllegalStateException(id + " has no tasks"))
                            .map(reply -> reply);
                case BackendRequest.ListResources list ->
                    provided(
                            backend.resources().map(p -> p.list(list.cursor(), context)),
                            new BackendReply.Resources(List.of(), null));
                case BackendRequest.ListResourceTemplates list ->
                    provided(
                            backend.resources().map(p -> p.templates(list.cursor(), context)),
                            new BackendReply.Resources(List.of(), null));
                case BackendRequest.ReadResource read ->
                    provided(
                            backend.resources().map(p -> p.read(read.uri(), context)),
                            new BackendReply.Contents(List.of()));
                case BackendRequest.ListPrompts list ->
                    provided(
                            backend.prompts().map(p -> p.list(list.cursor(), context)),
                            new BackendReply.Prompts(List.of(), null));
                case BackendRequest.GetPrompt get ->
                    provided(
                            backend.prompts().map(p -> p.get(get.name(), get.arguments(), context)),
                            new BackendReply.Prompt(null));
                case BackendRequest.Maintain work ->
                    backend.maintain(work.chore(), context).map(reply -> reply);
                case BackendRequest.Complete complete -> completion(complete, context);
                case BackendRequest.SourceRequest of -> searchable(provider -> answer(provider, of, context));
            };
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private static Future<? extends BackendReply> answer(
            SearchProvider provider, BackendRequest.SourceRequest request, CallContext context) {
        return switch (request) {
            case BackendRequest.ListSources list -> provider.sources(list, context);
            case BackendRequest.SearchSource search -> provider.search(search, context);
            case BackendRequest.ListDocuments list -> provider.documents(list, context);
            case BackendRequest.ReadDocument read -> provider.read(read, context);
        };
    }

    private Future<BackendReply> tool(BackendRequest.CallTool call, CallContext context) {
        BoundTool<?> tool = tools.get(call.tool());
        if (tool != null) {
            return tool.call(call, context).map(reply -> reply);
        }
        Optional<RelayedTools> relayed = backend.relayedTools();
        return relayed.isPresent()
                ? relayed.get().call(call.tool(), call.arguments(), context).map(reply -> reply)
                : Future.failedFuture(new IllegalStateException("no handler for " + call.tool()));
    }

    /** The answer, or {@code none} if the backend has nothing of that kind. */
    private static Future<BackendReply> provided(
            Optional<? extends Future<? extends BackendReply>> answer, BackendReply none) {
        return answer.isPresent() ? answer.get().map(reply -> reply) : Future.succeededFuture(none);
    }

    private Future<BackendReply> searchable(Function<SearchProvider, Future<? extends BackendReply>> ask) {
        return backend.search()
                .map(ask)
                .orElseGet(() -> Future.failedFuture(new ToolException(
                        FailureKind.NOT_FOUND,
                        "Nothing in " + id + " can be searched this way. list_sources names what can.")))
                .map(reply -> reply);
    }

    private Future<BackendReply> completion(BackendRequest.Complete complete, CallContext context) {
        Optional<Future<BackendReply.Completion>> answer = complete.ref().contains("://")
                ? backend.resources()
                        .map(p -> p.complete(complete.ref(), complete.argument(), complete.value(), context))
                : backend.prompts()
                        .map(p -> p.complete(
                                complete.ref(), complete.argument(), complete.value(), complete.context(), context));
        return provided(answer, new BackendReply.Completion(List.of(), 0, false));
    }

    private ToolReply.Failed failed(BackendCall call, Throwable failure) {
        if (failure instanceof ToolException expected) {
            return expected.failed();
        }
        Optional<DiskError> disk = DiskError.in(failure);
        if (disk.isPresent()) {
            LOG.warn("call {} to {} failed: {}", call.id(), id, failure.toString());
            return disk.get().failed("\"" + id + "\" could not write");
        }
        LOG.atError()
                .addKeyValue("callId", call.id())
                .addKeyValue("backend", id)
                .addKeyValue("traceId", call.traceId())
                .setCause(failure)
                .log("call {} to {} failed: {}", call.id(), id, failure.toString());
        return new ToolReply.Failed(
                FailureKind.INTERNAL,
                "Internal error; ask the operator to look into the log for call id " + call.id() + ".");
    }
}
