package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.call.ToolReply;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolDescriptor;
import switchboard.catalog.View;
import switchboard.dispatch.PendingCall;
import switchboard.dispatch.Requester;
import switchboard.protocol.Cancellation;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.task.Task;
import switchboard.task.TaskStore;
import switchboard.task.TaskWork;

/**
 * The tasks that a caller has begun and may still see: with its present rights, and in a view that has their tool. All
 * others do not exist for it, whether they are somebody else's, expired or never were.
 */
public final class CallerTasks {
    private static final String INVALID_PARAMS = Integer.toString(RpcError.INVALID_PARAMS.code());

    private final ProtocolServices services;
    private final TaskStore tasks;
    private final ToolResults results = new ToolResults();
    private final WatchedTasks watched = new WatchedTasks(System::nanoTime);

    /** The tasks of {@code services}. */
    public CallerTasks(ProtocolServices services) {
        this.services = services;
        this.tasks = services.tasks();
    }

    /** A task, its tool, and its caller as the backend knows it. */
    private record KnownTask(Task task, PublishedTool tool, Caller caller) {}

    /** The ones of {@code ids} that there are and that the caller may listen to; few of other servers. */
    public List<String> known(RpcCall call, List<String> ids) {
        List<String> known = new ArrayList<>();
        int others = 0;
        for (String id : ids) {
            Optional<Task> found = lookUp(call, id).map(KnownTask::task);
            boolean relayed = found.isPresent() && found.get().work().relayed();
            if (found.isPresent() && (!relayed || watched.room(call.principal().identity(), id, others))) {
                known.add(id);
                others += relayed ? 1 : 0;
            }
        }
        return known;
    }

    /** The task with its result, its error or its questions. Fails with {@link RpcException}. */
    public Future<ObjectNode> get(RpcCall call, String id) {
        return run(call, id, found -> detailed(call, found, () -> relayed(call, found, "tasks/get", null)));
    }

    /** The same for a stream that listens: without private data; another server is not asked each time. */
    public Future<ObjectNode> shown(RpcCall call, String id) {
        return lookUp(call, id)
                .map(found -> detailed(
                                call,
                                found,
                                () -> watched.answer(
                                        id,
                                        () -> send(call, found, "tasks/get", null),
                                        reply -> result(reply, found.task(), "tasks/get")))
                        .compose(task -> services.redactor().result(call.principal(), task)))
                .orElseGet(() -> Future.failedFuture(missing()));
    }

    private Future<ObjectNode> detailed(RpcCall call, KnownTask found, Supplier<Future<ObjectNode>> ofServer) {
        return found.task().work().relayed()
                ? ofServer.get().map(answer -> detailed(call, found, answer))
                : tasks.detailed(found.task())
                        .map(Task::detailed)
                        .recover(failure -> Future.failedFuture(new RpcException(
                                RpcError.UNAVAILABLE, "The task can't be read now. Try again later.")));
    }

    private ObjectNode detailed(RpcCall call, KnownTask found, ObjectNode ofServer) {
        ObjectNode task = RelayedTask.detailed(found.task(), ofServer, result -> bounded(call, found, result));
        if (task.path("inputRequests") instanceof ObjectNode requests) {
            ObjectNode undeclared =
                    InputRequiredFlow.undeclared(requests, call.client().capabilities());
            if (!undeclared.isEmpty()) {
                throw InputRequiredResults.capabilitiesMissing(new RelayedReply.CapabilitiesMissing(undeclared));
            }
        }
        JsonNode result = task.path("result");
        if (result.isObject() && tasks.firstTold(found.task().id())) {
            services.budget().charge(call.principal(), Json.bytes(result));
        }
        return task;
    }

    private ObjectNode bounded(RpcCall call, KnownTask found, ObjectNode result) {
        ToolDescriptor tool = found.tool().descriptor();
        int most = Math.min(
                Math.min(tool.limits().maxResultBytes(), tasks.limits().resultBytes()),
                services.budget().maxResultBytes(call.principal()));
        ObjectNode written = results.relayed(new RelayedReply.RelayedResult(result), ProtocolVersion.V2026_07_28);
        return results.bounded(
                ResourceNames.shown(view(call), found.task().work().backend(), written),
                most,
                tool.answer().errorStyle());
    }

    /** Answers what the task asks; the gateway's own ask nothing. Fails with {@link RpcException}. */
    public Future<Void> update(RpcCall call, String id, ObjectNode responses) {
        return run(
                call,
                id,
                found -> found.task().work().relayed()
                        ? relayed(call, found, "tasks/update", responses).mapEmpty()
                        : Future.succeededFuture());
    }

    /** Cancels the task, if its work is under way. Fails with {@link RpcException}. */
    public Future<Void> cancel(RpcCall call, String id) {
        return run(
                call,
                id,
                found -> found.task().work().relayed()
                        ? relayed(call, found, "tasks/cancel", null).mapEmpty()
                        : tasks.cancel(id));
    }

