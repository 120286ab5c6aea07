package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.FaultServer;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** {@code search} with a second stage, over HTTP, in front of a server with the API of rerankers. */
class RerankOverHttpTest {
    private static final String KEY = "rk-operators-secret";
    private static final List<String> TEXTS =
            List.of("ferry ferry ferry", "the ferry of the island", "a long text in which the ferry is named but once");

    /** For tests of the order: on a busy machine the first request may take longer than the usual two seconds. */
    private static final String PATIENT = ", timeout: 30s";

    @TempDir
    private Path data;

    private TestGateway gateway(FaultServer server, String more) throws IOException {
        Path secret = Files.writeString(data.resolve("key"), KEY);
        TestGateway gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                rerank: {provider: http, model: reader, url: "%s", apiKey: "${file:%s}"%s}
                backends: {vectordb: {type: vectordb}}
                """.formatted(server.url(), secret, more), data);
        McpTestClient client = gateway.modern();
        TEXTS.forEach(text -> ingest(client, text));
        return gateway;
    }

    private static void ingest(McpTestClient client, String text) {
        ToolResult done = client.call(
                "vectordb__ingest_text",
                Json.text(Json.object().put("content", text).put("source", text)));
        assertFalse(done.isError(), done.toString());
    }

    private static JsonNode search(TestGateway gateway, int topK) {
        ToolResult found = gateway.modern()
                .call(
                        "vectordb__search",
                        Json.text(Json.object().put("query", "ferry").put("top_k", topK)));
        assertFalse(found.isError(), found.toString());
        assertFalse(found.toString().contains(KEY), found.toString());
        return found.structured();
    }

    private static List<String> contents(JsonNode reply) {
        return reply.path("results")
                .valueStream()
                .map(hit -> hit.path("content").asText())
                .toList();
    }

    private static FaultServer.Behaviour scores(double... scores) {
        var answer = Json.object();
        var results = answer.putArray("results");
        IntStream.range(0, scores.length)
                .forEach(at -> results.addObject().put("index", at).put("relevance_score", scores[at]));
        return FaultServer.json(Json.text(answer));
    }

    /** What is shown was looked for among all candidates, not only among the first. */
    @Test
    void theRerankerOrdersWhatWasFound() throws IOException {
        try (FaultServer server = new FaultServer(scores(0.1, 0.2, 0.9));
                TestGateway gateway = gateway(server, PATIENT)) {
            JsonNode all = search(gateway, 10);
            assertEquals(List.of(TEXTS.get(2), TEXTS.get(1), TEXTS.get(0)), contents(all));
            assertEquals(0.9, all.path("results").path(0).path("rerank_score").asDouble());
            assertFalse(all.path("reason").asText().contains("reranked"), all.toString());
            assertEquals(List.of(TEXTS.get(2)), contents(search(gateway, 1)));
        }
    }

    @Test
    void whatIsBehindTheCandidatesKeepsItsPlace() throws IOException {
        try (FaultServer server = new FaultServer(scores(0.1, 0.2));
                TestGateway gateway = gateway(server, ", candidates: 2" + PATIENT)) {
            JsonNode all = search(gateway, 10);
            assertEquals(List.of(TEXTS.get(1), TEXTS.get(0), TEXTS.get(2)), contents(all));
            assertTrue(all.path("results").path(2).path("rerank_score").isMissingNode(), all.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"refused", "broken", "reset", "incomplete"})
    void aRerankerThatFailsLeavesTheResultsAsTheyWereFound(String how) throws IOException {
        FaultServer.Behaviour behaviour =
                switch (how) {
                    case "refused" -> FaultServer.reply(403, "text/plain", "no: " + KEY);
                    case "broken" -> FaultServer.reply(500, "text/plain", "oh no");
                    case "reset" -> FaultServer.reset();
                    default -> scores(1);
                };
        try (FaultServer server = new FaultServer(behaviour);
                TestGateway gateway = gateway(server, "")) {
            JsonNode reply = search(gateway, 2);
            assertEquals(TEXTS.subList(0, 2), contents(reply));
            assertTrue(reply.path("reason").asText().contains("The results are not reranked: "), reply.toString());
            assertTrue(reply.path("results").path(0).path("rerank_score").isMissingNode(), reply.toString());
        }
    }

    @Test
    void aRerankerThatHangsIsWaitedForNoLongerThanItsTime() throws IOException {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(""));
                TestGateway gateway = gateway(server, ", timeout: 50ms")) {
            JsonNode reply = search(gateway, 2);
            assertEquals(TEXTS.subList(0, 2), contents(reply));
            assertTrue(reply.path("reason").asText().contains("longer than 50 ms"), reply.toString());
        }
    }
}
