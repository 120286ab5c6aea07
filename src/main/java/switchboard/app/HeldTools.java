package switchboard.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import switchboard.backend.mcp.ApprovalFile;
import switchboard.backend.mcp.ApprovalFile.HeldDefinition;
import switchboard.cluster.OperatorCommands;
import switchboard.config.BackendConfig;
import switchboard.config.GatewayConfig;

/**
 * The definitions of other servers' tools that are held back, for commands and for the console. A running gateway notices an
 * approval within seconds, with {@code cluster} in the configuration all gateways. Blocks.
 *
 * @param data the data folder
 */
public record HeldTools(GatewayConfig config, Path data) {
    /** The backends that are other servers, in the order of their ids. */
    public List<String> backends() {
        return config.backends().entrySet().stream()
                .filter(backend -> backend.getValue().type().equals(BackendConfig.MCP))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** What is held back of {@code backend}, by the names of the tools. */
    public List<HeldDefinition> of(String backend) throws IOException {
        return new ApprovalFile(data, backend).read().waiting();
    }

    /**
     * Approves definitions of {@code backend}.
     *
     * @param choice the names of those that are approved, of all that are held back
     * @return these names
     */
    public List<String> approve(String backend, Function<List<HeldDefinition>, List<String>> choice)
            throws IOException, OperatorCommands.NotDecidedException {
        ApprovalFile file = new ApprovalFile(data, backend);
        ApprovalFile.ToolApprovals approvals = file.read();
        List<String> approved = choice.apply(approvals.waiting());
        if (approved.isEmpty()) {
            return approved;
        }
        ApprovalFile.ToolApprovals more = approvals.approve(approved);
        if (config.cluster() != null) {
            Map<String, String> hashes = new TreeMap<>(more.approved());
            hashes.keySet().retainAll(approved);
            new OperatorCommands(config.cluster()).approve(backend, hashes);
        }
        file.write(more);
        return approved;
    }
}
