package switchboard.protocol.method;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

/**
 * The position of the next page of a list. It names entries instead of numbers, so it stays valid when the list
 * changes.
 *
 * @param list the method of the list
 * @param at the entry after which to continue, or the backend
 * @param inner the backend's own cursor, or null for its first page
 */
record Cursor(String list, String at, @Nullable String inner) {
    private static final int LONGEST = 16 * 1024;

    /** The cursor in {@code params}, empty for the first page. */
    static Optional<Cursor> of(String list, ObjectNode params) {
        JsonNode given = params.path("cursor");
        if (given.isMissingNode()
                || given.isNull()
                || (given.isTextual() && given.asText().isEmpty())) {
            return Optional.empty();
        }
        if (!given.isTextual() || given.asText().length() > LONGEST) {
            throw invalid();
        }
        try {
            JsonNode parts = Json.parse(Base64.getUrlDecoder().decode(given.asText()));
            if (!parts.isArray()
                    || parts.size() != 3
                    || !parts.path(0).asText().equals(list)
                    || !parts.path(1).isTextual()) {
                throw invalid();
            }
            return Optional.of(new Cursor(
                    list,
                    parts.path(1).asText(),
                    parts.path(2).isTextual() ? parts.path(2).asText() : null));
        } catch (IllegalArgumentException | JsonProcessingException | UncheckedIOException e) {
            throw invalid();
        }
    }

    /** The text that clients send back to get the next page. */
    String encode() {
        byte[] json = Json.text(Json.array().add(list).add(at).add(inner)).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    }

    static RpcException invalid() {
        return new RpcException(
                RpcError.INVALID_PARAMS, "\"cursor\" is not one that this list gave out. Leave it out to start over.");
    }
}
