package switchboard.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.RelayedTools;
import switchboard.call.Verb;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolDescriptor;
import switchboard.catalog.View;
import switchboard.catalog.ViewSpec;

/**
 * The current tool catalog. The tools of relayed servers may change at run time. A change that would give two tools the
 * same name, or would remove a tool that a view names, is refused as a whole: the backend keeps its previous tools.
 * Thread-safe. {@link #relist} may be slow if there are many tools.
 */
final class LiveCatalog {
    private static final Logger LOG = LoggerFactory.getLogger(LiveCatalog.class);

    private final Map<String, LoadedBackend> backends = new ConcurrentHashMap<>();
    private final Map<String, ToolCatalog.BackendTools> accepted = new TreeMap<>();

    /** The resources of each backend when its tools were taken over or refused last. */
    private final Map<String, Set<String>> resources = new ConcurrentHashMap<>();

    private List<ViewSpec> views;
    private volatile ToolCatalog current;

    /**
     * The catalog of {@code loaded}, with the tools that are known before the backends are started.
     *
     * @throws BootException with every problem of the views
     */
    LiveCatalog(List<LoadedBackend> loaded, List<ViewSpec> views) {
        this.views = views;
        for (LoadedBackend backend : loaded) {
            backends.put(backend.id(), backend);
            accepted.put(backend.id(), backend.tools());
        }
        this.current = ConfiguredViews.catalog(accepted.values(), views);
    }

    /** The current catalog. */
    ToolCatalog current() {
        return current;
    }

    /** The current view of that name; a view without tools if it no longer exists. */
    View view(String name) {
        return current.view(name).orElseGet(() -> new View(name, Set.of(), List.of(), Map.of(), Map.of()));
    }

    /**
     * Replaces the configured views.
     *
     * @throws BootException with every problem of the new views; the old ones stay
     */
    synchronized void replaceViews(List<ViewSpec> specs) {
        current = ConfiguredViews.catalog(accepted.values(), specs);
        views = specs;
    }

    /** The verbs of a tool, by its name at its backend; none if it is not in the catalog. */
    Set<Verb> verbs(String backendId, String tool) {
        LoadedBackend backend = backends.get(backendId);
        return backend == null
                ? Set.of()
                : backend.all().stream()
                        .filter(descriptor -> descriptor.name().equals(tool))
                        .findAny()
                        .map(ToolDescriptor::verbs)
                        .orElse(Set.of());
    }

    /**
     * Takes over the current tools of a backend, and the URIs of its resources. Returns the problems, for which nothing
     * was changed; empty on success.
     */
    synchronized List<String> relist(String backendId) {
        LoadedBackend backend = backends.get(backendId);
        if (backend == null || backend.backend().relayedTools().isEmpty()) {
            return List.of();
        }
        RelayedTools relayed = backend.backend().relayedTools().get();
        Map<String, ToolCatalog.BackendTools> wanted = new TreeMap<>(accepted);
        ToolCatalog.BackendTools tools = backend.tools();
        resources.put(backendId, tools.resources());
        if (tools.equals(wanted.put(backendId, tools))) {
            relayed.accepted();
            return List.of();
        }
        try {
            current = ToolCatalog.of(wanted.values(), views);
        } catch (ToolCatalog.InvalidViews e) {
            LOG.error("the new tools of {} are refused, its previous tools stay: {}", backendId, e.getMessage());
            relayed.refused(e.problems());
            return e.problems();
        }
        accepted.put(backendId, tools);
        relayed.accepted();
        return List.of();
    }

    /** Whether another server lists other resources than at the last {@link #relist}. */
    boolean resourcesChanged(String backendId) {
        LoadedBackend backend = backends.get(backendId);
        return backend != null && !backend.resources().equals(resources.getOrDefault(backendId, Set.of()));
    }

    /** Takes over the current tools of every relayed server. Returns all problems. */
    List<String> relistAll() {
        List<String> problems = new ArrayList<>();
        backends.keySet().stream().sorted().forEach(id -> problems.addAll(relist(id)));
        return problems;
    }
}
