package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.auth.Budget;
import switchboard.call.Arguments;
import switchboard.call.BackendEvent;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.catalog.ToolDescriptor.ErrorStyle;
import switchboard.protocol.Cancellation;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.RequestRunner;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;
import switchboard.protocol.TaskExtension;
import switchboard.task.Task;
import switchboard.task.TaskControl;
import switchboard.task.TaskState;
import switchboard.task.TaskStore;
import switchboard.task.TaskWork;

/**
 * Decides whether a call becomes a task: if its client knows tasks, there is room, and the tool may take long or another
 * server has made it a task. Without room the client gets what other clients get.
 */
final class BeginTask {
    private static final int LONGEST_ID = 1024;

    private final ProtocolServices services;
    private final TaskStore tasks;
    private final RequestRunner runner;
    private final ToolResults results = new ToolResults();

    BeginTask(ProtocolServices services) {
        this.services = services;
        this.tasks = services.tasks();
        this.runner = new RequestRunner(services);
    }

    /** The work of a call, for the request or for a task. */
    interface Work extends Function<RequestedTool, Future<RpcResult>> {}

    /** Runs {@code work} and answers with its result, or has it go on after this answer. */
    Future<RpcResult> begin(RequestedTool tool, Arguments arguments, Work work) {
        if (!TaskExtension.declared(tool.call())
                || !tasks.hasRoom(tool.call().principal().identity())) {
            return work.apply(tool);
        }
        if (tool.descriptor().relayed()) {
            return work.apply(tool.in(tool.call().acceptingTasks()));
        }
        return tool.descriptor().limits().longRunning()
                ? tasks.begin(work(tool, arguments, null), tasks.limits().ttl())
                        .compose(begun -> begun.map(task -> goOn(tool, arguments, task, work))
                                .orElseGet(() -> work.apply(tool)))
                : work.apply(tool);
    }

    private static TaskWork work(RequestedTool tool, Arguments arguments, @Nullable String upstreamId) {
        return new TaskWork(
                tool.call().principal().identity(),
                tool.backend(),
                tool.descriptor().name(),
                tool.descriptor().resources(arguments),
                upstreamId);
    }

    private Future<RpcResult> goOn(RequestedTool tool, Arguments arguments, Task task, Work work) {
        RpcCall call = tool.call();
        if (call.cancellation().cancelled()) {
            tasks.forget(task.id()); // nobody knows its id
        } else {
            Budget.Lease lease = call.operation().handOver();
            Running running = new Running(tool, arguments, task.id(), work);
            running.control(call, null);
            running.round(call, lease);
        }
        return Future.succeededFuture(created(task.fields()));
    }

    private static RpcResult created(ObjectNode fields) {
        return new RpcResult.Tree(fields.put("resultType", "task"));
    }

    /** The work of one task. Used on the event loop of its request. */
    private final class Running {
        private final RequestedTool tool;
        private final Arguments arguments;
        private final String id;
        private final Work work;
        private final Cancellation ending = new Cancellation();

        Running(RequestedTool tool, Arguments arguments, String id, Work work) {
            this.tool = tool;
            this.arguments = arguments;
            this.id = id;
            this.work = work;
        }

        /** Runs it, with the client's answers that are in {@code call}. */
        void round(RpcCall call, Budget.@Nullable Lease lease) {
            RpcCall detached = call.detached(ending, this::progress, services.tracing());
            detached.operation().tool(tool.name());
            detached.operation().resources(tool.descriptor().resources(arguments));
            if (lease != null) {
                detached.operation().lease(lease);
            }
            RequestedTool part = tool.asTask(detached, tasks.limits().timeout());
            Futures.finish(
                    runner.runDetached(detached, () -> work.apply(part)),
                    answer -> answered(call, answer),
                    failure -> tasks.end(id, TaskState.lost("Internal error; the log has details.")));
        }

