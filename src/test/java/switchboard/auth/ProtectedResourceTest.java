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
        "https://example.org/tools/, https://example.org/tools/mcp/v",
        "https://example.org//, https://example.org/mcp/v",
        "https://example.org/mcp//, https://example.org/mcp/v"
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
                        + "\"resource_name\":\"Switchboard\","
                        + "\"dpop_signing_alg_values_supported\":[\"ES256\",\"ES384\",\"EdDSA\",\"PS256\",\"RS256\"]}",
                Json.text(resource(URI.create("https://a.example")).metadata("")));
    }

    @Test
    void theMetadataSayHowTokensAreBound() {
        assertEquals(
                "{\"resource\":\"https://a.example/mcp\",\"authorization_servers\":[],\"bearer_methods_supported\":[],"
                        + "\"resource_name\":\"Switchboard\","
                        + "\"dpop_signing_alg_values_supported\":[\"ES256\",\"ES384\",\"EdDSA\",\"PS256\",\"RS256\"],"
                        + "\"dpop_bound_access_tokens_required\":true,"
                        + "\"tls_client_certificate_bound_access_tokens\":true}",
                metadata(new TokenBinding(TokenBinding.Required.DPOP, true)));
        String bound = metadata(new TokenBinding(TokenBinding.Required.BOUND, false));
        assertEquals(metadata(TokenBinding.OPTIONAL), bound, "there are no metadata for it");
        assertEquals(false, bound.contains("required") || bound.contains("tls_"), bound);
    }

    private static String metadata(TokenBinding binding) {
        return Json.text(
                new ProtectedResource(PublicUrl.of(URI.create("https://a.example")), List.of(), List.of(), binding)
                        .metadata(""));
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
        "https://x@a.example, false",
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

    @ParameterizedTest
    @CsvSource({
        "https://a.example, ''",
        "https://a.example/, ''",
        "https://a.example/mcp, ''",
        "https://a.example/tools, /tools",
        "https://a.example/tools/mcp/, /tools"
    })
    void thePathThatAProxyAddsIsWhatStandsBeforeTheEndpoint(URI publicUrl, String prefix) {
        assertEquals(prefix, resource(publicUrl).prefix());
    }

    private static ProtectedResource resource(URI publicUrl) {
        return new ProtectedResource(PublicUrl.of(publicUrl), List.of("https://i.example"), List.of("mcp:read"));
    }
}
