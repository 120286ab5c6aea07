package peer;

import io.quarkiverse.mcp.server.ToolManager;
import io.quarkiverse.mcp.server.ToolResponse;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** A tool that answers what it is given, on the event loop, and as many others as the list is to have. */
public class PeerTools {
    private static final int PARAMETERS = 4;

    void register(@Observes StartupEvent start, ToolManager tools, @ConfigProperty(name = "peer.tools") int count) {
        tools.newTool("echo")
                .setDescription("Answers what it is given.")
                .addArgument("value", "The value.", true, String.class)
                .setAsyncHandler(call -> Uni.createFrom()
                        .item(ToolResponse.success((String) call.args().get("value"))))
                .register();
        for (int i = 1; i < count; i++) {
            register(tools, i);
        }
    }

    /** Descriptions and parameters about as long as the gateway's. */
    private static void register(ToolManager tools, int number) {
        ToolManager.ToolDefinition tool = tools.newTool("tool_" + number)
                .setDescription("What the tool is for and when an agent should choose it. ".repeat(5));
        for (int i = 0; i < PARAMETERS; i++) {
            tool.addArgument(
                    "parameter_" + i,
                    "What this parameter of the tool means and what may be given. ".repeat(2),
                    true,
                    String.class);
        }
        tool.setAsyncHandler(call -> Uni.createFrom().item(ToolResponse.success("done"))).register();
    }
}
