package switchboard.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * What has become of a task.
 *
 * @param message the same in words, or null
 * @param detail the content of the field {@link TaskStatus#detail()}, or null if there is none or it is only in the file; must
 *     not be changed
 */
public record TaskState(
        TaskStatus status,
        @Nullable String message,
        @Nullable ObjectNode detail) {
    /** Under way, without a message. */
    public static final TaskState WORKING = new TaskState(TaskStatus.WORKING, null, null);

    /** It was cancelled. */
    public static final TaskState CANCELLED = new TaskState(TaskStatus.CANCELLED, "The task was cancelled.", null);

    private static final int INTERNAL_ERROR = -32603; // RpcError.INTERNAL, which is above this package

    /** Its work is under way, and what it does now is {@code message}. */
    public static TaskState working(String message) {
        return new TaskState(TaskStatus.WORKING, message, null);
    }

    /** It was answered with the result {@code result}. */
    public static TaskState completed(ObjectNode result) {
        return new TaskState(TaskStatus.COMPLETED, null, result);
    }

    /** It was answered with the JSON-RPC error {@code error}. */
    public static TaskState failed(ObjectNode error) {
        return new TaskState(TaskStatus.FAILED, error.path("message").asText(), error);
    }

    /** The gateway could not finish it. */
    public static TaskState lost(String why) {
        return failed(Json.object().put("code", INTERNAL_ERROR).put("message", why));
    }
}
