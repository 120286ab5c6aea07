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

/** The configuration of a gateway. Its components are the sections of {@code switchboard.yaml}. */
public record GatewayConfig(
        @Doc("The HTTP server for agents.") ServerConfig server,

        @Doc("The HTTP server for operators and Kubernetes: `/health/live`, `/health/ready`, `/metrics`.")
        ManagementConfig management,

        @Doc("The console: web pages for people who search and who operate the gateway.")
        ConsoleConfig console,

        @Doc("Sessions of MCP clients that speak a version before 2026-07-28.")
        SessionsConfig sessions,

        @Doc(
                "What several gateways share: a PostgreSQL database with what is used of limits, and with the sessions, so that"
                        + " a session made on one of them"
                        + " works on all. Without this section each gateway is by itself. Needs `server.stateKey`.")
        @Nullable
        ClusterConfig cluster,

        @Doc("Authentication.") AuthConfig auth,

        @Doc("Clients that start the gateway themselves, with `switchboard stdio`.")
        StdioConfig stdio,

        @Doc("Reloading of files that change: teams, views and secrets.")
        ReloadConfig reload,

        @Doc("Limits on concurrent work.") LimitsConfig limits,

        @Doc(
                "Tasks for clients of 2026-07-28 that declare the extension `io.modelcontextprotocol/tasks`. They are in the folder `tasks` of the data folder, and survive a restart.")
        TasksConfig tasks,

        @Doc("The audit log: one JSON line for every call and every failed authentication.")
        AuditConfig audit,

        @Doc("The search log: what the agents of some teams search, what they are given, and what they read of it.")
        InsightConfig insight,

        @Doc("Spans of requests for a tracing system. Without it no spans are made, and traces of incoming requests are"
                + " passed on to the engines.")
        @Nullable
        TracingConfig tracing,

        @Doc("Embedding models, by the name that backends refer to.")
        Map<String, EmbedderConfig> embedders,

        @Doc(
                "A language model for features that need one: understanding requests, extracting memories, describing documents."
                        + " Without it these features use fixed rules, or report that they are not available.")
        @Nullable
        LlmConfig llm,

        @Doc(
                "A model that reranks the best results of `search` of `vectordb`: it reads each of them with the query. Off without this section: it takes far more time than the search. `switchboard eval` measures its effect.")
        @Nullable
        RerankConfig rerank,

        @Doc("Searches over all backends.") SearchConfig search,

        @Doc("The backends, by id. Each has the URL `/mcp/<id>`.")
        Map<String, BackendConfig> backends,

        @Doc(
                "Further URLs `/mcp/<name>` with a selection of tools. `core`, which lists a few tools and finds the others, is there"
                        + " by itself.")
        Map<String, ViewConfig> views) {
    public GatewayConfig {
        // Not Map.copyOf: problems are reported in the order of the file.
        embedders = Collections.unmodifiableMap(new LinkedHashMap<>(embedders));
        backends = Collections.unmodifiableMap(new LinkedHashMap<>(backends));
        views = Collections.unmodifiableMap(new LinkedHashMap<>(views));
    }

    /**
     * The sections that differ in {@code other}, except {@code views}. Backends and embedders are named one by one,
     * such as {@code backends.docs}.
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

    /** Whether there is a console, and whether it must be. */
    public enum ConsoleUse {
        /** There is none. */
        OFF,
        /** There is one if its port is free: nobody has asked for it. */
        IF_POSSIBLE,
        /** There is one. */
        ON
    }

    /** Whether there is a console. */
    public ConsoleUse consoleUse() {
        if (console.enabled() != null) {
            return console.enabled() ? ConsoleUse.ON : ConsoleUse.OFF;
        }
        return auth.mode() == AuthConfig.Mode.NONE && ConfigChecks.isLoopback(console.host())
                ? ConsoleUse.IF_POSSIBLE
                : ConsoleUse.OFF;
    }

    /** The same for a gateway by itself. */
    public GatewayConfig alone() {
        return with(server, null, auth, insight.withoutWatches(), views);
    }

    /** The same, with relative file paths resolved against {@code folder}, the folder of the configuration file. */
    GatewayConfig in(Path folder) {
        Map<String, ViewConfig> described = new LinkedHashMap<>();
        views.forEach((name, view) -> described.put(name, view.in(folder)));
        return with(server.in(folder), cluster, auth.in(folder), insight, described);
    }

    private GatewayConfig with(
            ServerConfig newServer,
            @Nullable ClusterConfig newCluster,
            AuthConfig newAuth,
            InsightConfig newInsight,
            Map<String, ViewConfig> newViews) {
        return new GatewayConfig(
                newServer,
                management,
                console,
                sessions,
                newCluster,
                newAuth,
                stdio,
                reload,
                limits,
                tasks,
                audit,
                newInsight,
                tracing,
                embedders,
                llm,
                rerank,
                search,
                backends,
                newViews);
    }
}
