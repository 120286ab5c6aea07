package switchboard.app;

import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import switchboard.backend.Backend;
import switchboard.backend.DeclaredTool;
import switchboard.backend.ExclusiveBackend;
import switchboard.backend.ResourceProvider;
import switchboard.call.BackendRequest;
import switchboard.call.Verb;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolDescriptor;
import switchboard.relay.RelayServer;
import switchboard.relay.SharedBackend;

/**
 * A configured backend and its declared tools, checked against each other.
 *
 * @param id its key in the configuration
 * @param type its type
 * @param required whether the gateway is only ready while its engine answers
 * @param backend the instance, not started yet
 * @param descriptors all tools of its type, including those that a setting switches off
 */
record LoadedBackend(String id, String type, boolean required, Backend backend, List<ToolDescriptor> descriptors) {
    private static final Set<Verb> READING = Set.of(Verb.READ, Verb.SEARCH, Verb.EMBED);

    LoadedBackend {
        descriptors = List.copyOf(descriptors);
    }

    /** Each of {@code backends} as {@link #shared(Vertx, RelayServer)} has it. */
    static List<LoadedBackend> shared(List<LoadedBackend> backends, Vertx vertx, RelayServer relays) {
        return backends.stream().map(backend -> backend.shared(vertx, relays)).toList();
    }

    /**
     * The same backend. If its data belongs to one process at a time, it also serves other processes, or calls the one
     * that owns the data.
     */
    LoadedBackend shared(Vertx vertx, RelayServer relays) {
        return backend instanceof ExclusiveBackend own
                ? new LoadedBackend(
                        id,
                        type,
                        required,
                        new SharedBackend(vertx, type, id, own, relays, this::repeatable),
                        descriptors)
                : this;
    }

    private boolean repeatable(BackendRequest request) {
        return !(request instanceof BackendRequest.Maintain || request instanceof BackendRequest.RelayTask)
                && (!(request instanceof BackendRequest.CallTool call) || reads(call.tool()));
    }

    private boolean reads(String name) {
        return all().stream().anyMatch(tool -> tool.name().equals(name) && READING.containsAll(tool.verbs()));
    }

    /** Whether the settings of the backend switch {@code tool} on. */
    boolean open(ToolDescriptor tool) {
        return tool.availability().gate() == null
                || backend.gates().contains(tool.availability().gate());
    }

    /** The tools of its type, those that its configuration declares, and those that it relays now. */
    List<ToolDescriptor> all() {
        return Stream.of(
                        descriptors.stream(),
                        backend.declaredTools().stream().map(DeclaredTool::descriptor),
                        backend.relayedTools().stream().flatMap(relayed -> relayed.tools().stream()))
                .flatMap(tools -> tools)
                .toList();
    }

    /** The URIs of resources that another server lists. */
    Set<String> resources() {
        return backend.resources().map(ResourceProvider::listed).orElse(Set.of());
    }

    /** The tools that are switched on, and what is known of the resources of another server. */
    ToolCatalog.BackendTools tools() {
        return new ToolCatalog.BackendTools(
                id, type, all().stream().filter(this::open).toList(), resources());
    }
}
