package switchboard.llm;

/**
 * The language model of a gateway and its use.
 *
 * @param model the model
 * @param indexing whether it also describes documents when they are indexed
 */
public record Llm(ChatModel model, boolean indexing) {}
