package switchboard.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import switchboard.call.ResourceScope;
import switchboard.call.ViewResources;

/**
 * Computes the resources that a view offers: what {@code resources} says; for other backends the resources that
 * pinned arguments name; and no resources for a backend of which only other arguments are pinned, because those could
 * be reached without the tool.
 */
final class ViewResourcesBuilder {
    /** The argument of the federated tools that names sources. */
    private static final String SOURCES = "sources";

    private final ViewSpec spec;
    private final Map<String, PublishedTool> known;
    private final Consumer<String> problems;
    private final Map<String, List<String>> named = new HashMap<>();
    private final Set<String> pinnedOtherwise = new HashSet<>();

    /** {@code known} are the available tools, by {@code <backend>__<tool>}. */
    ViewResourcesBuilder(ViewSpec spec, Map<String, PublishedTool> known, Consumer<String> problems) {
        this.spec = spec;
        this.known = known;
        this.problems = problems;
    }

    ViewResources build() {
        new TreeMap<>(spec.arguments().pinned()).forEach((key, arguments) -> {
            PublishedTool tool = known.get(key);
            if (tool == null) {
                owners(key).forEach(pinnedOtherwise::add);
            } else if (!arguments.isEmpty()) {
                List<String> resources = resources(tool, arguments);
                if (resources.isEmpty()) {
                    pinnedOtherwise.add(tool.backend());
                }
                named.computeIfAbsent(tool.backend(), _ -> new ArrayList<>()).addAll(resources);
            }
        });
        Map<String, ResourceScope> scopes = new HashMap<>();
        named.forEach((backend, resources) -> {
            if (!resources.isEmpty()) {
                scopes.put(backend, ResourceScope.anyOf(resources));
            }
        });
        new TreeMap<>(spec.resources()).forEach((backend, globs) -> scopes.put(backend, said(backend, globs)));
        Set<String> withheld = new HashSet<>(pinnedOtherwise);
        withheld.removeAll(scopes.keySet());
        withheld.remove(ToolSearch.BACKEND);
        return new ViewResources(scopes, withheld);
    }

    private ResourceScope said(String backend, List<String> globs) {
        boolean every = spec.backends().equals(Set.of(ToolSearch.BACKEND));
        if (!spec.backends().contains(backend) && !every) {
            problems.accept("resources names the backend " + backend + ", which the view does not show");
        }
        if (globs.isEmpty()) {
            problems.accept("resources names none of " + backend
                    + ": name some, or leave the backend out of the view's backends");
        }
        ResourceScope scope = backend.equals(ToolSearch.BACKEND)
                ? ResourceScope.anyOf(
                        globs.stream().map(ViewResourcesBuilder::source).toList())
                : ResourceScope.anyOf(globs);
        named.getOrDefault(backend, List.of()).stream()
                .filter(resource -> !scope.allows(resource))
                .forEach(resource -> problems.accept(
                        "a tool of " + backend + " is pinned to \"" + resource + "\", which resources does not allow"));
        return scope;
    }

    /** The resources that the pinned arguments of a tool name; none if they name others, or any. */
    private static List<String> resources(PublishedTool tool, Map<String, JsonNode> arguments) {
        boolean composed = tool.backend().equals(ToolSearch.BACKEND);
        JsonNode value = composed
                ? arguments.get(SOURCES)
                : tool.descriptor()
                        .scopePointer()
                        .map(pointer -> arguments.get(pointer.getMatchingProperty()))
                        .orElse(null);
        List<String> resources = new ArrayList<>();
        if (value != null && value.isTextual()) {
            resources.add(value.asText());
        } else if (value != null && value.isArray()) {
            value.forEach(element -> resources.add(element.asText()));
        }
        if (composed) {
            return resources.stream().map(ViewResourcesBuilder::source).toList();
        }
        return resources.stream().anyMatch(name -> name.contains("*")) ? List.of() : resources;
    }

    /** A backend's id alone means all its sources. */
    private static String source(String glob) {
        return glob.indexOf(':') < 0 ? glob + ":*" : glob;
    }

    /** The backends that {@code key} may belong to. Tools of other servers are not known before they are connected. */
    private List<String> owners(String key) {
        return spec.backends().stream()
                .filter(backend -> key.startsWith(backend + ToolCatalog.SEPARATOR))
                .toList();
    }
}
