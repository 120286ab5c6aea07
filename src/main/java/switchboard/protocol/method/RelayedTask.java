package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.UnaryOperator;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.task.Task;
import switchboard.task.TaskStatus;

/** Tasks of other servers as clients of the gateway see them: with the gateway's id, times and names. */
final class RelayedTask {
    private RelayedTask() {}

    /** Whether the state that {@code ofServer} tells has a known status. */
    static boolean hasStatus(ObjectNode ofServer) {
        return TaskStatus.of(ofServer.path("status").asText()).isPresent();
    }

    /** The fields of {@code task} in the state that {@code ofServer} tells. */
    static ObjectNode created(Task task, ObjectNode ofServer) {
        ObjectNode fields = task.fields();
        fields.put("status", status(ofServer).word());
        for (String name : new String[] {"statusMessage", "lastUpdatedAt"}) {
            if (ofServer.path(name).isTextual()) {
                fields.set(name, ofServer.path(name));
            }
        }
        JsonNode pause = ofServer.path("pollIntervalMs");
        if (pause.canConvertToInt() && pause.asInt() > 0) {
            fields.put("pollIntervalMs", pause.asInt());
        }
        return fields;
    }

    /**
     * The same with the result, the error or the questions.
     *
     * @param shown makes of its result what the caller sees
     */
    static ObjectNode detailed(Task task, ObjectNode ofServer, UnaryOperator<ObjectNode> shown) {
        ObjectNode fields = created(task, ofServer);
        status(ofServer).detail().ifPresent(name -> {
            if (!(ofServer.path(name) instanceof ObjectNode detail)) {
                throw new RpcException(
                        RpcError.INTERNAL, "The server of this task has answered without \"" + name + "\".");
            }
            fields.set(name, name.equals("result") ? shown.apply(detail) : detail);
        });
        return fields;
    }

    private static TaskStatus status(ObjectNode ofServer) {
        return TaskStatus.of(ofServer.path("status").asText())
                .orElseThrow(() ->
                        new RpcException(RpcError.INTERNAL, "The server of this task has answered without a status."));
    }
}
