package switchboard.llm;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A question to a language model.
 *
 * @param task the instruction, the same for every text
 * @param text the text to process; only its beginning may be sent, so the important part must come first
 * @param name name of the answer's format: letters and {@code _}
 * @param schema JSON Schema of the answer, an object at the top; must not be changed
 */
public record LlmQuestion(String task, String text, String name, ObjectNode schema) {}
