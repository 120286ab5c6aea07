package switchboard.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A view that an operator puts together. Tools are keyed by {@code <backend>__<tool>}.
 *
 * @param name its name in the URL
 * @param backends the ids of the backends whose tools it shows
 * @param tools if not empty, only these tools
 * @param rename new names; a tool that is not here keeps its own
 * @param texts texts that replace the tools' descriptions
 * @param pinned arguments that every call gets: hidden from the schema and refused when sent
 * @param defaults arguments that a call gets unless it brings them
 * @param listing which of its tools are listed
 * @param resources by backend, globs of the resources that everything on the view is kept to
 */
public record ViewSpec(
        String name,
        Set<String> backends,
        List<String> tools,
        Map<String, String> rename,
        Map<String, String> texts,
        Map<String, Map<String, JsonNode>> pinned,
        Map<String, Map<String, JsonNode>> defaults,
        ListDetail listing,
        Map<String, List<String>> resources) {
    /** What a view's list shows. */
    public enum ListDetail {
        /** All its tools. */
        ALL,
        /** {@link ToolSearch} alone; the others are found and called through it. */
        TOOL_SEARCH
    }

    public ViewSpec {
        backends = Set.copyOf(backends);
        tools = List.copyOf(tools);
        rename = Map.copyOf(rename);
        texts = Map.copyOf(texts);
        pinned = Map.copyOf(pinned);
        defaults = Map.copyOf(defaults);
        resources = Map.copyOf(resources);
    }
}