    /**
     * Begins to listen to a task.
     *
     * @param news run when the task has changed, on any thread
     * @param tick run each second, on any thread
     * @return what ends that; it must be run once
     */
    public Runnable listen(RpcCall call, String id, Runnable news, Runnable tick) {
        boolean joined = isRelayed(call, id) && watched.join(call.principal().identity(), id);
        Runnable changes = tasks.listen(id, _ -> news.run());
        Runnable ticks = tasks.eachTick(tick);
        return () -> {
            changes.run();
            ticks.run();
            if (joined) {
                watched.leave(id);
            }
        };
    }

    /** Whether another server does the task's work, which has to be asked what has become of it. */
    public boolean isRelayed(RpcCall call, String id) {
        return lookUp(call, id).map(found -> found.task().work().relayed()).orElse(false);
    }

    /** Whether {@code failure} says that there is no such task. */
    public static boolean unknown(Throwable failure) {
        return failure instanceof RpcException error && error.error() == RpcError.INVALID_PARAMS;
    }

    private interface TaskUse<T> {
        Future<T> of(KnownTask found);
    }

    private <T> Future<T> run(RpcCall call, String id, TaskUse<T> use) {
        return lookUp(call, id)
                .map(found -> {
                    call.operation().tool(found.tool().name());
                    return use.of(found);
                })
                .orElseGet(() -> Future.failedFuture(missing()));
    }

    private static RpcException missing() {
        return new RpcException(
                RpcError.INVALID_PARAMS,
                "There is no such task. It has expired, or \"taskId\" is not the id that the call was answered with.");
    }

    /** The view as it is now: a stream may have been opened long ago. */
    private View view(RpcCall call) {
        return services.views().view(call.view().name());
    }

    private Optional<KnownTask> lookUp(RpcCall call, String id) {
        View view = view(call);
        return tasks.find(call.principal().identity(), id).flatMap(task -> {
            TaskWork work = task.work();
            return view.tools().stream()
                    .filter(tool -> tool.backend().equals(work.backend())
                            && tool.descriptor().name().equals(work.tool()))
                    .findFirst()
                    .flatMap(tool -> caller(call, view, tool, work).map(caller -> new KnownTask(task, tool, caller)));
        });
    }

    private Optional<Caller> caller(RpcCall call, View view, PublishedTool tool, TaskWork work) {
        return new Requester(call.principal(), view).decide(services.policy(), tool, work.resources())
                        instanceof AccessPolicy.PolicyDecision.Allowed allowed
                ? Optional.of(allowed.caller())
                : Optional.empty();
    }

    private PendingCall send(RpcCall call, KnownTask found, String method, @Nullable ObjectNode inputResponses) {
        TaskWork work = found.task().work();
        return services.outbound()
                .send(
                        work.backend(),
                        new BackendRequest.RelayTask(method, String.valueOf(work.upstreamId()), inputResponses),
                        found.caller(),
                        call.acceptingTasks()
                                .options(work.backend(), services.settings().requestTimeout()));
    }

    private Future<ObjectNode> relayed(
            RpcCall call, KnownTask found, String method, @Nullable ObjectNode inputResponses) {
        PendingCall pending = send(call, found, method, inputResponses);
        call.cancellation().ends(Cancellation.Work.READS, pending::cancel);
        return pending.reply().map(reply -> result(reply, found.task(), method));
    }

    private ObjectNode result(BackendReply reply, Task task, String method) {
        return switch (reply) {
            case RelayedReply.RelayedResult answer -> answer.result();
            case RelayedReply.CapabilitiesMissing missing -> throw InputRequiredResults.capabilitiesMissing(missing);
            case RelayedReply.InputRequired need -> throw consent(need);
            case ToolReply.Failed failed -> throw failure(failed, task, method);
            default ->
                throw new IllegalStateException("a request about a task was answered with "
                        + reply.getClass().getSimpleName());
        };
    }

    /** The person's consent is missing, for which these methods have no question. */
    private static RpcException consent(RelayedReply.InputRequired need) {
        JsonNode question = need.requests().elements().hasNext()
                ? need.requests().elements().next().path("params")
                : Json.object();
        String url = question.path("url").asText();
        return new RpcException(
                RpcError.INTERNAL,
                question.path("message").asText("The server needs an answer that can't be given here.")
                        + (url.isEmpty() ? "" : " Open " + url),
                Json.object().put("url", url));
    }

    /** A task is deleted only if its server says that it has none, not if an answer was too large or could not be had. */
    private RpcException failure(ToolReply.Failed failed, Task task, String method) {
        boolean invalid = INVALID_PARAMS.equals(failed.code());
        if (invalid && method.equals("tasks/get")) {
            tasks.forget(task.id());
            return missing();
        }
        return new RpcException(invalid ? RpcError.INVALID_PARAMS : RpcError.INTERNAL, failed.message());
    }
}
