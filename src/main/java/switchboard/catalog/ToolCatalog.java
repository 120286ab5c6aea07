package switchboard.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import switchboard.call.Arguments;
import switchboard.call.Json;

/**
 * All tools of all configured backends, and the views of the URLs. Immutable.
 *
 * <p>In the default view ({@code ""}) a tool keeps its own name if its backend's id equals the backend's type and no
 * other tool has that name. Otherwise it is {@code <backend>__<tool>}, which is accepted for every tool there. The
 * view with a backend's id has that backend only, and its tools keep their own names. {@value #CORE} lists a part of the default
 * view.
 */
public final class ToolCatalog {
    /**
     * The name of the view that has all tools under their names of the default view, but lists only a few, without the schemas of
     * their results; {@link ToolSearch} finds the others. A backend or a configured view may have the name instead.
     */
    public static final String CORE = "core";

    /** Separates a backend's id from a tool's name. */
    public static final String SEPARATOR = "__";

    /**
     * The tools of one backend.
     *
     * @param id its key in the configuration
     * @param type its type
     * @param tools the tools that its settings switch on
     * @param resources the URIs and URI templates of the resources that another server lists
     */
    public record BackendTools(String id, String type, List<ToolDescriptor> tools, Set<String> resources) {
        public BackendTools {
            tools = List.copyOf(tools);
            resources = Set.copyOf(resources);
        }

        /** The same without resources of another server. */
        public BackendTools(String id, String type, List<ToolDescriptor> tools) {
            this(id, type, tools, Set.of());
        }

        private Set<String> allResources() {
            Set<String> all = new HashSet<>(resources);
            tools.forEach(tool -> tool.uiResources().forEach(all::add));
            return all;
        }

        private boolean bare() {
            return id.equals(type) && tools.stream().noneMatch(ToolDescriptor::relayed);
        }
    }

    private final Map<String, View> views;

    private ToolCatalog(Map<String, View> views) {
        this.views = views;
    }

    /**
     * The catalog of {@code backends}: the default view, one for each of them, and those of {@code specs}.
     *
     * @throws InvalidViews with all problems
     */
    public static ToolCatalog of(Collection<BackendTools> backends, List<ViewSpec> specs) {
        Map<String, View> views = new HashMap<>();
        Map<ToolDescriptor, ArgumentValidator> validators = new HashMap<>();
        List<PublishedTool> all = new ArrayList<>();
        for (BackendTools backend : backends) {
            List<PublishedTool> own = backend.tools().stream()
                    .map(tool -> publish(
                            tool.name(), backend.id(), tool, validators.computeIfAbsent(tool, ToolCatalog::validator)))
                    .toList();
            List<PublishedTool> original = own.stream()
                    .filter(tool -> !tool.descriptor().availability().extension())
                    .toList();
            views.put(backend.id(), new View(backend.id(), Set.of(backend.id()), original, Map.of(), Map.of()));
            all.addAll(own);
        }
        Set<String> bareBackends = backends.stream()
                .filter(BackendTools::bare)
                .map(BackendTools::id)
                .collect(Collectors.toSet());
        Set<String> ids = backends.stream().map(BackendTools::id).collect(Collectors.toSet());
        List<String> problems = new ArrayList<>();
        Map<String, Set<String>> resources = new HashMap<>();
        backends.forEach(backend -> resources.put(backend.id(), backend.allResources()));
        resources.values().removeIf(Set::isEmpty);
        ResourceAliases aliases = ResourceAliases.of(resources);
        View everything =
                defaultView(ids, bareBackends, shown(all, aliases), problems).with(aliases);
        views.put("", everything);
        views.putIfAbsent(CORE, everything.core());
        for (ViewSpec spec : specs) {
            ResourceAliases among = ResourceAliases.among(spec.backends(), resources);
            views.put(
                    spec.name(),
                    new ViewBuilder(spec, shown(all, among), problems).build().with(among));
        }
        if (!problems.isEmpty()) {
            throw new InvalidViews(problems);
        }
        return new ToolCatalog(Map.copyOf(views));
    }

    /** The tools with the URIs of their pages as the view shows them. */
    private static List<PublishedTool> shown(List<PublishedTool> tools, ResourceAliases aliases) {
        return tools.stream()
                .map(tool -> aliases.concern(tool.backend())
                                && !tool.descriptor().uiResources().isEmpty()
                        ? publish(
                                tool.name(),
                                tool.backend(),
                                tool.descriptor().withUiResources(uri -> aliases.shown(tool.backend(), uri)),
                                tool.validator())
                        : tool)
                .toList();
    }

