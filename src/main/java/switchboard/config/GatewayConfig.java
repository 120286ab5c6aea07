package switchboard.config;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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

        @Doc("Teams, views and secrets in files, which are read again when they change.")
        ReloadConfig reload,

        @Doc("Bounds on what is done at once.") LimitsConfig limits,

        @Doc("The trail: one JSON line for every call and every failed authentication.")
        AuditConfig audit,

        @Doc("Spans of requests for a tracing system. Without it none are made, and traces that requests come with are"
                + " passed on to the engines.")
        @Nullable
        TracingConfig tracing,

        @Doc("Models that turn text into vectors, by the name that backends refer to.")
        Map<String, EmbedderConfig> embedders,

        @Doc("A language model for what needs one: understanding requests, extracting memories, describing documents."
                + " Without it these parts work by fixed rules, or say that they can't.")
        @Nullable
        LlmConfig llm,

        @Doc("Searches over all backends.") SearchConfig search,

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

    /**
     * The sections but {@code views} that differ in {@code other}; of backends and embedders their names, as in {@code
     * backends.docs}.
     */
    public List<String> differences(GatewayConfig other) {
        List<String> different = new ArrayList<>();
        for (RecordComponent section : GatewayConfig.class.getRecordComponents()) {
            Object before = value(section, this);
            Object after = value(section, other);
            if (before instanceof Map<?, ?> old && after instanceof Map<?, ?> young) {
                Set<Object> names = new TreeSet<>(old.keySet());
                names.addAll(young.keySet());
                names.removeIf(name -> Objects.equals(old.get(name), young.get(name))
                        || section.getName().equals("views"));
                names.forEach(name -> different.add(section.getName() + "." + name));
            } else if (!Objects.equals(before, after)) {
                different.add(section.getName());
            }
        }
        return different;
    }

    private static @Nullable Object value(RecordComponent section, GatewayConfig of) {
        try {
            return section.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a record without its accessor " + section.getName(), e);
        }
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
                reload,
                limits,
                audit,
                tracing,
                embedders,
                llm,
                search,
                backends,
                described);
    }
}
