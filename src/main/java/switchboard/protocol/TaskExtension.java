package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.CallingClient;
import switchboard.call.Json;
import switchboard.dispatch.ClientInteraction;

/** The extension for tasks, as clients and servers declare it. */
public final class TaskExtension {
    /** Its identifier. */
    public static final String ID = "io.modelcontextprotocol/tasks";

    /** The notification with the state of a task. */
    public static final String NOTIFICATION = "notifications/tasks";

    /** The method under which the work of a task is recorded in metrics and logs. */
    public static final String RECORDED_METHOD = "task";

    private static final String EXTENSIONS = "extensions";

    private TaskExtension() {}

    /** Whether the client of {@code call} has declared it. Before 2026-07-28 nobody can. */
    public static boolean declared(RpcCall call) {
        return call.version().modern() && in(call.client().capabilities());
    }

    private static boolean in(JsonNode capabilities) {
        return capabilities.path(EXTENSIONS).path(ID).isObject();
    }

    /** Adds it to the capabilities of the server. */
    public static void declare(ObjectNode capabilities) {
        capabilities.withObjectProperty(EXTENSIONS).putObject(ID);
    }

    /** The error for a client that has to declare it. */
    public static RpcException missing() {
        ObjectNode data = Json.object();
        declare(data.putObject("requiredCapabilities"));
        return new RpcException(
                RpcError.MISSING_CAPABILITY,
                "Tasks are for clients that declare " + ID + " under \"extensions\" of their capabilities.",
                data);
    }

    /** {@code interaction} with a client that has not declared it. */
    static ClientInteraction without(ClientInteraction interaction) {
        CallingClient client = interaction.client();
        if (!client.capabilities().path(EXTENSIONS).has(ID)) {
            return interaction;
        }
        ObjectNode others = client.capabilities().deepCopy();
        others.withObjectProperty(EXTENSIONS).remove(ID);
        if (others.path(EXTENSIONS).isEmpty()) {
            others.remove(EXTENSIONS);
        }
        return interaction.declaring(others);
    }
}
