package switchboard.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a server is asked.
 *
 * @param path where
 * @param method of MCP
 * @param tool the one to call, or null
 * @param expected what the answer must hold
 * @param calls how often it is asked in one request: more than once is a batch
 */
record Question(
        String path,
        String method,
        @Nullable String tool,
        @Nullable ObjectNode arguments,
        String expected,
        int calls) {
    /** The question of {@code work} to a server with plain tools: {@code echo}, and the two of {@link Tables}. */
    static Optional<Question> simple(Work work, String path) {
        ObjectNode arguments = JsonNodeFactory.instance.objectNode();
        return switch (work) {
            case W1_1, W1, W1_500 -> Optional.of(list(path, "\"inputSchema\""));
            case W2 -> Optional.of(call(path, "echo", arguments.put("value", "hello"), "hello"));
            case W3 -> Optional.of(call(path, "get_item", arguments.put("id", 42), "item number 42"));
            case W4 ->
                Optional.of(call(path, "nearest_passages", arguments.put("vector", Tables.query()), "passage number"));
            case W4_SEMANTIC, W5, W7 -> Optional.empty();
        };
    }

    static Question list(String path, String expected) {
        return new Question(path, "tools/list", null, null, expected, 1);
    }

    static Question call(String path, String tool, ObjectNode arguments, String expected) {
        return new Question(path, "tools/call", tool, arguments, expected, 1);
    }

    /** The same so many times in one request. */
    Question times(int count) {
        return new Question(path, method, tool, arguments, expected, count);
    }
}
