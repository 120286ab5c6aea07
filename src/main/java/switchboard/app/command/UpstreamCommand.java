package switchboard.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.app.BackendTypes;
import switchboard.app.HeldTools;
import switchboard.backend.mcp.ApprovalFile;
import switchboard.call.Json;
import switchboard.cluster.OperatorCommands;
import switchboard.config.BackendConfig;

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
            HeldTools tools = new HeldTools(
                    options.load(BackendTypes.shipped()), options.installation().data());
            for (String backend : tools.backends()) {
                for (ApprovalFile.HeldDefinition definition : tools.of(backend)) {
                    out.println(backend + " " + Json.text(definition.definition()));
                    held++;
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
            HeldTools held = new HeldTools(
                    options.load(BackendTypes.shipped()), options.installation().data());
            if (!held.backends().contains(backend)) {
                throw wrongUsage("There is no backend \"" + backend + "\" of the type " + BackendConfig.MCP + ".");
            }
            if (all != tools.isEmpty()) {
                throw wrongUsage("Name the tools, or use --all.");
            }
            List<String> approved = held.approve(backend, this::chosen);
            out().println(approved.isEmpty() ? "Nothing is held back." : "Approved: " + String.join(", ", approved));
            return 0;
        }

        private List<String> chosen(List<ApprovalFile.HeldDefinition> waiting) {
            List<String> names =
                    waiting.stream().map(ApprovalFile.HeldDefinition::tool).toList();
            for (String tool : tools) {
                if (!names.contains(tool)) {
                    throw wrongUsage("No definition of \"" + tool + "\" is held back at " + backend + ".");
                }
            }
            return all ? names : tools;
        }
    }
}
