package switchboard.config;

import java.util.Map;

/** A file with descriptions that replace those of tools in a view. */
public record ViewDescriptions(
        @Doc("By `<backend>__<tool>`.") Map<String, ToolText> tools) {
    public ViewDescriptions {
        tools = Map.copyOf(tools);
    }

    /** The texts of one tool. */
    public record ToolText(
            @Doc("The description that agents read to choose the tool.")
            String description) {}
}
