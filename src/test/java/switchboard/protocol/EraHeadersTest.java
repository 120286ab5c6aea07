package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.protocol.CoreFixture.ANYBODY;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.testing.RecordingSink;

/** Which era a message belongs to when it carries a header, a claim, both or neither. */
class EraHeadersTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String CLAIMING =
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
                    + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}";

    private final CoreFixture gateway = new CoreFixture();

    private static Map<String, String> headers(@Nullable String version, @Nullable String session) {
        Map<String, String> headers = new HashMap<>();
        headers.put("Accept", "application/json, text/event-stream");
        if (version != null) {
            headers.put("MCP-Protocol-Version", version);
        }
        if (session != null) {
            headers.put("Mcp-Session-Id", session);
        }
        return headers;
    }

    private RecordingSink post(@Nullable String version, @Nullable String session, String body) {
        return gateway.post(
                CoreFixture.inbound(ANYBODY, headers(version, session), body.getBytes(StandardCharsets.UTF_8)));
    }

    private RecordingSink get(@Nullable String version, String session) {
        RecordingSink sink = new RecordingSink();
        gateway.endpoint.get(CoreFixture.inbound(ANYBODY, headers(version, session), new byte[0]), sink);
        return sink;
    }

    private static void refused(RecordingSink sink, String reason) {
        assertEquals(400, sink.status());
        assertEquals(
                -32600, sink.json().at("/error/code").asInt(), () -> sink.json().toString());
        String message = sink.json().at("/error/message").asText();
        assertTrue(message.contains(reason), message);
    }

    @Test
    void aBatchUnderAModernHeaderIsRefused() {
        refused(post("2026-07-28", null, "[" + PING + "]"), "no batches");
        refused(post("2026-07-28", gateway.session("2025-03-26"), "[" + PING + "]"), "no batches");
    }

    @Test
    void aBatchWithAModernRequestInItIsRefusedWhole() {
        int before = gateway.operations.size();
        refused(post(null, null, "[" + PING + "," + CLAIMING + "]"), "no batches");
        assertEquals(before, gateway.operations.size(), "nothing of it was answered");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2025-03-26", "2026-07-28"})
    void anEmptyBatchIsCalledEmpty(String version) {
        refused(post(version.isEmpty() ? null : version, null, "[]"), "empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2025-03-26", "2024-11-05"})
    void aBatchOfTheErasThatHaveThemIsAnswered(String version) {
        RecordingSink sink = post(version.isEmpty() ? null : version, null, "[" + PING + "," + PING + "]");
        assertEquals(200, sink.status());
        assertEquals(2, sink.json().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25"})
    void laterLegacyVersionsHaveNone(String version) {
        assertEquals(400, post(version, null, "[" + PING + "]").status());
        assertEquals(400, post(null, gateway.session(version), "[" + PING + "]").status());
    }

    @ParameterizedTest
    @CsvSource({"2026-07-28, 400", "2025-01-01, 400", "nonsense, 400", "2025-06-18, 200", "2024-11-05, 200"})
    void theStreamOfASessionIsOpenedUnderLegacyVersionsOnly(String version, int status) {
        RecordingSink sink = get(version, gateway.session("2025-06-18"));
        assertEquals(status, sink.status());
        assertEquals(status == 200, sink.streamed());
        if (status == 400) {
            assertTrue(sink.json().at("/error/message").asText().contains("Unsupported MCP-Protocol-Version"));
            assertEquals(0, gateway.endpoint.openStreams());
        }
    }

    @Test
    void withoutAHeaderTheStreamIsOpened() {
        assertTrue(get(null, gateway.session("2025-06-18")).streamed());
    }

    @Test
    void aMessageUnderAnUnknownVersionIsRefused() {
        RecordingSink sink = post("2025-01-01", null, PING);
        assertEquals(400, sink.status());
        assertTrue(sink.json().at("/error/message").asText().contains("Unsupported MCP-Protocol-Version"));
        assertEquals(
                400, post("2025-01-01", gateway.session("2025-06-18"), PING).status());
    }
}
