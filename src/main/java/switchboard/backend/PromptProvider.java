package switchboard.backend;

import io.vertx.core.Future;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;

/** A backend's MCP prompts. Failures as in {@link ToolHandler#call}. */
public interface PromptProvider {
    /** A page of the prompts that the caller may see. {@code cursor} is one of this provider's, or null. */
    Future<BackendReply.Prompts> list(@Nullable String cursor, CallContext context);

    /** A prompt with its arguments filled in. A prompt of another server may be a {@code Relayed} reply instead. */
    Future<? extends BackendReply> get(String name, Map<String, String> arguments, CallContext context);

    /** Values for an argument. */
    Future<BackendReply.Completion> complete(
            String prompt, String argument, String value, Map<String, String> known, CallContext context);
}
