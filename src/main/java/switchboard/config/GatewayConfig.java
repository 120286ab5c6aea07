package switchboard.config;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The whole configuration of a gateway; the components are the sections of {@code switchboard.yaml}. */
public record GatewayConfig(
        @Doc("Where agents connect.") ServerConfig server,

        @Doc("Where operators and Kubernetes look: `/health/live`, `/health/ready`, `/metrics`.")
        ManagementConfig management,

        @Doc("Sessions of MCP clients that speak a version before 2026-07-28.")
        SessionsConfig sessions,

        @Doc("Who may call.") AuthConfig auth,

        @Doc("Clients that start the gateway themselves, with `switchboard stdio`.")
        StdioConfig stdio,

        @Doc("Bounds on what is done at once.") LimitsConfig limits,

        @Doc("The trail: one JSON line for every call and every failed authentication.")
        AuditConfig audit,

        @Doc("Models that turn text into vectors, by the name that backends refer to.")
        Map<String, EmbedderConfig> embedders,

        @Doc("A language model for what needs one: understanding requests, extracting memories, describing documents."
                + " Without it these parts work by fixed rules, or say that they can't.")
        @Nullable
        LlmConfig llm,

        @Doc("What stands behind the gateway, by id. The id names the URL `/mcp/<id>`.")
        Map<String, BackendConfig> backends,

        @Doc("Further URLs `/mcp/<name>` with a selection of tools.")
        Map<String, ViewConfig> views) {
    public GatewayConfig {
        // Not Map.copyOf: problems are reported in the order of the file.
        embedders = Collections.unmodifiableMap(new LinkedHashMap<>(embedders));
        backends = Collections.unmodifiableMap(new LinkedHashMap<>(backends));
        views = Collections.unmodifiableMap(new LinkedHashMap<>(views));
    }

    /** The same with the files it names found from {@code folder}, where the configuration itself was read. */
    GatewayConfig in(Path folder) {
        Map<String, ViewConfig> described = new LinkedHashMap<>();
        views.forEach((name, view) -> described.put(name, view.in(folder)));
        return new GatewayConfig(
                server.in(folder),
                management,
                sessions,
                auth.in(folder),
                stdio,
                limits,
                audit,
                embedders,
                llm,
                backends,
                described);
    }
}
