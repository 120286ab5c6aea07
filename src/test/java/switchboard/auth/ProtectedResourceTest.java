package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;

class ProtectedResourceTest {
    @ParameterizedTest
    @CsvSource({
        "https://mcp.example.org, https://mcp.example.org/mcp/v",
        "https://MCP.example.org:443/, https://mcp.example.org/mcp/v",
        "https://mcp.example.org/mcp, https://mcp.example.org/mcp/v",
        "https://mcp.example.org/mcp/, https://mcp.example.org/mcp/v",
        "http://localhost:8080, http://localhost:8080/mcp/v",
        "https://example.org/tools/, https://example.org/tools/mcp/v"
    })
    void theIdentifierOfAViewIsItsUrl(URI publicUrl, String identifier) {
        assertEquals(identifier, resource(publicUrl).resource("v"));
        assertEquals(
                identifier.replaceFirst("(?<=[^/])/(?=[^/])", "/.well-known/oauth-protected-resource/"),
                resource(publicUrl).metadataUrl("v").toString());
    }

    @Test
    void theMetadataSayWhoIssuesTokens() {
        assertEquals(
                "{\"resource\":\"https://a.example/mcp\",\"authorization_servers\":[\"https://i.example\"],"
                        + "\"bearer_methods_supported\":[\"header\"],\"scopes_supported\":[\"mcp:read\"],"
                        + "\"resource_name\":\"Switchboard\"}",
                Json.text(resource(URI.create("https://a.example")).metadata("")));
    }

    @ParameterizedTest
    @CsvSource({
        "https://a.example, true",
        "https://a.example/, true",
        "HTTPS://A.example:443, true",
        "https://a.example/mcp/v, true",
        "https://a.example/mcp/v/, true",
        "https://a.example/mcp, false",
        "https://a.example/mcp/w, false",
        "https://a.example/mcp/v/w, false",
        "https://a.example.org, false",
        "https://a.example@evil.example, false",
        "https://evil.example@a.example, false",
        "https://a.example:8443, false",
        "https://a.example:0, false",
        "https://a.example/ mcp, false",
        "http://a.example, false",
        "https://a.example?x, false",
        "https://a.example#x, false",
        "a.example, false",
        "*, false"
    })
    void aTokenIsForItsViewOrForTheWholeGateway(String audience, boolean accepted) {
        assertEquals(accepted, resource(URI.create("https://a.example")).isFor("v", List.of("other", audience)));
    }

    private static ProtectedResource resource(URI publicUrl) {
        return new ProtectedResource(PublicUrl.of(publicUrl), List.of("https://i.example"), List.of("mcp:read"));
    }
}
