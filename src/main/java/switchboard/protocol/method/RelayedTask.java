package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.RelayedReply;
import switchboard.catalog.View;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.task.Task;
import switchboard.task.TaskStatus;

/** Tasks of other servers as clients of the gateway see them: with the gateway's id, times and names. */
final class RelayedTask {
    private RelayedTask() {}

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

    /** The same with the result, the error or the questions. */
    static ObjectNode detailed(Task task, ObjectNode ofServer, View view, ToolResults results) {
        ObjectNode fields = created(task, ofServer);
        status(ofServer).detail().ifPresent(name -> {
            if (!(ofServer.path(name) instanceof ObjectNode detail)) {
                throw new RpcException(
                        RpcError.INTERNAL, "The server of this task has answered without \"" + name + "\".");
            }
            fields.set(
                    name,
                    name.equals("result")
                            ? ResourceNames.shown(
                                    view,
                                    task.work().backend(),
                                    results.relayed(
                                            new RelayedReply.RelayedResult(detail), ProtocolVersion.V2026_07_28))
                            : detail);
        });
        return fields;
    }

    private static TaskStatus status(ObjectNode ofServer) {
        return TaskStatus.of(ofServer.path("status").asText())
                .orElseThrow(() ->
                        new RpcException(RpcError.INTERNAL, "The server of this task has answered without a status."));
    }
}
