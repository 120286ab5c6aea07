package switchboard.catalog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import switchboard.call.RefDetail;
import switchboard.call.ViewResources;

/** A selection of tools with their names at one URL. Immutable. */
public final class View {
    /** The result of looking up a name. */
    public sealed interface Lookup {
        /** A tool was found. */
        record ToolFound(PublishedTool tool) implements Lookup {}

        /** Several tools have this name; {@code names} are their names in this view. */
        record Ambiguous(List<String> names) implements Lookup {}

        /** There is no such tool. */
        record Unknown() implements Lookup {}
    }

    private final String name;
    private final boolean ofAllBackends;
    private final Set<String> backends;
    private final List<PublishedTool> tools;
    private final List<PublishedTool> listed;
    private final Map<String, PublishedTool> byName;
    private final Map<String, List<String>> ambiguous;
    private final ViewResources resources;
    private final ResourceAliases aliases;
    private final RefDetail refs;

    /**
     * A view.
     *
     * @param name its name, {@code ""} for the default view
     * @param backends ids of the backends whose resources and prompts it offers
     * @param tools its tools, with distinct names
     * @param aliases additional names that are accepted but not listed
     * @param ambiguous names that several tools have, with their names in this view
     */
    public View(
            String name,
            Set<String> backends,
            List<PublishedTool> tools,
            Map<String, PublishedTool> aliases,
            Map<String, List<String>> ambiguous) {
        this.name = name;
        this.ofAllBackends = name.isEmpty();
        this.backends = Set.copyOf(backends);
        TreeMap<String, PublishedTool> sorted = new TreeMap<>();
        for (PublishedTool tool : tools) {
            if (sorted.put(tool.name(), tool) != null) {
                throw new IllegalArgumentException("view \"" + name + "\" has two tools called " + tool.name());
            }
        }
        this.tools = List.copyOf(sorted.values());
        this.listed = this.tools;
        Map<String, PublishedTool> all = new TreeMap<>(aliases);
        all.putAll(sorted);
        this.byName = Collections.unmodifiableMap(all);
        this.ambiguous = Map.copyOf(ambiguous);
        this.resources = ViewResources.NONE;
        this.aliases = ResourceAliases.NONE;
        this.refs = RefDetail.CITE;
    }

    private View(
            View whole,
            String name,
            List<PublishedTool> listed,
            ViewResources resources,
            ResourceAliases aliases,
            RefDetail refs) {
        this.name = name;
        this.ofAllBackends = whole.ofAllBackends;
        this.backends = whole.backends;
        this.tools = whole.tools;
        this.listed = List.copyOf(listed);
        this.byName = whole.byName;
        this.ambiguous = whole.ambiguous;
        this.resources = resources;
        this.aliases = aliases;
        this.refs = refs;
    }

    /** The same, restricted to {@code within}. */
    View within(ViewResources within) {
        return new View(this, name, listed, within, aliases, refs);
    }

    /** The same, whose resources are shown with {@code other} URIs. */
    View with(ResourceAliases other) {
        return new View(this, name, listed, resources, other, refs);
    }

    /** The same, in whose answers refs of passages say that much. */
    View citing(RefDetail detail) {
        return new View(this, name, listed, resources, aliases, detail);
    }

    /** How much the refs of passages say in answers. */
    public RefDetail refs() {
        return refs;
    }

    /** The same tools, of which only those of {@link ToolSearch} are listed. */
    View throughToolSearch() {
        return new View(
                this,
                name,
                tools.stream()
                        .filter(tool -> ToolSearch.has(tool.backend(), tool.descriptor()))
                        .toList(),
                resources,
                aliases,
                refs);
    }

    /** The view {@link ToolCatalog#CORE} of the same tools. */
    View core() {
        return new View(
                this,
                ToolCatalog.CORE,
                tools.stream()
                        .filter(tool -> tool.descriptor().availability().core())
                        .map(PublishedTool::withoutOutputSchema)
                        .toList(),
                resources,
                aliases,
                refs);
    }

    /** The resources of the backends that it offers. */
    public ViewResources resources() {
        return resources;
    }

    /** The URIs that differ from those of the servers. */
    public ResourceAliases aliases() {
        return aliases;
    }

    /** Its name, {@code ""} for the default view. */
    public String name() {
        return name;
    }

    /** Whether it is the default view, or {@link ToolCatalog#CORE} made of it: names have to be distinct over all backends. */
    public boolean ofAllBackends() {
        return ofAllBackends;
    }

    /** Ids of the backends whose resources and prompts it offers. */
    public Set<String> backends() {
        return backends;
    }

    /** Its tools, sorted by name. */
    public List<PublishedTool> tools() {
        return tools;
    }

    /** The listed tools, sorted by name. */
    public List<PublishedTool> listed() {
        return listed;
    }

    /** Looks up {@code toolName}. */
    public Lookup find(String toolName) {
        PublishedTool tool = byName.get(toolName);
        if (tool != null) {
            return new Lookup.ToolFound(tool);
        }
        List<String> candidates = ambiguous.get(toolName);
        return candidates == null ? new Lookup.Unknown() : new Lookup.Ambiguous(new ArrayList<>(candidates));
    }
}
