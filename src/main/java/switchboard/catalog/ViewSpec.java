package switchboard.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import switchboard.call.RefDetail;

/**
 * The definition of a view by an operator. Tools are named {@code <backend>__<tool>}.
 *
 * @param name its name in the URL
 * @param backends ids of the backends whose tools it offers
 * @param tools if not empty, only these tools
 * @param rename new names; other tools keep theirs
 * @param texts descriptions that replace those of tools
 * @param arguments values of arguments
 * @param listing what lists show of it
 * @param resources by backend, globs of the resources that everything in the view is restricted to
 */
public record ViewSpec(
        String name,
        Set<String> backends,
        List<String> tools,
        Map<String, String> rename,
        Map<String, String> texts,
        ArgumentValues arguments,
        Listing listing,
        Map<String, List<String>> resources) {
    /**
     * Values of arguments by tool and name.
     *
     * @param pinned fixed arguments of every call: hidden in the schema and refused if sent
     * @param defaults default values of arguments
     */
    public record ArgumentValues(
            Map<String, Map<String, JsonNode>> pinned, Map<String, Map<String, JsonNode>> defaults) {
        public ArgumentValues {
            pinned = Map.copyOf(pinned);
            defaults = Map.copyOf(defaults);
        }
    }

    /**
     * What lists of tools show of a view, and what answers leave out.
     *
     * @param tools which tools its lists show
     * @param outputSchemas whether they show the tools' output schemas, which are nearly half of a list
     * @param refs how much the refs of passages say in the answers of the gateway's own tools
     * @param signals whether answers mark what is suspicious in texts of documents
     */
    public record Listing(ListedTools tools, boolean outputSchemas, RefDetail refs, boolean signals) {
        /** All tools, with their output schemas, and complete answers. */
        public static final Listing COMPLETE = new Listing(ListedTools.ALL, true, RefDetail.CITE, true);
    }

    /** Which tools a view lists. */
    public enum ListedTools {
        /** All its tools. */
        ALL,
        /** Only those of {@link ToolSearch}; the others are found and called with them. */
        TOOL_SEARCH
    }

    public ViewSpec {
        backends = Set.copyOf(backends);
        tools = List.copyOf(tools);
        rename = Map.copyOf(rename);
        texts = Map.copyOf(texts);
        resources = Map.copyOf(resources);
    }
}
