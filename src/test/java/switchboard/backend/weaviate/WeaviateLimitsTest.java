package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.upstream.UpstreamRequest;

/** How much a filter, an object, an answer and the record of requests may hold: exactly that, and not one more. */
class WeaviateLimitsTest {
    private static void read(JsonNode filter) {
        WhereReader.read("where", (ObjectNode) filter, Optional.empty(), TenantScope.of(Caller.unrestricted()));
    }

    private static void refused(JsonNode filter) {
        assertEquals(
                FailureKind.INVALID_ARGUMENT,
                assertThrows(ToolException.class, () -> read(filter)).failed().kind());
    }

    private static ObjectNode equal(String... path) {
        ObjectNode filter = Json.object().put("operator", "Equal").put("valueText", "x");
        ArrayNode steps = filter.putArray("path");
        for (String step : path) {
            steps.add(step);
        }
        return filter;
    }

    private static ObjectNode combined(String operator, int operands, JsonNode operand) {
        ObjectNode filter = Json.object().put("operator", operator);
        ArrayNode all = filter.putArray("operands");
        IntStream.range(0, operands).forEach(_ -> all.add(operand));
        return filter;
    }

    private static ObjectNode nested(int levels) {
        ObjectNode filter = equal("a");
        for (int level = 1; level < levels; level++) {
            filter = combined("Not", 1, filter);
        }
        return filter;
    }

    @Test
    void aFilterIsUpTo10LevelsDeep() {
        read(nested(10));
        refused(nested(11));
    }

    @Test
    void aFilterHasUpTo500Clauses() {
        read(combined("Or", 499, equal("a"))); // and the Or itself
        refused(combined("Or", 500, equal("a")));
    }

    @Test
    void aPathHasUpTo19Steps() {
        read(equal(IntStream.range(0, 19).mapToObj(i -> "s" + i).toArray(String[]::new)));
        refused(equal(IntStream.range(0, 21).mapToObj(i -> "s" + i).toArray(String[]::new)));
        refused(equal("ref", "Collection"));
        refused(equal());
        read(equal("ref", "Collection", "name"));
    }

    @Test
    void aNegationHasOneOperandAndCombinationsAtLeastOne() {
        refused(combined("Not", 2, equal("a")));
        refused(combined("Not", 0, equal("a")));
        refused(combined("And", 0, equal("a")));
        read(combined("And", 1, equal("a")));
    }

    @Test
    void aListHasUpTo10000Values() {
        ObjectNode any = Json.object().put("operator", "ContainsAny");
        any.putArray("path").add("a");
        ArrayNode values = any.putArray("valueTextArray");
        refused(any);
        IntStream.range(0, 10_000).forEach(i -> values.add("v" + i));
        read(any);
        values.add("one more");
        refused(any);
    }

    private static Upsert upsert(JsonNode vector) {
        return Upsert.of(
                new ObjectsUpsertTool.ObjectItem(
                        Json.object(), null, Json.object().<ObjectNode>set("v", vector)),
                "C",
                null);
    }

    private static ArrayNode numbers(int count) {
        ArrayNode vector = Json.array();
        IntStream.range(0, count).forEach(vector::add);
        return vector;
    }

    @Test
    void aVectorHasUpTo65535FiniteNumbersOrIsAListOfSuch() {
        assertTrue(upsert(numbers(65_535)).waiting());
        assertFalse(upsert(numbers(65_536)).waiting());
        assertFalse(upsert(numbers(0)).waiting());
        assertTrue(
                upsert(Json.array().add(Float.MAX_VALUE).add(-Float.MAX_VALUE)).waiting());
        assertFalse(upsert(Json.array().add(2.0 * Float.MAX_VALUE)).waiting());
        assertFalse(upsert(Json.array().add(-2.0 * Float.MAX_VALUE)).waiting());
        assertFalse(upsert(Json.array().add(1).add("2")).waiting());
        assertTrue(upsert(Json.array().add(numbers(2)).add(numbers(2))).waiting());
        assertFalse(upsert(Json.array().add(numbers(2)).add(1)).waiting());
        assertFalse(upsert(Json.array().add(numbers(2)).add(Json.array())).waiting());
        assertFalse(upsert(Json.array().add(Json.array().add(numbers(2)))).waiting(), "one level is enough");
    }

