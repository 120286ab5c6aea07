package switchboard.app;

import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import switchboard.backend.Backend;
import switchboard.backend.DeclaredTool;
import switchboard.backend.ExclusiveBackend;
import switchboard.call.BackendRequest;
import switchboard.call.Verb;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolDescriptor;
import switchboard.relay.RelayServer;
import switchboard.relay.SharedBackend;

/**
 * A configured backend with its declared tools, checked against each other.
 *
 * @param id its key in the configuration
 * @param type its type
 * @param required whether the gateway is ready only while its engine answers
 * @param backend the instance, not started yet
 * @param descriptors the tools of its type, those behind a closed gate too
 */
record LoadedBackend(String id, String type, boolean required, Backend backend, List<ToolDescriptor> descriptors) {
    private static final Set<Verb> READING = Set.of(Verb.READ, Verb.SEARCH, Verb.EMBED);

    LoadedBackend {
        descriptors = List.copyOf(descriptors);
    }

    /** The same; if its data belongs to one process at a time, with other processes served or asked. */
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
        return !(request instanceof BackendRequest.Maintain)
                && (!(request instanceof BackendRequest.CallTool call) || reads(call.tool()));
    }

    private boolean reads(String name) {
        return all().stream().anyMatch(tool -> tool.name().equals(name) && READING.containsAll(tool.verbs()));
    }

    /** Whether a tool exists with the gates as configured. */
    boolean open(ToolDescriptor tool) {
        return tool.gate() == null || backend.gates().contains(tool.gate());
    }

    /** The tools of its type, those it declares itself, and those that it relays now. */
    List<ToolDescriptor> all() {
        return Stream.of(
                        descriptors.stream(),
                        backend.declaredTools().stream().map(DeclaredTool::descriptor),
                        backend.relayedTools().stream().flatMap(relayed -> relayed.tools().stream()))
                .flatMap(tools -> tools)
                .toList();
    }

    /** The tools that exist with the gates as configured. */
    ToolCatalog.BackendTools tools() {
        return new ToolCatalog.BackendTools(
                id, type, all().stream().filter(this::open).toList());
    }
}
