package switchboard.testing.chaos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.ToolResult;

/** Calls tools for a scene, one at a time, at the pace that is wanted, and counts what becomes of it. */
final class Cast {
    private final McpTestClient client;
    private final String backend;
    private final int number;
    private final Pace pace;
    private final Tally tally;

    /** The {@code number}th that plays {@code backend}'s scene. */
    Cast(McpTestClient client, String backend, int number, Pace pace, Tally tally) {
        this.client = client;
        this.backend = backend;
        this.number = number;
        this.pace = pace;
        this.tally = tally;
    }

    /** Which of those that play the same scene this is. */
    int number() {
        return number;
    }

    /** Calls {@code tool}, whose success is expected. */
    ToolResult call(String tool, ObjectNode arguments) {
        return call(tool, arguments, Set.of());
    }

    /** Calls {@code tool} with arguments written as JSON with single quotes. */
    ToolResult call(String tool, String json) {
        return call(tool, object(json), Set.of());
    }

    /** The same where a failure of the kind {@code expected} is as good as a success. */
    ToolResult expect(String expected, String tool, String json) {
        return call(tool, object(json), Set.of(expected));
    }

    private static ObjectNode object(String json) {
        try {
            return (ObjectNode) Json.parse(json.replace('\'', '"'));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    private ToolResult call(String tool, ObjectNode arguments, Set<String> expected) {
        pace.await();
        long began = System.nanoTime();
        try {
            ToolResult result = client.call(tool, arguments);
            if (!result.isError() || expected.contains(result.errorKind())) {
                tally.success(backend, tool);
            } else {
                tally.failure(
                        new Tally.Failure(backend, tool, result.errorKind(), result.text(), began, System.nanoTime()));
            }
            return result;
        } catch (AssertionError | RuntimeException e) {
            tally.failure(new Tally.Failure(
                    backend,
                    tool,
                    "BROKEN",
                    e + (e.getCause() == null ? "" : " " + e.getCause()),
                    began,
                    System.nanoTime()));
            return new ToolResult(Json.object().put("isError", true));
        }
    }
}
