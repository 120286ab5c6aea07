package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a backend answers. JSON nodes inside must not be changed. */
public sealed interface BackendReply
        permits ToolReply,
                BackendReply.Resources,
                BackendReply.Contents,
                BackendReply.Prompts,
                BackendReply.Prompt,
                BackendReply.Completion {

    /** One page of resources or resource templates, each an MCP object; {@code next} is the cursor of the next page. */
    record Resources(List<ObjectNode> items, @Nullable String next) implements BackendReply {
        public Resources {
            items = List.copyOf(items);
        }
    }

    /** The contents of one resource, each an MCP {@code ResourceContents} object; empty means there is no such resource. */
    record Contents(List<ObjectNode> contents) implements BackendReply {
        public Contents {
            contents = List.copyOf(contents);
        }
    }

    /** One page of prompts, each an MCP {@code Prompt} object; {@code next} is the cursor of the next page. */
    record Prompts(List<ObjectNode> items, @Nullable String next) implements BackendReply {
        public Prompts {
            items = List.copyOf(items);
        }
    }

    /** A prompt, as MCP's {@code GetPromptResult}; null means there is no such prompt. */
    record Prompt(@Nullable ObjectNode result) implements BackendReply {}

    /** Completion values (at most 100), as MCP's {@code CompleteResult.completion}. */
    record Completion(List<String> values, @Nullable Integer total, boolean hasMore) implements BackendReply {
        public Completion {
            values = List.copyOf(values);
        }
    }
}
