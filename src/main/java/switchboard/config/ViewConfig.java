package switchboard.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A selection of tools at a URL of its own. */
public record ViewConfig(
        @Doc("Ids of the backends whose tools it shows.") List<String> backends,

        @Doc("If given, only these tools, as `<backend>__<tool>`.")
        List<String> tools,

        @Doc("New names: `<backend>__<tool>: <name>`.") Map<String, String> rename,

        @Doc("A YAML file `tools: {<name>: {description: ...}}` with texts that replace those of the tools.") @Nullable
        Path descriptions) {
    public ViewConfig {
        backends = List.copyOf(backends);
        tools = List.copyOf(tools);
        rename = Map.copyOf(rename);
    }

    ViewConfig in(Path folder) {
        return new ViewConfig(backends, tools, rename, descriptions == null ? null : folder.resolve(descriptions));
    }
}
