package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.util.X509CertUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.call.Json;
import switchboard.testing.TestCertificate;
import switchboard.testing.TestGateway;
import switchboard.testing.TestIssuer;
import switchboard.testing.TlsClients;

/** Tokens that are bound to a certificate of their client (RFC 8705), at a gateway that ends TLS itself. */
class CertificateBoundTokensTest {
    private static final String PUBLIC = "https://gateway.example.org";
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    private final TestIssuer issuer = TestIssuer.start();

    @TempDir
    Path folder;

    private TestCertificate server;
    private TestCertificate ada;
    private TestCertificate eve;
    private TestCertificate stranger;

    @BeforeEach
    void certificates() throws IOException {
        server = TestCertificate.make(folder, "server", "dns:localhost,ip:127.0.0.1");
        ada = TestCertificate.make(folder, "ada", "dns:ada.example");
        eve = TestCertificate.make(folder, "eve", "dns:eve.example");
        stranger = TestCertificate.make(folder, "stranger", "dns:ada.example");
        Files.writeString(folder.resolve("teams.yaml"), "teams: {research: {grants: [\"*:*\"]}}");
        Files.writeString(
                folder.resolve("clients.crt"),
                Files.readString(ada.certificate()) + Files.readString(eve.certificate()));
    }

    @AfterEach
    void stop() {
        issuer.close();
    }

    private TestGateway gateway(String clients) {
        return TestGateway.start(
                """
                server: {publicUrl: %s, tls: {certificate: "%s", key: "%s"%s}}
                auth:
                  mode: keys
                  tokens: {issuers: {test: {issuer: "%s", jwks: "%s", team: research}}}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(
                        PUBLIC, server.certificate(), server.key(), clients, issuer.identifier(), issuer.jwksUrl()),
                folder);
    }

    private TestGateway asking() {
        return gateway(", clientAuthorities: \"" + folder.resolve("clients.crt") + "\"");
    }

    private String token(TestCertificate of) throws Exception {
        Map<String, Object> claims = issuer.claims(PUBLIC, "ada", Instant.now());
        claims.put(
                "cnf",
                Map.of(
                        "x5t#S256",
                        X509CertUtils.computeSHA256Thumbprint(TlsClients.certificate(of))
                                .toString()));
        return issuer.sign(claims);
    }

    private static HttpResponse<String> ping(HttpClient http, URI url, String... headers)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(url)
                        .header("Content-Type", "application/json")
                        .headers(headers)
                        .POST(HttpRequest.BodyPublishers.ofString(PING))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpClient client(HttpClient.Version version, @Nullable TestCertificate own) throws Exception {
        return TlsClients.client(version, server, own);
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aBoundTokenIsOfUseToTheClientWithTheCertificate(HttpClient.Version version) throws Exception {
        try (TestGateway gateway = asking();
                HttpClient hers = client(version, ada);
                HttpClient anothers = client(version, eve);
                HttpClient strangers = client(version, stranger)) {
            String authorization = "Bearer " + token(ada);
            for (int i = 0; i < 2; i++) { // the second one on the same connection
                HttpResponse<String> answered = ping(hers, gateway.url(), "Authorization", authorization);
                assertEquals(200, answered.statusCode(), answered::body);
            }
            HttpResponse<String> stolen = ping(
                    anothers,
                    gateway.url(),
                    "Authorization",
                    authorization,
                    "X-Forwarded-Client-Cert",
                    "Cert=\"" + Base64.getEncoder().encodeToString(Files.readAllBytes(ada.certificate())) + "\"",
                    "Client-Cert",
                    ":"
                            + Base64.getEncoder()
                                    .encodeToString(TlsClients.certificate(ada).getEncoded())
                            + ":");
            assertEquals(401, stolen.statusCode(), stolen::body);
            assertTrue(
                    stolen.body().contains("bound to another certificate (cnf.x5t#S256) than that of this connection"),
                    stolen::body);
            assertEquals(
                    "invalid_token",
                    Json.parse(stolen.body()).at("/error/data/code").asText());
            assertEquals(
                    200,
                    ping(anothers, gateway.url(), "Authorization", "Bearer " + token(eve))
                            .statusCode());
            assertThrows(
                    IOException.class,
                    () -> ping(strangers, gateway.url(), "Authorization", "Bearer " + token(stranger)));
            HttpResponse<String> metadata = hers.send(
                    HttpRequest.newBuilder(gateway.url().resolve("/.well-known/oauth-protected-resource/mcp"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertTrue(metadata.body().contains("\"tls_client_certificate_bound_access_tokens\":true"), metadata::body);
        }
    }

    @Test
    void whoIsAskedForNoCertificateCannotUseOne() throws Exception {
        try (TestGateway gateway = gateway("");
                HttpClient hers = client(HttpClient.Version.HTTP_2, ada)) {
            HttpResponse<String> refused =
                    ping(hers, gateway.url(), "Authorization", "Bearer " + token(ada), "X-Forwarded-Client-Cert", "x");
            assertEquals(401, refused.statusCode(), refused::body);
            assertTrue(
                    refused.body()
                            .contains(
                                    "bound to a certificate (cnf.x5t#S256), and this server asks for none. Get one that is"
                                            + " bound to a key (DPoP) or to nothing, or ask the operator to set"
                                            + " server.tls.clientAuthorities."),
                    refused::body);
        }
    }
}
