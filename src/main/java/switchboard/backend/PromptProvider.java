package switchboard.backend;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import switchboard.call.BackendReply;

/** A backend's MCP prompts. Failures as in {@link ToolHandler#call}. */
public interface PromptProvider {
    /** The prompts, each an MCP {@code Prompt} object that must not be changed. */
    List<ObjectNode> list();

    /** One prompt, filled in. */
    Future<BackendReply.Prompt> get(String name, Map<String, String> arguments, CallContext context);

    /** Values for an argument. */
    Future<BackendReply.Completion> complete(
            String prompt, String argument, String value, Map<String, String> known, CallContext context);
}
