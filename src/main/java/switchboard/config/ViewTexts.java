package switchboard.config;

import java.util.Map;

/** A file of texts that replace those of tools in a view. */
public record ViewTexts(@Doc("By `<backend>__<tool>`.") Map<String, ToolText> tools) {
    public ViewTexts {
        tools = Map.copyOf(tools);
    }

    /** The texts of one tool. */
    public record ToolText(
            @Doc("What an agent reads to choose the tool.") String description) {}
}
