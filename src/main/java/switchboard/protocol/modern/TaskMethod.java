package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import switchboard.call.TaskRequest;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;
import switchboard.protocol.TaskExtension;
import switchboard.protocol.method.CallerTasks;
import switchboard.task.TaskStore;

/** {@code tasks/get}, {@code tasks/update} and {@code tasks/cancel}. */
final class TaskMethod implements MethodHandler {
    /** What one of the methods does with the task of that id. */
    private interface Action {
        Future<RpcResult> on(RpcCall call, String id);
    }

    private final TaskRequest request;
    private final TaskStore tasks;
    private final Action action;

    private TaskMethod(TaskRequest request, TaskStore tasks, Action action) {
        this.request = request;
        this.tasks = tasks;
        this.action = action;
    }

    /** The handlers of the three methods, for {@link ModernEndpoint}. */
    static List<MethodHandler> all(ProtocolServices services, CallerTasks tasks) {
        return List.of(
                new TaskMethod(TaskRequest.GET, services.tasks(), (call, id) -> tasks.get(call, id)
                        .map(RpcResult.Tree::new)),
                new TaskMethod(
                        TaskRequest.UPDATE, services.tasks(), (call, id) -> tasks.update(call, id, responses(call))
                                .map(_ -> RpcResult.empty())),
                new TaskMethod(TaskRequest.CANCEL, services.tasks(), (call, id) -> tasks.cancel(call, id)
                        .map(_ -> RpcResult.empty())));
    }

    private static ObjectNode responses(RpcCall call) {
        if (call.params().path("inputResponses") instanceof ObjectNode responses) {
            return responses;
        }
        throw new RpcException(RpcError.INVALID_PARAMS, "\"inputResponses\" must be an object.");
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        if (tasks.limits().most() == 0) {
            throw new RpcException(RpcError.METHOD_NOT_FOUND, "This gateway has no tasks.");
        }
        if (!TaskExtension.declared(call)) {
            throw TaskExtension.missing();
        }
        if (!tasks.readable()) {
            throw new RpcException(
                    RpcError.UNAVAILABLE,
                    "The tasks can't be read now: another process has them, or their folder is not available. Try again"
                            + " later.");
        }
        return action.on(call, call.requiredText("taskId"));
    }
}
