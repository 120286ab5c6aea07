package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.ProtectedResource;
import switchboard.auth.PublicUrl;
import switchboard.testing.RawHttp;

/** Where clients read who issues tokens: RFC 9728. The proxy in front adds the path {@code /tools}. */
class MetadataRouteTest {
    private static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";

    private final ScriptedServer server = ScriptedServer.publishing(new ProtectedResource(
            PublicUrl.of(URI.create("https://mcp.example.org/tools")), List.of("https://issuer.example"), List.of()));

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "'', /tools/mcp",
        "/mcp, /tools/mcp",
        "/mcp/toy, /tools/mcp/toy",
        "/tools, /tools/mcp",
        "/tools/mcp, /tools/mcp",
        "/tools/mcp/toy, /tools/mcp/toy"
    })
    void metadataAreFoundWithAndWithoutThePathOfTheProxyAndMayBeKeptForAWhile(String path, String resource) {
        try (RawHttp client = new RawHttp(server.port())) {
            String answer = client.get(WELL_KNOWN + path, "").readUntil("}");
            assertEquals("200", answer.substring(9, 12), answer);
            assertTrue(answer.contains("{\"resource\":\"https://mcp.example.org" + resource + "\","), answer);
            assertHeader(answer, "content-type: application/json");
            assertHeader(answer, "cache-control: max-age=300");
            client.get("/mcp", "").readUntil("{}"); // the connection goes on
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/tool",
        "/tools/other",
        "/toolsmcp",
        "/mcp/tools/mcp",
        "/mcp/x/y",
        "/mcp/abcdefghijabcdefghijabcdefghijab"
    })
    void nothingElseIsThere(String path) {
        try (RawHttp client = new RawHttp(server.port())) {
            String answer = client.get(WELL_KNOWN + path, "").readUntil("}}");
            assertEquals("404", answer.substring(9, 12), answer);
            assertTrue(answer.contains("No OAuth metadata are published here."), answer);
        }
    }

    @Test
    void pagesMayReadThemAndNobodyMayWriteThem() {
        try (RawHttp client = new RawHttp(server.port())) {
            String answer = client.send("OPTIONS " + WELL_KNOWN + "/mcp HTTP/1.1\nHost: 127.0.0.1:" + server.port()
                            + "\nOrigin: http://127.0.0.1:" + server.port() + "\n\n")
                    .readUntil("\r\n\r\n");
            assertEquals("204", answer.substring(9, 12), answer);
            assertHeader(answer, "access-control-allow-methods: post, get, delete, options");
        }
        try (RawHttp client = new RawHttp(server.port())) {
            String answer = client.post(WELL_KNOWN, "", "{}").readUntil("}}");
            assertEquals("405", answer.substring(9, 12), answer);
            assertHeader(answer, "allow: get, options");
        }
        try (RawHttp client = new RawHttp(server.port())) {
            client.get(WELL_KNOWN, "Origin: https://evil.example.com\n");
            assertEquals(403, client.status());
        }
    }

    private static void assertHeader(String answer, String header) {
        assertTrue(answer.toLowerCase(Locale.ROOT).contains("\r\n" + header + "\r\n"), () -> header + " in " + answer);
    }
}
