package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.AccessPolicy;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.call.TaskRequest;
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
import switchboard.task.TaskCall;
import switchboard.task.TaskStore;

/**
 * The tasks that a caller has begun and may still see: with its present rights, and in a view that has their tool. All
 * others do not exist for it, whether they are somebody else's, expired or never were.
 */
public final class CallerTasks {
    private static final Logger LOG = LoggerFactory.getLogger(CallerTasks.class);
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

    /**
     * A task that a stream may listen to.
     *
     * @param relayed whether another server does its work, which has to be asked what has become of it
     * @param leave frees the stream's place among those that listen to it; must be run once
     */
    public record Joined(String id, boolean relayed, Runnable leave) {}

    /** The ones of {@code ids} that there are and that the caller may listen to from now on; few of other servers. */
    public List<Joined> join(RpcCall call, List<String> ids) {
        List<Joined> joined = new ArrayList<>();
        for (String id : ids) {
            lookUp(call, id).flatMap(found -> joined(call, found.task())).ifPresent(joined::add);
        }
        return joined;
    }

    private Optional<Joined> joined(RpcCall call, Task task) {
        String id = task.id();
        if (!task.call().relayed()) {
            return Optional.of(new Joined(id, false, () -> {}));
        }
        return watched.join(call.principal().identity(), id)
                ? Optional.of(new Joined(id, true, () -> watched.leave(id)))
                : Optional.empty();
    }

    /** Runs {@code ended}, on any thread, when a task of the gateway's own has ended; returns what ends that. */
    public Runnable listen(String id, Runnable ended) {
        return tasks.listen(id, ended);
    }

    /** The task with its result, its error or its questions. Fails with {@link RpcException}. */
    public Future<ObjectNode> get(RpcCall call, String id) {
        return run(call, id, found -> detailed(call, found, () -> relayed(call, found, TaskRequest.GET, null)));
    }

    /** The same for a stream that listens: without private data; another server is not asked each time. */
    public Future<ObjectNode> getForStream(RpcCall call, String id) {
        return lookUp(call, id)
                .map(found -> detailed(
                                call,
                                found,
                                () -> watched.answer(
                                        id,
                                        () -> send(call, found, TaskRequest.GET, null),
                                        reply -> result(reply, found.task(), TaskRequest.GET)))
                        .compose(task -> services.redactor().result(call.principal(), task)))
                .orElseGet(() -> Future.failedFuture(missing()));
    }

    private Future<ObjectNode> detailed(RpcCall call, KnownTask found, Supplier<Future<ObjectNode>> ofServer) {
        return found.task().call().relayed()
                ? ofServer.get().map(answer -> detailed(call, found, answer))
                : tasks.detailed(found.task()).map(Task::detailed).recover(failure -> {
                    LOG.warn(
                            "request {}: the task can't be read",
                            call.operation().requestId(),
                            failure);
                    return Future.failedFuture(
                            new RpcException(RpcError.UNAVAILABLE, "The task can't be read now. Try again later."));
                });
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
        if (result.isObject() && tasks.markTold(found.task().id())) {
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
                ResourceNames.shown(view(call), found.task().call().backend(), written),
                most,
                tool.answer().errorStyle());
    }

    /** Answers what the task asks; the gateway's own ask nothing. Fails with {@link RpcException}. */
    public Future<Void> update(RpcCall call, String id, ObjectNode responses) {
        return run(
                call,
                id,
                found -> found.task().call().relayed()
                        ? relayed(call, found, TaskRequest.UPDATE, responses).mapEmpty()
                        : Future.succeededFuture());
    }

    /** Cancels the task, if its work is under way. Fails with {@link RpcException}. */
    public Future<Void> cancel(RpcCall call, String id) {
        return run(
                call,
                id,
                found -> found.task().call().relayed()
                        ? relayed(call, found, TaskRequest.CANCEL, null).mapEmpty()
                        : tasks.cancel(id));
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
                    call.operation().tool(found.tool().name(), found.tool().backend());
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
            TaskCall made = task.call();
            return view.tools().stream()
                    .filter(tool -> tool.backend().equals(made.backend())
                            && tool.descriptor().name().equals(made.tool()))
                    .findFirst()
                    .flatMap(tool -> caller(call, view, tool, made).map(caller -> new KnownTask(task, tool, caller)));
        });
    }

    private Optional<Caller> caller(RpcCall call, View view, PublishedTool tool, TaskCall made) {
        return new Requester(call.principal(), view).decide(services.policy(), tool, made.resources())
                        instanceof AccessPolicy.PolicyDecision.Allowed allowed
                ? Optional.of(allowed.caller())
                : Optional.empty();
    }

    private PendingCall send(RpcCall call, KnownTask found, TaskRequest kind, @Nullable ObjectNode inputResponses) {
        TaskCall made = found.task().call();
        return services.outbound()
                .send(
                        made.backend(),
                        new BackendRequest.RelayTask(kind, String.valueOf(made.upstreamId()), inputResponses),
                        found.caller(),
                        call.acceptingTasks()
                                .options(made.backend(), services.settings().requestTimeout()));
    }

    private Future<ObjectNode> relayed(
            RpcCall call, KnownTask found, TaskRequest kind, @Nullable ObjectNode inputResponses) {
        PendingCall pending = send(call, found, kind, inputResponses);
        call.cancellation().ends(Cancellation.Work.READS, pending::cancel);
        return pending.reply().map(reply -> result(reply, found.task(), kind));
    }

    private ObjectNode result(BackendReply reply, Task task, TaskRequest kind) {
        return switch (reply) {
            case RelayedReply.RelayedResult answer -> answer.result();
            case RelayedReply.CapabilitiesMissing missing -> throw InputRequiredResults.capabilitiesMissing(missing);
            case RelayedReply.InputRequired need -> throw consent(need);
            case ToolReply.Failed failed -> throw failure(failed, task, kind);
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
    private RpcException failure(ToolReply.Failed failed, Task task, TaskRequest kind) {
        boolean invalid = INVALID_PARAMS.equals(failed.code());
        if (invalid && kind == TaskRequest.GET) {
            tasks.forget(task.id());
            return missing();
        }
        return new RpcException(invalid ? RpcError.INVALID_PARAMS : RpcError.INTERNAL, failed.message());
    }
}
