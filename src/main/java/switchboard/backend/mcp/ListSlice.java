package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * A page of a list that is kept in memory.
 *
 * @param next the cursor of the next page, or null
 */
record ListSlice(List<ObjectNode> entries, @Nullable String next) {
    private static final int PAGE = 250;

    /** The page of {@code all} at {@code cursor}. */
    static ListSlice of(List<ObjectNode> all, @Nullable String cursor) {
        int start = cursor == null ? 0 : start(cursor);
        int from = Math.min(start, all.size());
        int end = Math.min(from + PAGE, all.size());
        return new ListSlice(all.subList(from, end), end < all.size() ? Integer.toString(end) : null);
    }

    private static int start(String cursor) {
        if (!cursor.matches("\\d{1,9}")) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT, "The cursor is not one of this list. List from the start.");
        }
        return Integer.parseInt(cursor);
    }

    /** Converts a server's {@code completion} object. */
    static BackendReply.Completion completion(JsonNode completion) {
        List<String> values = new ArrayList<>();
        completion.path("values").forEach(value -> values.add(value.asText()));
        JsonNode total = completion.path("total");
        return new BackendReply.Completion(
                values,
                total.canConvertToInt() ? total.asInt() : null,
                completion.path("hasMore").asBoolean(false));
    }
}
