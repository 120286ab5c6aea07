package switchboard.app;

import java.util.List;
import java.util.stream.Stream;
import switchboard.backend.Backend;
import switchboard.backend.DeclaredTool;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolDescriptor;

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
    LoadedBackend {
        descriptors = List.copyOf(descriptors);
    }

    /** Whether a tool exists with the gates as configured. */
    boolean open(ToolDescriptor tool) {
        return tool.gate() == null || backend.gates().contains(tool.gate());
    }

    /** The tools of its type and those it declares itself. */
    List<ToolDescriptor> all() {
        return Stream.concat(
                        descriptors.stream(), backend.declaredTools().stream().map(DeclaredTool::descriptor))
                .toList();
    }

    /** The tools that exist with the gates as configured. */
    ToolCatalog.BackendTools tools() {
        return new ToolCatalog.BackendTools(
                id, type, all().stream().filter(this::open).toList());
    }
}
