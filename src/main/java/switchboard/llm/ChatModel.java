package switchboard.llm;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import switchboard.call.CallContext;
import switchboard.call.Health;

/** A language model. Thread-safe; never blocks. */
public interface ChatModel {
    /** The model's name. */
    String name();

    /**
     * Asks the model and returns its answer as JSON. Fails with {@link switchboard.call.ToolException}: {@code
     * UNAVAILABLE} or {@code TIMEOUT} if there is no answer or not in the requested form, {@code OVERLOADED} if the
     * budget is used up, {@code DENIED_UPSTREAM} if the model's server refuses the key. The answer may not match the
     * schema, so callers must check it.
     */
    Future<JsonNode> ask(LlmQuestion question, CallContext context);

    /** The health at the last request. While it is not up, the model is checked from time to time. Does not block. */
    Health health();

    /**
     * Sends a short request now, without using the budget, even if the server is not called for a while.
     *
     * @return the result, with what the operator can do about a problem; never fails
     */
    Future<Health> check();

    /** Closes its connections. */
    Future<Void> close();
}
