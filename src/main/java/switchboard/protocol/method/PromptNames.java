package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import switchboard.call.BackendRequest;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.View;
import switchboard.protocol.BackendCapabilities;

/**
 * Names of prompts: those of another server have its id as a prefix in the default view, as its tools have, so that no
 * server can take the name of another one's prompt. Everywhere else they have their own names.
 */
final class PromptNames {

    private final BackendCapabilities backendCapabilities;

    PromptNames(BackendCapabilities backendCapabilities) {
        this.backendCapabilities = backendCapabilities;
    }

    /** {@code prompt} of {@code backend} as {@code view} lists it. */
    ObjectNode listed(View view, String backend, ObjectNode prompt) {
        return prefixed(view, backend)
                ? prompt.deepCopy()
                        .put("name", prefix(backend) + prompt.path("name").asText())
                : prompt;
    }

    /** The requests for the prompt that {@code view} calls {@code name}, with each backend's own name for it. */
    List<Backends.BackendQuery> asked(
            View view, List<Backends.BackendTarget> targets, String name, Function<String, BackendRequest> request) {
        List<Backends.BackendQuery> asked = new ArrayList<>();
        for (Backends.BackendTarget target : targets) {
            if (!prefixed(view, target.id())) {
                asked.add(new Backends.BackendQuery(target, request.apply(name)));
            } else if (name.startsWith(prefix(target.id()))) {
                String own = name.substring(prefix(target.id()).length());
                asked.add(new Backends.BackendQuery(target, request.apply(own)));
            }
        }
        return asked;
    }

    private boolean prefixed(View view, String backend) {
        return view.ofAllBackends() && backendCapabilities.relayed(backend);
    }

    private static String prefix(String backend) {
        return backend + ToolCatalog.SEPARATOR;
    }
}
