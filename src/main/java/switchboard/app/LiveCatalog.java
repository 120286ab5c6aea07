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
 * The catalog as it is now. Backends that stand for other servers may change their tools; a change that would leave two
 * tools under one name, or a view without a tool it names, is refused as a whole and the backend keeps what it had.
 * Thread-safe; {@link #relist} may take a while where there are many tools.
 */
final class LiveCatalog {
    private static final Logger LOG = LoggerFactory.getLogger(LiveCatalog.class);

    private final Map<String, LoadedBackend> backends = new ConcurrentHashMap<>();
    private final Map<String, ToolCatalog.BackendTools> accepted = new TreeMap<>();
    private List<ViewSpec> views;
    private volatile ToolCatalog current;

    /**
     * The catalog of {@code loaded} with what its backends know before they are started.
     *
     * @throws BootException with everything that is wrong with the views
     */
    LiveCatalog(List<LoadedBackend> loaded, List<ViewSpec> views) {
        this.views = views;
        for (LoadedBackend backend : loaded) {
            backends.put(backend.id(), backend);
            accepted.put(backend.id(), backend.tools());
        }
        this.current = ConfiguredViews.catalog(accepted.values(), views);
    }

    /** As it is now. */
    ToolCatalog current() {
        return current;
    }

    /** The view of that name as it is now; one without tools if it is gone. */
    View view(String name) {
        return current.view(name).orElseGet(() -> new View(name, Set.of(), List.of(), Map.of(), Map.of()));
    }

    /**
     * Replaces the views that the configuration adds.
     *
     * @throws BootException with everything that is wrong with the new ones; the old ones stay
     */
    synchronized void replaceViews(List<ViewSpec> specs) {
        current = ConfiguredViews.catalog(accepted.values(), specs);
        views = specs;
    }

    /** What a tool of a backend does, by its name there; nothing for one that is not in the catalog. */
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

    /** Takes the tools that a backend has now; returns why it can't, or nothing. */
    synchronized List<String> relist(String backendId) {
        LoadedBackend backend = backends.get(backendId);
        if (backend == null || backend.backend().relayedTools().isEmpty()) {
            return List.of();
        }
        RelayedTools relayed = backend.backend().relayedTools().get();
        Map<String, ToolCatalog.BackendTools> wanted = new TreeMap<>(accepted);
        wanted.put(backendId, backend.tools());
        try {
            current = ToolCatalog.of(wanted.values(), views);
        } catch (ToolCatalog.InvalidViews e) {
            LOG.error("the tools of {} are refused, it keeps those it had: {}", backendId, e.getMessage());
            relayed.refused(e.problems());
            return e.problems();
        }
        accepted.put(backendId, wanted.get(backendId));
        relayed.accepted();
        return List.of();
    }

    /** Takes the tools of every backend that stands for another server; returns all problems. */
    List<String> relistAll() {
        List<String> problems = new ArrayList<>();
        backends.keySet().stream().sorted().forEach(id -> problems.addAll(relist(id)));
        return problems;
    }
}
