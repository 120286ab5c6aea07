package switchboard.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
    private static final Logger LOG = LoggerFactory.getLogger(HeldTools.class);

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
        List<HeldDefinition> waiting = file.read().waiting();
        List<String> approved = choice.apply(waiting);
        if (approved.isEmpty()) {
            return approved;
        }
        Map<String, String> hashes = waiting.stream()
                .filter(one -> approved.contains(one.tool()))
                .collect(Collectors.toMap(HeldDefinition::tool, HeldDefinition::hash));
        if (config.cluster() == null) {
            file.approve(hashes);
        } else {
            new OperatorCommands(config.cluster()).approve(backend, hashes);
            written(file, backend, hashes);
        }
        return approved;
    }

    /** What is decided for all gateways holds whatever the file says. */
    private static void written(ApprovalFile file, String backend, Map<String, String> hashes) {
        try {
            file.approve(hashes);
        } catch (IOException e) {
            LOG.warn(
                    "{}: what is approved holds, but can't be written into the file of its approvals: {}",
                    backend,
                    e.toString());
        }
    }
}
