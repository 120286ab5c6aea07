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
     * What the model answers, as JSON. Fails with {@link switchboard.call.ToolException}: {@code UNAVAILABLE} or {@code
     * TIMEOUT} when there is no answer or none of the form asked for, {@code OVERLOADED} when the budget is used up,
     * {@code DENIED_UPSTREAM} when the model's server refuses the key. The answer need not fit the schema: callers check
     * what they take.
     */
    Future<JsonNode> ask(LlmQuestion question, CallContext context);

    /** How it was when it was last asked; while that was bad, it is asked again from time to time. Never blocks. */
    Health health();

    /**
     * Asks it something short, past the budget and past the rest that a failing server is given.
     *
     * @return whether an answer comes, or why not and what the operator can do; never fails
     */
    Future<Health> check();

    /** Lets go of connections. */
    Future<Void> close();
}
