package switchboard.catalog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import switchboard.call.ResourceBounds;

/** A selection of tools under the names that one URL serves. Immutable. */
public final class View {
    /** What a name stands for. */
    public sealed interface Lookup {
        /** A tool. */
        record ToolFound(PublishedTool tool) implements Lookup {}

        /** Several tools share the name; {@code names} are theirs in this view. */
        record Ambiguous(List<String> names) implements Lookup {}

        /** Nothing. */
        record Unknown() implements Lookup {}
    }

    private final String name;
    private final Set<String> backends;
    private final List<PublishedTool> tools;
    private final List<PublishedTool> listed;
    private final Map<String, PublishedTool> byName;
    private final Map<String, List<String>> ambiguous;
    private final ResourceBounds bounds;

    /**
     * A view.
     *
     * @param name its name, {@code ""} for the default view
     * @param backends the ids of the backends whose resources and prompts it shows
     * @param tools its tools; their names are distinct
     * @param aliases further names that are accepted but not listed, and the tools they stand for
     * @param ambiguous names that several tools share, and what these are called here
     */
    public View(
            String name,
            Set<String> backends,
            List<PublishedTool> tools,
            Map<String, PublishedTool> aliases,
            Map<String, List<String>> ambiguous) {
        this.name = name;
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
        this.bounds = ResourceBounds.NONE;
    }

    private View(View whole, List<PublishedTool> listed, ResourceBounds bounds) {
        this.name = whole.name;
        this.backends = whole.backends;
        this.tools = whole.tools;
        this.listed = List.copyOf(listed);
        this.byName = whole.byName;
        this.ambiguous = whole.ambiguous;
        this.bounds = bounds;
    }

    /** The same, kept to {@code within}. */
    View within(ResourceBounds within) {
        return new View(this, listed, within);
    }

    /** The same tools, of which only {@link ToolSearch} is listed. */
    View throughToolSearch() {
        return new View(
                this,
                tools.stream()
                        .filter(tool -> ToolSearch.has(tool.backend(), tool.descriptor()))
                        .toList(),
                bounds);
    }

    /** What it leaves of the backends' resources. */
    public ResourceBounds bounds() {
        return bounds;
    }

    /** Its name, {@code ""} for the default view. */
    public String name() {
        return name;
    }

    /** The ids of the backends whose resources and prompts it shows. */
    public Set<String> backends() {
        return backends;
    }

    /** Its tools, sorted by name. */
    public List<PublishedTool> tools() {
        return tools;
    }

    /** The tools that its list shows, sorted by name. */
    public List<PublishedTool> listed() {
        return listed;
    }

    /** What {@code toolName} stands for here. */
    public Lookup find(String toolName) {
        PublishedTool tool = byName.get(toolName);
        if (tool != null) {
            return new Lookup.ToolFound(tool);
        }
        List<String> candidates = ambiguous.get(toolName);
        return candidates == null ? new Lookup.Unknown() : new Lookup.Ambiguous(new ArrayList<>(candidates));
    }
}
