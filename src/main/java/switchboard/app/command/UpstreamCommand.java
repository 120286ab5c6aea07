package switchboard.app.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.app.BackendTypes;
import switchboard.backend.mcp.ApprovalFile;
import switchboard.call.Json;
import switchboard.cluster.OperatorCommands;
import switchboard.config.BackendConfig;
import switchboard.config.GatewayConfig;

/** {@code switchboard upstream}. */
@Command(
        name = "upstream",
        description = "Show and approve changed tool definitions of other servers, which are held back until then.",
        subcommands = {UpstreamCommand.Held.class, UpstreamCommand.Approve.class},
        footer = "  switchboard upstream held")
public final class UpstreamCommand {
    /** {@code switchboard upstream held}. */
    @Command(
            name = "held",
            description = "Print the definitions that are held back, as their servers gave them.",
            footer = "  switchboard upstream held")
    static final class Held extends PrintingCommand implements Callable<Integer> {
        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Override
        public Integer call() throws IOException {
            Logging.forPeople();
            PrintWriter out = out();
            int held = 0;
            Map<String, BackendConfig> backends =
                    new TreeMap<>(options.load(BackendTypes.shipped()).backends());
            for (Map.Entry<String, BackendConfig> backend : backends.entrySet()) {
                if (backend.getValue().type().equals(BackendConfig.MCP)) {
                    ApprovalFile.ToolApprovals approvals =
                            new ApprovalFile(options.installation().data(), backend.getKey()).read();
                    for (ObjectNode definition : new TreeMap<>(approvals.held()).values()) {
                        out.println(backend.getKey() + " " + Json.text(definition));
                        held++;
                    }
                }
            }
            if (held == 0) {
                out.println("Nothing is held back.");
            }
            return 0;
        }
    }

    /** {@code switchboard upstream approve}. */
    @Command(
            name = "approve",
            description =
                    "Approve definitions that are held back; a running gateway notices within seconds, with \"cluster\" in the"
                            + " configuration all gateways.",
            footer = "  switchboard upstream approve tickets create_ticket close_ticket")
    static final class Approve extends PrintingCommand implements Callable<Integer> {
        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Parameters(index = "0", paramLabel = "BACKEND", description = "The id of the backend.")
        @SuppressWarnings("NullAway.Init") // required
        private String backend;

        @Parameters(index = "1..*", paramLabel = "TOOL", description = "The tools, by their names at their server.")
        private List<String> tools = new ArrayList<>();

        @Option(names = "--all", description = "All tools of the backend that are held back.")
        private boolean all;

        @Override
        public Integer call() throws IOException, OperatorCommands.NotDecidedException {
            Logging.forPeople();
            GatewayConfig gateway = options.load(BackendTypes.shipped());
            BackendConfig config = gateway.backends().get(backend);
            if (config == null || !config.type().equals(BackendConfig.MCP)) {
                throw wrongUsage("There is no backend \"" + backend + "\" of the type " + BackendConfig.MCP + ".");
            }
            if (all != tools.isEmpty()) {
                throw wrongUsage("Name the tools, or use --all.");
            }
            ApprovalFile file = new ApprovalFile(options.installation().data(), backend);
            ApprovalFile.ToolApprovals approvals = file.read();
            List<String> approved = all ? List.copyOf(new TreeMap<>(approvals.held()).keySet()) : tools;
            for (String tool : approved) {
                if (!approvals.held().containsKey(tool)) {
                    throw wrongUsage("No definition of \"" + tool + "\" is held back at " + backend + ".");
                }
            }
            ApprovalFile.ToolApprovals more = approvals.approve(approved);
            if (gateway.cluster() != null && !approved.isEmpty()) {
                Map<String, String> hashes = new TreeMap<>(more.approved());
                hashes.keySet().retainAll(approved);
                new OperatorCommands(gateway.cluster()).approve(backend, hashes);
            }
            file.write(more);
            out().println(approved.isEmpty() ? "Nothing is held back." : "Approved: " + String.join(", ", approved));
            return 0;
        }
    }
}
