package switchboard.llm;

/**
 * The language model of a gateway, and what it may be used for.
 *
 * @param model the model
 * @param indexing whether documents are described by it when they are indexed, not only requests understood
 */
public record Llm(ChatModel model, boolean indexing) {}