    /** The view of that name, {@code ""} for the default one. */
    public Optional<View> view(String name) {
        return Optional.ofNullable(views.get(name));
    }

    /** The names of all views. */
    public Set<String> viewNames() {
        return views.keySet();
    }

    private static View defaultView(
            Set<String> ids, Set<String> bareBackends, List<PublishedTool> all, List<String> problems) {
        Map<String, List<PublishedTool>> byBareName = new TreeMap<>();
        for (PublishedTool tool : all) {
            if (bareBackends.contains(tool.backend())) {
                byBareName
                        .computeIfAbsent(tool.name(), name -> new ArrayList<>())
                        .add(tool);
            }
        }
        List<PublishedTool> listed = new ArrayList<>();
        Map<String, PublishedTool> aliases = new HashMap<>();
        Map<String, List<String>> ambiguous = new HashMap<>();
        for (PublishedTool tool : all) {
            PublishedTool qualified = rename(tool, tool.backend() + SEPARATOR + tool.name());
            if (tool.descriptor().relayed() && !ToolNames.usable(qualified.name())) {
                continue; // Its backend says so; its own view has it.
            }
            List<PublishedTool> namesakes = byBareName.getOrDefault(tool.name(), List.of());
            if (bareBackends.contains(tool.backend()) && namesakes.size() == 1) {
                listed.add(tool);
                aliases.put(qualified.name(), tool);
            } else {
                listed.add(qualified);
            }
            if (namesakes.size() > 1) {
                ambiguous.put(
                        tool.name(),
                        namesakes.stream()
                                .map(namesake -> namesake.backend() + SEPARATOR + namesake.name())
                                .sorted()
                                .toList());
            }
        }
        return new View("", ids, distinct(listed, problems), aliases, ambiguous);
    }

    /** Joined names may collide: {@code a__b} and {@code c}, {@code a} and {@code b__c}. */
    private static List<PublishedTool> distinct(List<PublishedTool> listed, List<String> problems) {
        Map<String, PublishedTool> byName = new TreeMap<>();
        for (PublishedTool tool : listed) {
            PublishedTool other = byName.putIfAbsent(tool.name(), tool);
            if (other != null) {
                problems.add("tools of " + other.backend() + " and " + tool.backend() + " are both called "
                        + tool.name() + "; give one of the backends another id");
            }
        }
        return new ArrayList<>(byName.values());
    }

    /** Arguments of another server's tool are not validated here; that server does it. */
    private static ArgumentValidator validator(ToolDescriptor tool) {
        return tool.relayed()
                ? arguments -> new ArgumentValidator.Validation.Valid(Arguments.of(arguments))
                : new SchemaArgumentValidator(tool.inputSchema());
    }

    private static PublishedTool rename(PublishedTool tool, String name) {
        return publish(name, tool.backend(), tool.descriptor(), tool.validator());
    }

    static PublishedTool publish(String name, String backend, ToolDescriptor descriptor, ArgumentValidator validator) {
        return new PublishedTool(name, backend, descriptor, Json.bytes(entry(name, backend, descriptor)), validator);
    }

    /** The MCP {@code Tool} object. Its hints are computed from the verbs. */
    private static ObjectNode entry(String name, String backend, ToolDescriptor descriptor) {
        if (descriptor.original() != null) {
            return descriptor.original().deepCopy().put("name", name);
        }
        ObjectNode tool = Json.object();
        tool.put("name", name);
        tool.put("title", descriptor.title());
        tool.put("description", descriptor.description());
        tool.set("inputSchema", descriptor.inputSchema());
        if (descriptor.outputSchema() != null) {
            tool.set("outputSchema", descriptor.outputSchema());
        }
        ObjectNode annotations = tool.putObject("annotations");
        annotations.put("title", descriptor.title());
        boolean any = ToolSearch.calls(backend, descriptor); // and so may do whatever any tool does
        annotations.put("readOnlyHint", !any && descriptor.readOnly());
        annotations.put("destructiveHint", any || descriptor.destructive());
        annotations.put("idempotentHint", descriptor.effects().idempotent());
        annotations.put("openWorldHint", any || descriptor.openWorld());
        return tool;
    }

    /** Views that are not valid. */
    public static final class InvalidViews extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private final transient List<String> problems;

        InvalidViews(List<String> problems) {
            super(String.join("\n", problems));
            this.problems = List.copyOf(problems);
        }

        /** The problems, a sentence each. */
        public List<String> problems() {
            return problems;
        }
    }
}
