package switchboard.backend.mcp.peer;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How to start the server of a stdio transport.
 *
 * @param command the program and its arguments
 * @param folder its working folder, or null for the gateway's
 * @param environment all of its environment variables; some are secret
 */
public record StdioServerParameters(
        List<String> command, @Nullable Path folder, Map<String, String> environment) {
    public StdioServerParameters {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /** Does not contain arguments and variables, which may be secret. */
    @Override
    public String toString() {
        return "StdioServerParameters[" + command.getFirst() + "]";
    }
}
