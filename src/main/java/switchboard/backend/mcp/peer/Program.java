package switchboard.backend.mcp.peer;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server's program.
 *
 * @param command its name and arguments
 * @param folder where it runs, or null for the gateway's own folder
 * @param environment all variables that it sees; some are secret
 */
public record Program(List<String> command, @Nullable Path folder, Map<String, String> environment) {
    public Program {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /** Arguments may be secret, variables are. */
    @Override
    public String toString() {
        return "Program[" + command.getFirst() + "]";
    }
}
