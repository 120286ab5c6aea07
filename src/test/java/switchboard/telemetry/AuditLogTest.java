package switchboard.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;

class AuditLogTest {
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-05-01T12:00:00Z"), ZoneOffset.UTC);

    private final List<byte[]> written = new CopyOnWriteArrayList<>();

    private final AuditSink sink = new AuditSink() {
        @Override
        public void write(List<byte[]> lines) {
            written.addAll(lines);
        }

        @Override
        public void close() {}
    };

    /** The line of one event. */
    private JsonNode line(AuditLog.ArgumentDetail arguments, AuditEvent event) throws IOException {
        written.clear();
        try (AuditLog log = new AuditLog(
                new AuditWriter(sink, 1 << 20, new SimpleMeterRegistry()), AuditLog.Position.OWN, arguments, NOON)) {
            log.record(event);
        }
        assertEquals(1, written.size());
        byte[] line = written.getFirst();
        assertEquals('\n', line[line.length - 1]);
        return Json.parse(line);
    }

    private static AuditEvent call(String view, List<String> resources, @Nullable ObjectNode arguments) {
        return new AuditEvent.Call(new FinishedRequest(
                new RequestSource("r-1", null, "192.0.2.1", view),
                new RequestCaller("red", "r1"),
                new FinishedRequest.Channel("http", "2026-07-28"),
                new FinishedRequest.Subject("tools/call", "search", null, resources, arguments),
                FinishedRequest.Outcome.OK,
                Duration.ofMillis(5),
                17));
    }

    private static List<String> resources(JsonNode line) {
        return StreamSupport.stream(line.path("resources").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    @Test
    void ofManyResourcesTheFirstAreWritten() throws IOException {
        List<String> all = IntStream.range(0, 40).mapToObj(i -> "library-" + i).toList();
        assertEquals(all.subList(0, 32), resources(line(AuditLog.ArgumentDetail.NONE, call("", all, null))));
        assertEquals(
                all.subList(0, 32), resources(line(AuditLog.ArgumentDetail.NONE, call("", all.subList(0, 32), null))));
        assertEquals(
                all.subList(0, 1), resources(line(AuditLog.ArgumentDetail.NONE, call("", all.subList(0, 1), null))));
        assertFalse(
                line(AuditLog.ArgumentDetail.NONE, call("", List.of(), null)).has("resources"));
    }

    @Test
    void ofALongNameTheBeginningIsWritten() throws IOException {
        String fits = "n".repeat(200);
        String longer = "m".repeat(201);
        assertEquals(
                List.of(fits, "m".repeat(200) + "..."),
                resources(line(AuditLog.ArgumentDetail.NONE, call("", List.of(fits, longer), null))));
    }

    @Test
    void aSecretThatIsAskedForAsANameIsNotWritten() throws IOException {
        String key = "ghp_" + "a1B2".repeat(9);
        String line =
                line(AuditLog.ArgumentDetail.NONE, call("", List.of(key), null)).toString();
        assertFalse(line.contains(key), line);
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "team-a_1, team-a_1",
        "Team, other",
        "sk-live/4711, other",
        "a23456789012345678901234567890123, other"
    })
    void whatCanNotNameAViewIsNotWritten(String asked, String expected) throws IOException {
        assertEquals(
                expected,
                line(AuditLog.ArgumentDetail.NONE, call(asked, List.of(), null))
                        .path("view")
                        .asText());
    }

    @Test
    void equalArgumentsHaveEqualSums() throws IOException {
        JsonNode one =
                line(AuditLog.ArgumentDetail.HASH, call("", List.of(), arguments("{\"a\":1,\"b\":{\"d\":2,\"c\":3}}")));
        JsonNode other =
                line(AuditLog.ArgumentDetail.HASH, call("", List.of(), arguments("{\"b\":{\"c\":3,\"d\":2},\"a\":1}")));
        JsonNode third =
                line(AuditLog.ArgumentDetail.HASH, call("", List.of(), arguments("{\"b\":{\"c\":3,\"d\":2},\"a\":2}")));
        assertEquals(64, one.path("argumentsSha256").asText().length());
        assertEquals(one.path("argumentsSha256"), other.path("argumentsSha256"));
        assertFalse(one.path("argumentsSha256").equals(third.path("argumentsSha256")));
        assertFalse(one.has("arguments"));
    }

    @Test
    void aRefusalAndALimitAreLinesOfTheirOwn() throws IOException {
        RequestSource source =
                new RequestSource("r-2", "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01", "192.0.2.1", "");
        JsonNode refused = line(AuditLog.ArgumentDetail.FULL, new AuditEvent.AuthenticationFailed(source, "invalid"));
        assertEquals(
                "{\"time\":\"2026-05-01T12:00:00Z\",\"event\":\"authentication\",\"requestId\":\"r-2\","
                        + "\"traceId\":\"0af7651916cd43dd8448eb211c80319c\",\"address\":\"192.0.2.1\",\"view\":\"\","
                        + "\"decision\":\"refused\",\"outcome\":\"invalid\"}",
                refused.toString());
        JsonNode limited = line(
                AuditLog.ArgumentDetail.FULL,
                new AuditEvent.Limited(source, new RequestCaller("red", "r1"), "key.burst", 4));
        assertEquals("limited", limited.path("decision").asText());
        assertEquals("key.burst", limited.path("outcome").asText());
        assertEquals(4, limited.path("calls").asInt());
        assertEquals("red", limited.path("team").asText());
    }

    @Test
    void aChangeOfAKeyIsALineOfItsOwnWithoutSecrets() throws IOException {
        RequestSource source = new RequestSource("r-3", null, "192.0.2.1", "");
        String secret = "sb_0a1b2c3d4e_" + "x".repeat(43);
        JsonNode change = line(
                AuditLog.ArgumentDetail.FULL,
                new AuditEvent.ConsoleChange(
                        source, new RequestCaller("ops", "o1"), "keys/create", "red/" + secret, true, "invalid"));
        assertEquals(
                "{\"time\":\"2026-05-01T12:00:00Z\",\"event\":\"keys\",\"requestId\":\"r-3\",\"address\":\"192.0.2.1\","
                        + "\"view\":\"\",\"team\":\"ops\",\"key\":\"o1\",\"method\":\"keys/create\","
                        + "\"resources\":[\"red/[redacted]\"],\"decision\":\"allowed\",\"outcome\":\"invalid\"}",
                change.toString());
    }

    private static ObjectNode arguments(String json) throws JsonProcessingException {
        return (ObjectNode) Json.parse(json);
    }
}
