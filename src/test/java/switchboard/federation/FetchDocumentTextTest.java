package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.call.Json;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** What {@code fetch_document} takes for a document's text where engines hold bytes beside it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FetchDocumentTextTest {
    private static final String ID = "00000000-0000-4000-8000-000000000001";
    private static final String CLASS = """
            {"class": "Bild", "vectorizer": "none", "properties": [
              {"name": "bericht", "dataType": ["text"]}, {"name": "autor", "dataType": ["text"]},
              {"name": "bild", "dataType": ["blob"]}]}""";
    /** Too short to be seen for bytes by its form, and longer than the text. */
    private static final String OBJECT = """
            {"class": "Bild", "id": "%s", "properties": {"bericht": "A red barn in snow", "autor": "Ada",
              "bild": "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ="}}""".formatted(ID);

    private HttpServer engine;

    @BeforeEach
    void start() throws IOException {
        engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        engine.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            byte[] body = answer(path).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        engine.start();
    }

    private static String answer(String path) {
        return switch (path) {
            case "/v1/schema" -> "{\"classes\": [" + CLASS + "]}";
            case "/v1/schema/Bild" -> CLASS;
            case "/v1/objects/Bild/" + ID -> OBJECT;
            case "/indexes/pictures/documents/1" ->
                "{\"id\": 1, \"note\": \"A red barn in snow\", \"by\": \"Ada Lovelace, painter of the fields\"}";
            default -> "{}";
        };
    }

    @AfterEach
    void stop() {
        engine.stop(0);
    }

    @Test
    void aBlobIsNotTheTextOfAWeaviateObject() {
        assertEquals("A red barn in snow", text("weaviate", "Bild/" + ID, "{}"));
    }

    @Test
    void theDeclaredFieldIsTheTextOfAWeaviateObject() {
        assertEquals("Ada", text("weaviate", "Bild/" + ID, "{\"engine:Bild\": {text: autor}}"));
    }

    @Test
    void theFieldDeclaredForTheWholeBackendIsTheTextOfAMeilisearchDocument() {
        assertEquals("A red barn in snow", text("meilisearch", "pictures/1", "{engine: {text: note}}"));
    }

    private String text(String type, String document, String declared) {
        try (TestGateway gateway =
                TestGateway.start("""
                backends:
                  engine: {type: %s, url: "http://127.0.0.1:%d"}
                search: {sources: %s}
                """.formatted(type, engine.getAddress().getPort(), declared))) {
            ToolResult result = gateway.modern()
                    .call("fetch_document", Json.object().put("address", "switchboard://engine/" + document));
            assertFalse(result.isError(), result::toString);
            return result.structured().path("text").asText();
        }
    }
}
