package switchboard.protocol.method;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

class CursorTest {
    private static ObjectNode params(String cursor) {
        return Json.object().put("cursor", cursor);
    }

    private static String encoded(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aCursorComesBackAsItWasGiven() {
        for (String inner : new String[] {null, "", "page 2"}) {
            Cursor cursor = new Cursor("tools/list", "a\u0000ü", inner);
            assertEquals(Optional.of(cursor), Cursor.of("tools/list", params(cursor.encode())));
        }
    }

    @Test
    void withoutACursorTheListBegins() {
        assertEquals(Optional.empty(), Cursor.of("tools/list", Json.object()));
        assertEquals(Optional.empty(), Cursor.of("tools/list", params("")));
        assertEquals(Optional.empty(), Cursor.of("tools/list", params(null)));
    }

    private static void refused(ObjectNode params) {
        RpcException refused = assertThrows(RpcException.class, () -> Cursor.of("tools/list", params));
        assertEquals(RpcError.INVALID_PARAMS, refused.error());
    }

    @Test
    void aCursorOfAnotherListIsRefused() {
        refused(params(new Cursor("prompts/list", "a", null).encode()));
        refused(Json.object().put("cursor", 7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "[\"tools/list\",\"a\"]", "[\"tools/list\",\"a\",null,1]", "[\"tools/list\",1,null]", "["})
    void whatNoListGaveOutIsRefused(String json) {
        refused(params(encoded(json)));
        refused(params("%" + encoded(json)));
    }

    @Test
    void aCursorHasUpTo16KiB() {
        int around = "[\"tools/list\",\"\",null]".length();
        String longest = new Cursor("tools/list", "a".repeat(12 * 1024 - around), null).encode();
        assertEquals(16 * 1024, longest.length());
        assertEquals(
                longest, Cursor.of("tools/list", params(longest)).orElseThrow().encode());
        refused(params(new Cursor("tools/list", "a".repeat(12 * 1024 - around + 1), null).encode()));
    }
}
