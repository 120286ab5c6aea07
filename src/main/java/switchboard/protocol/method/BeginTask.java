package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.auth.Budget;
import switchboard.call.Arguments;
import switchboard.call.BackendEvent;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.RelayedReply;
import switchboard.call.TaskRequest;
import switchboard.call.ToolException;
import switchboard.protocol.Cancellation;
import switchboard.protocol.MetaKeys;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.RequestRunner;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcResult;
import switchboard.protocol.TaskExtension;
import switchboard.task.Task;
import switchboard.task.TaskCall;
import switchboard.task.TaskState;
import switchboard.task.TaskStore;
import switchboard.task.TaskWork;

/**
 * Decides whether a call becomes a task: if its client knows tasks, there is room, and the tool may take long or another
 * server has made it a task. Without room the client gets what other clients get. The work of tasks begins in turn.
 */
final class BeginTask {
    private static final Logger LOG = LoggerFactory.getLogger(BeginTask.class);
    private static final int LONGEST_ID = 1024;
    private static final int LONGEST_PAUSE = 60;

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
        RpcCall call = tool.call();
        if (!TaskExtension.declared(call)) {
            return work.apply(tool);
        }
        if (tool.descriptor().relayed()) {
            return work.apply(tasks.hasRoom(call.principal().identity()) ? tool.in(call.acceptingTasks()) : tool);
        }
        if (!tool.descriptor().limits().longRunning()) {
            return work.apply(tool);
        }
        return tasks.begin(made(tool, arguments, null), tasks.limits().ttl())
                .compose(begun -> begun.map(task -> goOn(tool, task, work)).orElseGet(() -> work.apply(tool)));
    }

    private static TaskCall made(RequestedTool tool, Arguments arguments, @Nullable String upstreamId) {
        return new TaskCall(
                tool.call().principal().identity(),
                tool.backend(),
                tool.descriptor().name(),
                tool.descriptor().resources(arguments),
                upstreamId);
    }

    private Future<RpcResult> goOn(RequestedTool tool, Task task, Work work) {
        RpcCall call = tool.call();
        if (call.cancellation().cancelled()) {
            tasks.forget(task.id()); // nobody knows its id
        } else {
            Budget.Lease lease = call.operation().handOver();
            Cancellation ending = new Cancellation();
            RpcCall detached = call.detached(ending, event -> progress(task.id(), event), services.tracing());
            if (lease != null) {
                detached.operation().lease(lease);
            }
            tasks.runs(task.id(), new Running(tool.in(detached), task.id(), work, ending));
        }
        return Future.succeededFuture(created(task.fields()));
    }

    private void progress(String id, BackendEvent event) {
        if (event instanceof BackendEvent.CallProgress progress) {
            tasks.progress(id, text(progress));
        }
    }

    private static RpcResult created(ObjectNode fields) {
        return new RpcResult.Tree(fields.put("resultType", "task"));
    }

    /** The work of one task. Its fields are used on the event loop of its call. */
    private final class Running implements TaskWork {
        private final RequestedTool tool;
        private final String id;
        private final Work work;
        private final Cancellation ending;
        private final long since = System.nanoTime();
        private boolean begun;
        private @Nullable Promise<Void> pausing;

        Running(RequestedTool tool, String id, Work work, Cancellation ending) {
            this.tool = tool;
            this.id = id;
            this.work = work;
            this.ending = ending;
        }

        @Override
        public void begin(Runnable over) {
            tool.call().loop().execute(() -> {
                if (begun) {
                    over.run(); // it was cancelled
                } else {
                    begun = true;
                    run(over);
                }
            });
        }

        @Override
        public void cancel() {
            tool.call().loop().execute(() -> {
                ending.cancel();
                if (pausing != null) {
                    pausing.tryComplete();
                }
                if (!begun) {
                    begun = true;
                    record();
                }
            });
        }

        private void run(Runnable over) {
            Futures.finish(
                    runner.runDetached(tool.call(), () -> attempt(1))
                            .map(this::state)
                            .otherwise(this::defect)
                            .compose(last -> tasks.end(id, last)),
                    _ -> over.run(),
                    _ -> over.run());
        }

        private TaskState defect(Throwable failure) {
            LOG.error("the task of request {} failed", tool.operation().requestId(), failure);
            return TaskState.lost("Internal error; the log has details.");
        }

        private Duration left() {
            Duration left = tasks.limits().timeout().minusNanos(System.nanoTime() - since);
            return left.isPositive() ? left : Duration.ofMillis(1);
        }

        /** While there is no room for its call, a task waits, for {@code seconds} and then for longer and longer. */
        private Future<RpcResult> attempt(int seconds) {
            return work.apply(tool.within(left())).compose(result -> {
                if (!overloaded(result) || ending.cancelled() || left().toSeconds() <= seconds) {
                    return Future.succeededFuture(result);
                }
                tasks.progress(id, "There is no room for its call now. It is tried again.");
                tool.operation().triedAgain();
                return pause(seconds)
                        .compose(_ -> ending.cancelled() ? cancelled() : attempt(Math.min(2 * seconds, LONGEST_PAUSE)));
            });
        }

        private Future<Void> pause(int seconds) {
            Promise<Void> over = Promise.promise();
            pausing = over;
            AtomicInteger left = new AtomicInteger(seconds);
            Runnable ticks = tasks.eachTick(() -> {
                if (left.decrementAndGet() <= 0) {
                    tool.call().loop().execute(over::tryComplete);
                }
            });
            return over.future().onComplete(_ -> ticks.run());
        }

        /** Ends the call of a task that was cancelled before its work began. */
        private void record() {
            Futures.finish(
                    runner.runDetached(tool.call(), this::cancelled),
                    _ -> {},
                    failure -> LOG.error(
                            "the cancelled task of request {} could not be recorded",
                            tool.operation().requestId(),
                            failure));
        }

        /** What is recorded as the result of a call that was not made; the task has ended already. */
        private Future<RpcResult> cancelled() {
            tool.operation().failed(FailureKind.CANCELLED.name());
            return Future.succeededFuture(RpcResult.empty());
        }

        private TaskState state(JsonNode answer) {
            return answer.path("error") instanceof ObjectNode error
                    ? TaskState.failed(error)
                    : TaskState.completed(bounded((ObjectNode) answer.path("result")));
        }

        private ObjectNode bounded(ObjectNode result) {
            return results.bounded(
                    result,
                    tasks.limits().resultBytes(),
                    tool.descriptor().answer().errorStyle());
        }
    }

    private static boolean overloaded(RpcResult result) {
        return result.fields()
                .path("_meta")
                .path(MetaKeys.ERROR)
                .path("kind")
                .asText()
                .equals(FailureKind.OVERLOADED.name());
    }

    private static String text(BackendEvent.CallProgress progress) {
        String done = (long) progress.progress()
                + (progress.total() == null ? "" : " of " + progress.total().longValue());
        return progress.message() == null ? done : progress.message() + " (" + done + ")";
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
        if (!RelayedTask.hasStatus(begun.task())) {
            return givenUp(tool, caller, upstreamId, "has begun a task without a status");
        }
        return tasks.begin(made(tool, arguments, upstreamId), ttl(begun.task().path("ttlMs")))
                .compose(kept -> kept.map(task -> told(tool, caller, task, begun))
                        .orElseGet(() -> givenUp(
                                tool, caller, upstreamId, "has begun a task, but no more tasks can be kept now")));
    }

    private Future<RpcResult> told(RequestedTool tool, Caller caller, Task task, RelayedReply.TaskBegun begun) {
        if (tool.call().cancellation().cancelled()) {
            tasks.forget(task.id()); // nobody knows its id
            return givenUp(tool, caller, begun.id(), "has begun a task, but its caller has gone");
        }
        return Future.succeededFuture(created(RelayedTask.created(task, begun.task())));
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
                        new BackendRequest.RelayTask(TaskRequest.CANCEL, upstreamId, null),
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
