package switchboard.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A selection of tools with its own URL. */
public record ViewConfig(
        @Doc("Ids of the backends whose tools it offers.") List<String> backends,

        @Doc("If given, only these tools, as `<backend>__<tool>`.")
        List<String> tools,

        @Doc("New names: `<backend>__<tool>: <name>`.") Map<String, String> rename,

        @Doc("A YAML file, relative to this one, `tools: {<backend>__<tool>: {description: ...}}`, with texts that"
                + " replace those of the tools.")
        @Nullable
        Path descriptions,

        @Doc(
                "Arguments that are added to every call and hidden from callers: `<backend>__<tool>: {<argument>: <value>}`.")
        Map<String, Map<String, JsonNode>> pinned,

        @Doc(
                "By backend, globs of the resources (collections, indexes, tables, libraries) that everything in the view is"
                        + " restricted to: tools, resources, completions, searches over all backends. If missing, a pinned argument that"
                        + " names a resource decides, and a backend with other pinned arguments offers no resources.")
        Map<String, List<String>> resources,

        @Doc("Default values of arguments, written like `pinned`.")
        Map<String, Map<String, JsonNode>> defaults,

        @Default("false")
        @Doc("List only `find_tools` and `call_tool`, for clients that can't take many tools: the first names the tools"
                + " for a task, the second calls them. The caller needs the right to search `switchboard`.")
        boolean findTools,

        @Default("true")
        @Doc("Whether lists of tools include the schemas of results, nearly half of a list. Results stay the same.")
        boolean outputSchemas,

        @Default("cite")
        @Doc(
                "What the `ref` of a passage says, which `check_citation` takes: `cite`, the citation and the document's version,"
                        + " about 45 tokens; `full`, also each part of the citation as a field, the whole hash and the time; `none`, there is none.")
        RefFields refs,

        @Default("true")
        @Doc("Whether answers with texts of documents say that they are quoted, and mark what is suspicious in them"
                + " (`quoted`, `signals`). What `search.signals` hides or demotes stays hidden or demoted.")
        boolean signals) {
    /** What refs of passages say. */
    public enum RefFields {
        /** The citation and the version. */
        CITE,
        /** Everything. */
        FULL,
        /** There are none. */
        NONE
    }

    public ViewConfig {
        backends = List.copyOf(backends);
        tools = List.copyOf(tools);
        rename = Map.copyOf(rename);
        pinned = Map.copyOf(pinned);
        resources = Map.copyOf(resources);
        defaults = Map.copyOf(defaults);
    }

    ViewConfig in(Path folder) {
        Path file = descriptions == null ? null : folder.resolve(descriptions);
        return new ViewConfig(
                backends, tools, rename, file, pinned, resources, defaults, findTools, outputSchemas, refs, signals);
    }
}
