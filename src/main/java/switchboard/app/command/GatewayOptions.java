package switchboard.app.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import switchboard.app.BackendTypes;
import switchboard.app.InsightAccess;
import switchboard.app.Installation;
import switchboard.config.ConfigLoader;
import switchboard.config.GatewayConfig;
import switchboard.config.Overrides;

/** The options of every command that reads the configuration. */
final class GatewayOptions {
    /** What counts instead of the file for a gateway that a command starts for itself: free ports on this machine, no console. */
    static final Map<String, String> FOR_A_COMMAND =
            Map.of("server.host", "127.0.0.1", "server.port", "0", "management.port", "0", "console.enabled", "false");

    @Option(names = "--config", paramLabel = "FILE", description = "Configuration; by default conf/switchboard.yaml.")
    private @Nullable Path config;

    @Option(names = "--data", paramLabel = "DIR", description = "Folder that relative data folders are below.")
    private @Nullable Path data;

    @Option(names = "--host", paramLabel = "ADDRESS", description = "Address to listen on.")
    private @Nullable String host;

    @Option(names = "--port", paramLabel = "PORT", description = "Port to listen on; 0 means any free port.")
    private @Nullable String port;

    @Option(names = "--management-port", paramLabel = "PORT", description = "Port for health and metrics.")
    private @Nullable String managementPort;

    @Option(names = "--console-port", paramLabel = "PORT", description = "Port for the console.")
    private @Nullable String consolePort;

    /** The folders of the installation, with the data folder of the options. */
    Installation installation() {
        Installation current = Installation.current();
        return data == null ? current : current.withData(data);
    }

    /** The options that identify the gateway, as they were given, with absolute paths. */
    List<String> given() {
        List<String> given = new ArrayList<>();
        if (config != null) {
            given.addAll(List.of("--config", config.toAbsolutePath().normalize().toString()));
        }
        if (data != null) {
            given.addAll(List.of("--data", data.toAbsolutePath().normalize().toString()));
        }
        return given;
    }

    /** Loads the configuration. Options override its values. */
    GatewayConfig load(BackendTypes types) {
        return load(types, Map.of());
    }

    /** The same; {@code fixed} overrides both file and options. */
    GatewayConfig load(BackendTypes types, Map<String, String> fixed) {
        Map<String, Overrides.Flag> flags = new HashMap<>();
        put(flags, "server.host", "--host", host);
        put(flags, "server.port", "--port", port);
        put(flags, "management.port", "--management-port", managementPort);
        put(flags, "console.port", "--console-port", consolePort);
        fixed.forEach((path, text) -> flags.put(path, new Overrides.Flag(path, text)));
        return new ConfigLoader(types.settings(), System.getenv()).load(file(), new Overrides(flags));
    }

    /**
     * Opens the search log of the configuration, and what is tuned by it.
     *
     * @throws switchboard.config.ConfigException if the configuration can't be used
     */
    InsightAccess insight() {
        return InsightAccess.open(load(BackendTypes.shipped()), installation());
    }

    /** The configuration file. */
    Path file() {
        return Optional.ofNullable(config).orElseGet(() -> installation().defaultConfig());
    }

    private static void put(Map<String, Overrides.Flag> flags, String path, String name, @Nullable String text) {
        if (text != null) {
            flags.put(path, new Overrides.Flag(name, text));
        }
    }
}
