package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.RelayedReply;
import switchboard.call.ToolReply;
import switchboard.catalog.PublishedTool;
import switchboard.dispatch.PendingCall;
import switchboard.dispatch.Requester;
import switchboard.protocol.Cancellation;
import switchboard.protocol.ProtocolServices;
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
    private final ProtocolServices services;
    private final TaskStore tasks;
    private final ToolResults results = new ToolResults();

    /** The tasks of {@code services}. */
    public CallerTasks(ProtocolServices services) {
        this.services = services;
        this.tasks = services.tasks();
    }

    /** A task, its tool, and its caller as the backend knows it. */
    private record KnownTask(Task task, PublishedTool tool, Caller caller) {}

    /** The ones of {@code ids} that there are. */
    public List<String> known(RpcCall call, List<String> ids) {
        return ids.stream().filter(id -> lookUp(call, id).isPresent()).toList();
    }

    /** The task with its result, its error or its questions. Fails with {@link RpcException}. */
    public Future<ObjectNode> get(RpcCall call, String id) {
        return run(
                call,
                id,
                found -> found.task().work().relayed()
                        ? relayed(call, found, "tasks/get", null)
                                .map(answer -> RelayedTask.detailed(found.task(), answer, call.view(), results))
                        : tasks.detailed(found.task())
                                .map(Task::detailed)
                                .recover(failure -> Future.failedFuture(new RpcException(
                                        RpcError.UNAVAILABLE, "The task can't be read now. Try again later."))));
    }

    /** The same without private data, for notifications. */
    public Future<ObjectNode> shown(RpcCall call, String id) {
        return get(call, id).compose(task -> services.redactor().result(call.principal(), task));
    }

    /** Answers what the task asks. Fails with {@link RpcException}. */
    public Future<Void> update(RpcCall call, String id, ObjectNode responses) {
        return run(call, id, found -> {
            if (found.task().work().relayed()) {
                return relayed(call, found, "tasks/update", responses).mapEmpty();
            }
            tasks.answer(id, responses);
            return Future.succeededFuture();
        });
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

    /** Runs {@code news} when the task may have changed, on any thread; returns what ends that. */
    public Runnable listen(RpcCall call, String id, Runnable news) {
        boolean relayed =
                lookUp(call, id).map(found -> found.task().work().relayed()).orElse(false);
        return relayed ? tasks.eachTick(news) : tasks.listen(id, _ -> news.run());
    }

    /** Whether {@code failure} says that there is no such task. */
    public static boolean unknown(Throwable failure) {
        return failure instanceof RpcException error && error.error() == RpcError.INVALID_PARAMS;
    }

    private interface Use<T> {
        Future<T> of(KnownTask found);
    }

    private <T> Future<T> run(RpcCall call, String id, Use<T> use) {
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

    private Optional<KnownTask> lookUp(RpcCall call, String id) {
        return tasks.find(call.principal().identity(), id).flatMap(task -> {
            TaskWork work = task.work();
            return call.view().tools().stream()
                    .filter(tool -> tool.backend().equals(work.backend())
                            && tool.descriptor().name().equals(work.tool()))
                    .findFirst()
                    .flatMap(tool -> caller(call, tool, work).map(caller -> new KnownTask(task, tool, caller)));
        });
    }

    private Optional<Caller> caller(RpcCall call, PublishedTool tool, TaskWork work) {
        return new Requester(call.principal(), call.view()).decide(services.policy(), tool, work.resources())
                        instanceof AccessPolicy.PolicyDecision.Allowed allowed
                ? Optional.of(allowed.caller())
                : Optional.empty();
    }

    private Future<ObjectNode> relayed(
            RpcCall call, KnownTask found, String method, @Nullable ObjectNode inputResponses) {
        TaskWork work = found.task().work();
        PendingCall pending = services.outbound()
                .send(
                        work.backend(),
                        new BackendRequest.RelayTask(method, String.valueOf(work.upstreamId()), inputResponses),
                        found.caller(),
                        call.acceptingTasks()
                                .options(work.backend(), services.settings().requestTimeout()));
        call.cancellation().ends(Cancellation.Work.READS, pending::cancel);
        return pending.reply().map(reply -> result(reply, found.task(), method));
    }

    private ObjectNode result(BackendReply reply, Task task, String method) {
        return switch (reply) {
            case RelayedReply.RelayedResult answer -> answer.result();
            case RelayedReply.CapabilitiesMissing missing -> throw InputRequiredResults.capabilitiesMissing(missing);
            case ToolReply.Failed failed -> throw failure(failed, task, method);
            default ->
                throw new IllegalStateException("a request about a task was answered with "
                        + reply.getClass().getSimpleName());
        };
    }

    private RpcException failure(ToolReply.Failed failed, Task task, String method) {
        boolean refused = failed.kind() == FailureKind.INVALID_ARGUMENT || failed.kind() == FailureKind.NOT_FOUND;
        if (refused && method.equals("tasks/get")) {
            tasks.forget(task.id()); // its server has forgotten it
            return missing();
        }
        return new RpcException(refused ? RpcError.INVALID_PARAMS : RpcError.INTERNAL, failed.message());
    }
}
