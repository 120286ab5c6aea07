package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.TestGateway;

/** Lists of tools are sent compressed to clients that accept gzip, and are the same list. */
class CompressedListTest {
    private static final String LIST = "{\"jsonrpc\":\"2.0\",\"id\":\"ä-1\",\"method\":\"tools/list\"}";
    private static final String MODERN_LIST =
            "{\"jsonrpc\":\"2.0\",\"id\":\"ä-1\",\"method\":\"tools/list\",\"params\":{\"_meta\":{"
                    + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}";

    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}, agentroot: {type: agentroot}}
                """);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(request.build(), BodyHandlers.ofByteArray());
        }
    }

    private static HttpRequest.Builder post(String body, String accept, List<String> codings) {
        HttpRequest.Builder request = HttpRequest.newBuilder(gateway.url())
                .header("Content-Type", "application/json")
                .header("Accept", accept)
                .POST(BodyPublishers.ofString(body));
        codings.forEach(coding -> request.header("Accept-Encoding", coding));
        return request;
    }

    private static HttpResponse<byte[]> list(String accept, String... codings)
            throws IOException, InterruptedException {
        return modern(MODERN_LIST, accept, codings);
    }

    private static HttpResponse<byte[]> modern(String body, String accept, String... codings)
            throws IOException, InterruptedException {
        return send(post(body, accept, List.of(codings))
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "tools/list"));
    }

    private static boolean compressed(HttpResponse<byte[]> response) {
        assertEquals(200, response.statusCode());
        return response.headers()
                .firstValue("Content-Encoding")
                .filter("gzip"::equals)
                .isPresent();
    }

    private static JsonNode json(HttpResponse<byte[]> response) throws IOException {
        byte[] body = response.body();
        if (!compressed(response)) {
            return Json.parse(body);
        }
        try (GZIPInputStream file = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return Json.parse(file.readAllBytes());
        }
    }

    @Test
    void theListIsTheSameAndAThirdOfItsSizeOrLess() throws IOException, InterruptedException {
        HttpResponse<byte[]> plain = list("application/json");
        HttpResponse<byte[]> small = list("application/json, text/event-stream", "gzip, deflate, br");
        assertFalse(compressed(plain));
        assertTrue(compressed(small));
        assertEquals(json(plain), json(small));
        assertEquals("ä-1", json(small).path("id").asText());
        assertTrue(json(small).path("result").path("tools").size() > 30);
        assertTrue(3 * small.body().length < plain.body().length, small.body().length + " " + plain.body().length);
        for (HttpResponse<byte[]> one : List.of(plain, small)) {
            assertEquals(
                    Integer.toString(one.body().length),
                    one.headers().firstValue("Content-Length").orElse(""));
            assertEquals("accept-encoding", one.headers().firstValue("Vary").orElse(""));
            assertEquals(
                    "application/json", one.headers().firstValue("Content-Type").orElse(""));
        }
    }

    @Test
    void clientsOfTheSessionEraGetItToo() throws IOException, InterruptedException {
        String accept = "application/json, text/event-stream";
        ObjectNode initialize = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "initialize");
        ObjectNode params = initialize.putObject("params").put("protocolVersion", "2025-11-25");
        params.putObject("capabilities");
        params.putObject("clientInfo").put("name", "test").put("version", "1");
        HttpResponse<byte[]> first = send(post(initialize.toString(), accept, List.of("gzip")));
        assertFalse(compressed(first), "an answer that is made for one caller");
        String session = first.headers().firstValue("Mcp-Session-Id").orElseThrow();
        HttpResponse<byte[]> listed = send(post(LIST, accept, List.of("gzip"))
                .header("Mcp-Session-Id", session)
                .header("MCP-Protocol-Version", "2025-11-25"));
        assertTrue(compressed(listed));
        assertEquals(
                json(list("application/json")).path("result").path("tools").size(),
                json(listed).path("result").path("tools").size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip",
                "GZIP",
                "x-gzip",
                "*",
                "br;q=1.0, gzip;q=0.8",
                "gzip;q=0.001",
                "gzip ; q=1",
                "identity;q=0,*;q=0.5"
            })
    void acceptedCodings(String accepted) throws IOException, InterruptedException {
        assertTrue(compressed(list("application/json", accepted)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "identity",
                "deflate, br",
                "gzip;q=0",
                "gzip;q=0.000",
                "*;q=0",
                "gzip;q=0, *",
                "*, gzip;q=0",
                "gzipped",
                "gzip;q="
            })
    void otherClientsGetItAsItIs(String accepted) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = list("application/json", accepted);
        assertFalse(compressed(answer));
        assertTrue(json(answer).path("result").path("tools").size() > 30);
    }

    @Test
    void severalLinesOfTheHeaderAreOneList() throws IOException, InterruptedException {
        assertTrue(compressed(list("application/json", "br", "gzip")));
        assertFalse(compressed(list("application/json", "*", "gzip;q=0")));
    }

    /** They are made for each request, and compressing one takes longer than all the rest. */
    @Test
    void laterPagesAreNotCompressed() throws IOException, InterruptedException {
        String cursor = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("[\"tools/list\",\"a\",null]".getBytes(StandardCharsets.UTF_8));
        String second = MODERN_LIST.replace("\"params\":{", "\"params\":{\"cursor\":\"" + cursor + "\",");
        HttpResponse<byte[]> answer = modern(second, "application/json", "gzip");
        assertFalse(compressed(answer));
        assertEquals(json(list("application/json")).path("result"), json(answer).path("result"));
    }

    @Test
    void streamsAreNotCompressed() throws IOException, InterruptedException {
        HttpResponse<byte[]> stream = list("text/event-stream", "gzip");
        assertFalse(compressed(stream));
        assertEquals(
                "text/event-stream", stream.headers().firstValue("Content-Type").orElse(""));
    }
}
