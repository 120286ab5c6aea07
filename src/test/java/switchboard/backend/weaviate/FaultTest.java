package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.testing.BackendHarness;
import switchboard.testing.FaultServer;
import switchboard.testing.ToolResult;
import switchboard.upstream.UpstreamSettings;

/** A Weaviate that is down, slow, broken or not Weaviate: the right kind of failure, and never a lie about what was done. */
class FaultTest {
    private static final String CONFIG = "weaviate-collections-get-config";
    private static final FaultServer.Behaviour SCHEMA = FaultServer.json(
            "{\"class\":\"Article\",\"vectorizer\":\"none\",\"properties\":[{\"name\":\"title\",\"dataType\":[\"text\"],\"indexSearchable\":true}]}");
    private static final String HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

    /** Enough for a request to be sent by a machine that has other things to do, and soon over for a test. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private static BackendHarness gateway(URI url) {
        return gateway(url, Duration.ofSeconds(20));
    }

    private static BackendHarness gateway(URI url, Duration patience) {
        UpstreamSettings usual = UpstreamSettings.defaults();
        UpstreamSettings settings = new UpstreamSettings(
                new UpstreamSettings.Timeouts(Duration.ofSeconds(20), patience, patience),
                usual.pool(),
                Size.ofMiB(1),
                0,
                usual.breaker(),
                usual.tls(),
                null);
        return BackendHarness.start(
                new WeaviateModule(),
                new WeaviateSettings(
                        url,
                        Secret.of("sesame-key"),
                        true,
                        new WeaviateSettings.Logs(false, null, null, null),
                        null,
                        Duration.ofSeconds(30),
                        settings),
                Path.of("target"));
    }

    private static ToolResult failure(String kind, String tool, String arguments, FaultServer.Behaviour... script) {
        return failure(Duration.ofSeconds(20), kind, tool, arguments, script);
    }

    private static ToolResult failure(
            Duration patience, String kind, String tool, String arguments, FaultServer.Behaviour... script) {
        try (FaultServer server = new FaultServer(script);
                BackendHarness gateway = gateway(server.url(), patience)) {
            ToolResult result = gateway.call(tool, arguments);
            assertTrue(result.isError(), result::toString);
            assertEquals(kind, result.errorKind(), result::toString);
            assertFalse(result.toString().contains("sesame-key"), result::toString);
            assertFalse(result.toString().contains("127.0.0.1"), result::toString);
            assertEquals(0, gateway.dispatcher().inFlight());
            return result;
        }
    }

    @Test
    void refusedConnectionIsUnavailable() {
        FaultServer gone = new FaultServer(SCHEMA);
        gone.close();
        try (BackendHarness gateway = gateway(gone.url())) {
            assertEquals("UNAVAILABLE", gateway.call(CONFIG, "{}").errorKind());
            ToolResult upsert = gateway.call(
                    "weaviate-objects-upsert",
                    "{\"collection_name\":\"Article\",\"objects\":[{\"properties\":{\"title\":\"x\"}}]}");
            assertEquals("UNAVAILABLE", upsert.errorKind());
            assertFalse(upsert.toString().contains("unknown"), upsert::toString);
            assertFalse(gateway.backend().health().await().ok());
        }
    }

    @Test
    void silenceIsATimeout() {
        failure(SOON, "TIMEOUT", CONFIG, "{}", FaultServer.silentAfter(""));
        failure(SOON, "TIMEOUT", CONFIG, "{}", FaultServer.silentAfter("HTTP/1.1 200 OK\r\n"));
        failure(SOON, "TIMEOUT", CONFIG, "{}", FaultServer.silentAfter(HEAD + "content-length: 100\r\n\r\n{\"cla"));
    }

    @Test
    void aListOfSourcesDoesNotWaitForCounts() {
        try (FaultServer server = new FaultServer(
                        FaultServer.json("{\"classes\":[{\"class\":\"Article\",\"properties\":[{\"name\":\"title\","
                                + "\"dataType\":[\"text\"],\"indexSearchable\":true}]}]}"),
                        FaultServer.silentAfter(""));
                BackendHarness gateway = gateway(server.url(), Duration.ofMinutes(10))) {
            BackendReply.Sources found = assertInstanceOf(
                    BackendReply.Sources.class,
                    gateway.send(new BackendRequest.ListSources(BackendRequest.FilterFields.KNOWN)));
            assertEquals("Article", found.sources().getFirst().name());
            assertNull(found.sources().getFirst().documents());
        }
    }

    @Test
    void anAnswerThatIsNoCollectionIsNotKept() {
        FaultServer.Behaviour lie = FaultServer.json("{\"answer\":42}");
        try (FaultServer server = new FaultServer(lie, lie, SCHEMA, FaultServer.json("{\"objects\":[]}"));
                BackendHarness gateway = gateway(server.url())) {
            String article = "{\"collection_name\":\"Article\"}";
            assertEquals("UNAVAILABLE", gateway.call(CONFIG, article).errorKind());
            assertEquals(
                    "UNAVAILABLE", gateway.call("weaviate-objects-get", article).errorKind());
            ToolResult found = gateway.call("weaviate-objects-get", article);
            assertFalse(found.isError(), found::toString);
        }
    }

    @Test
    void brokenAnswersAreUnavailable() {
        failure(
                "UNAVAILABLE",
                CONFIG,
                "{}",
                FaultServer.closingAfter(HEAD + "content-length: 100\r\n\r\n{\"classes\":["));
        failure("UNAVAILABLE", CONFIG, "{}", FaultServer.reset());
        failure("UNAVAILABLE", CONFIG, "{}", FaultServer.json("{\"classes\":["));
        failure("UNAVAILABLE", CONFIG, "{}", FaultServer.json("{} trailing"));
        failure("UNAVAILABLE", CONFIG, "{}", FaultServer.reply(200, "text/html", "<html>login</html>"));
        failure("UNAVAILABLE", CONFIG, "{}", FaultServer.closingAfter("SSH-2.0-x\r\n"));
        failure(
                "UNAVAILABLE",
                CONFIG,
                "{}",
                FaultServer.reply(
                        404, "application/json", "{\"code\":404,\"message\":\"path /v1/schema was not found\"}"));
    }

    @Test
    void answerWithoutEndIsCutOff() {
        failure("INVALID_ARGUMENT", CONFIG, "{}", FaultServer.endless());
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "null", "1", "\"x\"", "{}", "{\"classes\":{}}", "{\"classes\":[1,null,\"x\"]}"})
    void jsonOfAnotherShapeIsNoDefect(String json) {
        try (FaultServer server = new FaultServer(FaultServer.json(json));
                BackendHarness gateway = gateway(server.url())) {
            for (String arguments : new String[] {"{}", "{\"collection_name\":\"Article\"}"}) {
                assertFalse(gateway.call(CONFIG, arguments).errorKind().equals("INTERNAL"), arguments);
            }
            for (String tool :
                    new String[] {"weaviate-tenants-list", "weaviate-objects-get", "weaviate-objects-delete"}) {
                ToolResult result = gateway.call(tool, "{\"collection_name\":\"Article\"}");
                assertFalse(result.errorKind().equals("INTERNAL"), result::toString);
            }
            ToolResult result = gateway.call(
                    "weaviate-query-hybrid", "{\"collection_name\":\"Article\",\"query\":\"x\",\"alpha\":0}");
            assertFalse(result.errorKind().equals("INTERNAL"), result::toString);
        }
    }

    @Test
    void tooManyRequestsSayHowLongToWait() {
        ToolResult told = failure(
                "OVERLOADED", CONFIG, "{}", FaultServer.reply(429, "text/plain", "slow down", "retry-after: 7"));
        assertEquals(7_000, told.error().path("retryAfterMs").asLong());
        ToolResult untold = failure("OVERLOADED", CONFIG, "{}", FaultServer.reply(429, "text/plain", ""));
        assertFalse(untold.error().has("retryAfterMs"));
    }

    @Test
    void serverErrorsKeepTheirMessageAndClientMistakesInDisguiseAreRecognised() {
        ToolResult internal = failure(
                "UNAVAILABLE",
                CONFIG,
                "{}",
                FaultServer.reply(500, "application/json", "{\"error\":[{\"message\":\"disk on fire\"}]}"));
        assertTrue(internal.text().contains("disk on fire"));
        failure(
                "INVALID_ARGUMENT",
                "weaviate-objects-delete",
                "{\"collection_name\":\"Article\"}",
                SCHEMA,
                FaultServer.reply(
                        500,
                        "application/json",
                        "{\"error\":[{\"message\":\"batch delete objects: Nullstate must be indexed to be"
                                + " filterable!\"}]}"));
        failure(
                "DENIED_UPSTREAM",
                CONFIG,
                "{}",
                FaultServer.reply(401, "text/plain", "{\"code\":401,\"message\":\"invalid api key sesame-key\"}"));
        failure("UNAVAILABLE", CONFIG, "{}", FaultServer.reply(503, "application/json", "{\"error\":\"not ready\"}"));
        failure("UNAVAILABLE", CONFIG, "{}", FaultServer.reply(502, "text/html", "<html>bad gateway</html>"));
    }

    @Test
    void collectionThatTheKeyMayNotReadIsNotSaidToBeMissing() {
        ToolResult denied = failure(
                "DENIED_UPSTREAM",
                "weaviate-objects-delete",
                "{\"collection_name\":\"Article\"}",
                SCHEMA,
                FaultServer.reply(
                        403,
                        "application/json",
                        "{\"error\":[{\"message\":\"validate: failed to get class: Article: rbac: authorization,"
                                + " forbidden action: user 'u' has insufficient permissions to read_collections [[Domain:"
                                + " collections, Collection: Article]]\"}]}"));
        assertTrue(denied.text().contains("read_collections"), denied::toString);
    }

    @Test
    void lostUpsertIsOfUnknownOutcome() {
        ToolResult lost = failure(
                "UNAVAILABLE",
                "weaviate-objects-upsert",
                "{\"collection_name\":\"Article\",\"objects\":[{\"properties\":{\"title\":\"x\"}},{\"uuid\":\"bad\",\"properties\":{}}]}",
                SCHEMA,
                FaultServer.closingAfter(""));
        assertEquals("unknown", lost.error().path("outcome").asText());
        JsonNode results = lost.error().path("results");
        assertEquals("unknown", results.path(0).path("outcome").asText(), results::toString);
        assertTrue(
                WeaviateIdentifiers.uuid(results.path(0).path("uuid").asText()).isPresent());
        assertFalse(results.path(1).has("outcome"));
        ToolResult half = failure(
                "UNAVAILABLE",
                "weaviate-objects-upsert",
                "{\"collection_name\":\"Article\",\"objects\":[{\"properties\":{\"title\":\"x\"}}]}",
                SCHEMA,
                FaultServer.json("[]"));
        assertEquals("unknown", half.error().path("outcome").asText());
    }

    @Test
    void upsertLostHalfwayTellsEachObjectsFate() {
        String objects = IntStream.range(0, 450)
                .mapToObj(i -> "{\"uuid\":\"" + TestEngine.id(7, i) + "\",\"properties\":{\"title\":\"t\"}}")
                .collect(Collectors.joining(",", "[", "]"));
        String stored = IntStream.range(0, 200)
                .mapToObj(i -> "{\"id\":\"" + TestEngine.id(7, i) + "\",\"result\":{\"status\":\"SUCCESS\"}}")
                .collect(Collectors.joining(",", "[", "]"));
        try (FaultServer server = new FaultServer(SCHEMA, FaultServer.json(stored), FaultServer.closingAfter(""));
                BackendHarness gateway = gateway(server.url())) {
            ToolResult result = gateway.call(
                    "weaviate-objects-upsert", "{\"collection_name\":\"Article\",\"objects\":" + objects + "}");
            assertFalse(result.isError(), result::toString);
            JsonNode results = result.structured().path("results");
            assertEquals(TestEngine.id(7, 199), results.path(199).path("id").asText());
            assertEquals("unknown", results.path(200).path("outcome").asText());
            assertEquals("unknown", results.path(399).path("outcome").asText());
            for (int later = 400; later < 450; later++) {
                JsonNode left = results.path(later);
                assertTrue(left.path("error").asText().startsWith("not sent"), left::toString);
                assertEquals("not_sent", left.path("outcome").asText());
                assertFalse(left.has("uuid"), "which would look stored");
            }
            assertEquals(TestEngine.id(7, 200), results.path(200).path("uuid").asText());
            assertFalse(results.path(199).has("outcome"));
            assertEquals(3, server.requests().size());
        }
    }

    @Test
    void batchRefusedAsAWholeIsHalvedUntilTheCulpritIsAlone() {
        FaultServer.Behaviour refused =
                FaultServer.reply(422, "application/json", "{\"code\":601,\"message\":\"body.objects.1 is bad\"}");
        String one = "[{\"id\":\"" + TestEngine.id(7, 0) + "\",\"result\":{\"status\":\"SUCCESS\"}}]";
        try (FaultServer server = new FaultServer(SCHEMA, refused, FaultServer.json(one), refused);
                BackendHarness gateway = gateway(server.url())) {
            JsonNode results = gateway.call(
                            "weaviate-objects-upsert",
                            "{\"collection_name\":\"Article\",\"objects\":[{\"properties\":{\"title\":\"a\"}},{\"properties\":{\"title\":\"b\"}}]}")
                    .structured()
                    .path("results");
            assertTrue(results.path(0).has("id"), results::toString);
            assertTrue(results.path(1).path("error").asText().contains("is bad"), results::toString);
        }
    }

    @Test
    void deleteLostHalfwaySaysWhatWasDeleted() {
        FaultServer.Behaviour round =
                FaultServer.json("{\"results\":{\"matches\":25000,\"limit\":10000,\"successful\":10000,\"failed\":0}}");
        ToolResult lost = failure(
                "UNAVAILABLE",
                "weaviate-objects-delete",
                "{\"collection_name\":\"Article\",\"dry_run\":false}",
                SCHEMA,
                round,
                FaultServer.closingAfter(""));
        assertEquals(10_000, lost.error().path("deleted").asLong(), lost::toString);
        assertEquals("unknown", lost.error().path("outcome").asText());
        assertTrue(lost.text().startsWith("10000 objects were deleted"), lost::toString);
    }

    @Test
    void deleteThatFailsForSomeObjectsEndsAndSaysSo() {
        FaultServer.Behaviour round =
                FaultServer.json("{\"results\":{\"matches\":12,\"limit\":10,\"successful\":7,\"failed\":3}}");
        try (FaultServer server = new FaultServer(SCHEMA, round);
                BackendHarness gateway = gateway(server.url())) {
            JsonNode answer = gateway.call(
                            "weaviate-objects-delete", "{\"collection_name\":\"Article\",\"dry_run\":false}")
                    .structured();
            assertEquals(7, answer.path("deleted").asInt());
            assertEquals(3, answer.path("failed").asInt());
            assertEquals(5, answer.path("remaining").asInt());
            assertFalse(answer.path("complete").asBoolean());
            assertEquals(2, server.requests().size());
        }
    }

    @Test
    void lostCreateIsOfUnknownOutcome() {
        ToolResult lost = failure(
                "UNAVAILABLE",
                "weaviate-collections-create",
                "{\"collection_name\":\"Article\"}",
                FaultServer.closingAfter(""));
        assertEquals("unknown", lost.error().path("outcome").asText());
    }
}
