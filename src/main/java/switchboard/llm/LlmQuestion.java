package switchboard.llm;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a model is asked.
 *
 * @param task what to do, in words; the same for every text
 * @param text what to do it with: data, of which a model that is sent only the beginning still gets the point
 * @param name of the answer's form: letters and {@code _}
 * @param schema JSON Schema of the answer, an object at the top; must not be changed
 */
public record LlmQuestion(String task, String text, String name, ObjectNode schema) {}