    /** A text that takes {@code bytes} in the larger form of an answer. */
    private static TextNode taking(int bytes) {
        return TextNode.valueOf("a".repeat(bytes - "\"\\\"\\\"\"".length()));
    }

    @Test
    void anAnswerHasRoomFor8MiBLess256KiB() {
        int room = 8 * 1024 * 1024 - 256 * 1024;
        AnswerSizeLimit full = new AnswerSizeLimit();
        assertTrue(full.holds(taking(room - 1000)));
        assertFalse(full.holds(taking(1001)));
        assertTrue(full.holds(taking(1000)), "what did not fit takes no room");
        assertFalse(full.holds(taking(10)));
        AnswerSizeLimit one = new AnswerSizeLimit();
        assertTrue(one.holds(taking(room + 1000)), "the first always fits");
        assertFalse(one.holds(taking(10)));
    }

    // ---- the record of requests

    private final RequestHistory history =
            new RequestHistory(Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC));

    private String recorded() {
        return history.read(null).await();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 499, 500})
    void aReasonOfUpTo500CharactersIsRecordedWhole(int length) {
        history.answered(UpstreamRequest.get("/v1/meta"), 422, 2_999_999, "r".repeat(length));
        assertEquals(
                "2026-01-01T00:00:00Z GET /v1/meta 422 2ms" + (length == 0 ? "" : " " + "r".repeat(length)) + "\n",
                recorded());
    }

    @Test
    void aLongerReasonIsCutAndLinesStayLines() {
        history.answered(UpstreamRequest.get("/v1/meta"), 422, 0, "r".repeat(501));
        history.answered(UpstreamRequest.get("/v1/meta"), 422, 0, "two\nlines");
        assertEquals(
                "2026-01-01T00:00:00Z GET /v1/meta 422 0ms " + "r".repeat(500) + "…\n"
                        + "2026-01-01T00:00:00Z GET /v1/meta 422 0ms two lines\n",
                recorded());
    }

    @Test
    void failuresAreRecordedByKindAndDefectsByClass() {
        history.failed(UpstreamRequest.get("/a"), 0, new ToolException(FailureKind.TIMEOUT, "too slow"));
        history.failed(UpstreamRequest.get("/b"), 0, new IllegalStateException("secret detail"));
        assertEquals(
                "2026-01-01T00:00:00Z GET /a TIMEOUT 0ms too slow\n"
                        + "2026-01-01T00:00:00Z GET /b IllegalStateException 0ms\n",
                recorded());
    }

    @Test
    void theLast100000CharactersAreKept() {
        String line = "2026-01-01T00:00:00Z GET /v1/meta 200 0ms " + "r".repeat(157) + "\n";
        assertEquals(200, line.length());
        for (int i = 0; i < 500; i++) {
            history.answered(UpstreamRequest.get("/v1/meta"), 200, 0, "r".repeat(157));
        }
        assertEquals(100_000, recorded().length());
        history.answered(UpstreamRequest.get("/v1/meta"), 201, 0, "");
        assertTrue(recorded().endsWith(" 201 0ms\n"));
        assertEquals(
                499 * 200 + "2026-01-01T00:00:00Z GET /v1/meta 201 0ms\n".length(),
                recorded().length());
    }

    @Test
    void namesInMessagesAreShortenedTo80Characters() {
        assertEquals("\"" + "n".repeat(80) + "\"", WeaviateIdentifiers.quoted("n".repeat(80)));
        assertEquals("\"" + "n".repeat(80) + "…\"", WeaviateIdentifiers.quoted("n".repeat(81)));
        assertDoesNotThrow(() -> WeaviateIdentifiers.quoted("\uD83D".repeat(200)));
    }
}
