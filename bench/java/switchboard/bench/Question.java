package switchboard.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * What a server is asked.
 *
 * @param path where
 * @param method of MCP
 * @param tool the one to call, or null
 * @param expected what the answer must hold
 */
record Question(String path, String method, @Nullable String tool, @Nullable ObjectNode arguments, String expected) {
    static Question list(String path, String expected) {
        return new Question(path, "tools/list", null, null, expected);
    }

    static Question call(String path, String tool, ObjectNode arguments, String expected) {
        return new Question(path, "tools/call", tool, arguments, expected);
    }
}