        private void answered(RpcCall call, JsonNode answer) {
            if (answer.path("error") instanceof ObjectNode error) {
                tasks.end(id, TaskState.failed(error));
                return;
            }
            ObjectNode result = (ObjectNode) answer.path("result");
            if (result.path("resultType").asText().equals("input_required")
                    && result.path("inputRequests") instanceof ObjectNode requests) {
                control(call, result.get("requestState"));
                tasks.ask(id, requests);
            } else {
                tasks.end(id, TaskState.completed(bounded(result)));
            }
        }

        /** Has the task be cancelled, and go on with answers to what was asked with {@code state}. */
        void control(RpcCall call, @Nullable JsonNode state) {
            Executor loop = call.loop();
            tasks.runs(id, new TaskControl() {
                @Override
                public void cancel() {
                    loop.execute(ending::cancel);
                }

                @Override
                public void answered(ObjectNode responses) {
                    loop.execute(() -> round(call.answering(responses, state), null));
                }
            });
        }

        private void progress(BackendEvent event) {
            if (event instanceof BackendEvent.CallProgress progress) {
                tasks.progress(id, text(progress));
            }
        }
    }

    private static String text(BackendEvent.CallProgress progress) {
        String done = (long) progress.progress()
                + (progress.total() == null ? "" : " of " + progress.total().longValue());
        return progress.message() == null ? done : progress.message() + " (" + done + ")";
    }

    private ObjectNode bounded(ObjectNode result) {
        int most = tasks.limits().resultBytes();
        int bytes = Json.bytes(result).length;
        return bytes <= most
                ? result
                : results.failed(
                        new ToolReply.Failed(
                                FailureKind.INVALID_ARGUMENT,
                                "The work was done, but its result has " + bytes + " bytes, more than the " + most
                                        + " that are kept for a task. Call without the extension for tasks to see it."),
                        ErrorStyle.SENTENCE);
    }

    /**
     * Keeps the task that another server has begun for the call, under an id of the gateway's.
     *
     * @return the result; fails with {@link ToolException} if it can't be kept, and the server is told to cancel it
     */
    Future<RpcResult> relayed(RequestedTool tool, Arguments arguments, Caller caller, RelayedReply.TaskBegun begun) {
        String upstreamId = begun.id();
        if (upstreamId.isEmpty() || upstreamId.length() > LONGEST_ID) {
            return Future.failedFuture(refused(tool, "has begun a task without a usable id"));
        }
        if (!tool.call().acceptsTasks()) {
            return givenUp(tool, caller, upstreamId, "has begun a task, which it was not allowed to");
        }
        return tasks.begin(work(tool, arguments, upstreamId), ttl(begun.task().path("ttlMs")))
                .compose(kept -> kept.map(
                                task -> Future.succeededFuture(created(RelayedTask.created(task, begun.task()))))
                        .orElseGet(() -> givenUp(
                                tool, caller, upstreamId, "has begun a task, but no more tasks can be kept now")));
    }

    private Duration ttl(JsonNode ofServer) {
        Duration longest = tasks.limits().ttl();
        return ofServer.isIntegralNumber() && ofServer.canConvertToLong() && ofServer.asLong() > 0
                ? Duration.ofMillis(Math.min(longest.toMillis(), ofServer.asLong()))
                : longest;
    }

    private Future<RpcResult> givenUp(RequestedTool tool, Caller caller, String upstreamId, String why) {
        services.outbound()
                .send(
                        tool.backend(),
                        new BackendRequest.RelayTask("tasks/cancel", upstreamId, null),
                        caller,
                        tool.call()
                                .acceptingTasks()
                                .options(tool.backend(), services.settings().requestTimeout()));
        return Future.failedFuture(refused(tool, why));
    }

    private static ToolException refused(RequestedTool tool, String why) {
        return new ToolException(FailureKind.UNAVAILABLE, tool.backend() + " " + why + ". Try again later.");
    }
}
