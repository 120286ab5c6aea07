package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.ApiKey;
import switchboard.testing.DpopClient;
import switchboard.testing.EventReader;
import switchboard.testing.HttpReply;
import switchboard.testing.TestGateway;
import switchboard.testing.TestIssuer;

/** Tokens that are bound to a key (RFC 9449) at a whole gateway behind a proxy that adds the path {@code /tools}. */
class DpopOverHttpTest {
    private static final String PUBLIC = "https://gateway.example.org/tools";
    private static final String ALGORITHMS = "algs=\"ES256 ES384 EdDSA PS256 RS256\"";
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String INITIALIZE = """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""";

    private final ApiKey key = ApiKey.generate(new SecureRandom());
    private final TestIssuer issuer = TestIssuer.start();
    private final DpopClient client = DpopClient.of("ES256");
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                folder.resolve("teams.yaml"),
                "teams: {research: {keys: [{id: r1, sha256: %s}], grants: [\"*:*\"]}}".formatted(key.sha256()));
        gateway = gateway("");
    }

    private TestGateway gateway(String tokens) {
        return TestGateway.start("""
                server: {publicUrl: %s}
                auth:
                  mode: keys
                  failuresPerMinute: 20
                  tokens:
                    %s
                    issuers:
                      test: {issuer: "%s", jwks: "%s", team: research}
                    scopes: {"mcp:read": ["*:read,search,embed"], "mcp:write": ["*:*"]}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(PUBLIC, tokens, issuer.identifier(), issuer.jwksUrl()), folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
        issuer.close();
        http.close();
    }

    private String token(Map<String, Object> more) {
        Map<String, Object> claims = issuer.claims(PUBLIC, "ada", Instant.now());
        claims.put("scope", "mcp:read");
        claims.putAll(more);
        return issuer.sign(claims);
    }

    private String bound() {
        return token(Map.of("cnf", client.confirmation()));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.url().getPort() + path))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream");
    }

    private HttpReply send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> reply = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new HttpReply(reply.statusCode(), reply.headers(), reply.body());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpReply ping(String... headers) {
        return send(request("/mcp").headers(headers).POST(HttpRequest.BodyPublishers.ofString(PING)));
    }

    private HttpReply dpop(String token, String proof) {
        return ping("Authorization", "DPoP " + token, "DPoP", proof);
    }

    private String proof(String method, String path, String token) {
        return client.proof(method, PUBLIC + path, token);
    }

    private static void refused(String code, HttpReply reply) {
        assertEquals(401, reply.status(), reply::toString);
        assertEquals(code, reply.json().at("/error/data/code").asText(), reply::body);
    }

    private static String challenges(String bearer, String dpop) {
        return "Bearer resource_metadata=\"https://gateway.example.org/.well-known/oauth-protected-resource/tools/mcp\""
                + bearer + ", DPoP " + dpop + ALGORITHMS;
    }

    @Test
    void aBoundTokenNeedsItsKeyInEachRequest() {
        String token = bound();
        String proof = proof("POST", "/mcp", token);
        assertEquals(200, dpop(token, proof).status());
        HttpReply replayed = dpop(token, proof);
        refused("invalid_dpop_proof", replayed);
        assertEquals(challenges("", "error=\"invalid_dpop_proof\", "), replayed.header("WWW-Authenticate"));
        assertEquals(200, dpop(token, proof("POST", "/mcp", token)).status());
        assertEquals(
                200,
                ping("authorization", "dpop  " + token, "dpop", proof("POST", "/mcp", token))
                        .status(),
                "names are compared without case");
        refused("invalid_dpop_proof", ping("Authorization", "DPoP " + token));
        String once = proof("POST", "/mcp", token);
        refused("invalid_dpop_proof", ping("Authorization", "DPoP " + token, "DPoP", once, "DPoP", once));
        HttpReply bearer = ping("Authorization", "Bearer " + token, "DPoP", once);
        refused("invalid_token", bearer);
        assertEquals(challenges(", error=\"invalid_token\"", ""), bearer.header("WWW-Authenticate"));
        assertEquals(200, dpop(token, once).status(), "nothing that was refused has used it up");
    }

    @Test
    void whoHasNoneIsToldOfBothWays() {
        HttpReply nothing = ping("X-Nothing", "x");
        assertEquals(401, nothing.status());
        assertEquals(challenges("", ""), nothing.header("WWW-Authenticate"));
    }

    @Test
    void anotherClientCannotUseIt() {
        String token = bound();
        DpopClient thief = DpopClient.of("ES256");
        HttpReply refused = dpop(token, thief.proof("POST", PUBLIC + "/mcp", token));
        refused("invalid_token", refused);
        assertEquals(challenges("", "error=\"invalid_token\", "), refused.header("WWW-Authenticate"));
        ObjectNode header = thief.header();
        header.set("jwk", client.jwk());
        String forged = thief.sign(header, DpopClient.claims("POST", PUBLIC + "/mcp", token, Instant.now()));
        refused("invalid_dpop_proof", dpop(token, forged));
    }

    /** The gateway's own address, a Host and what proxies say of it do not count: the public URL is configured. */
    @ParameterizedTest
    @CsvSource({
        "https://gateway.example.org/tools/mcp, 200",
        "HTTPS://GATEWAY.example.org:443/tools/mcp, 200",
        "https://gateway.example.org/mcp, 401",
        "https://gateway.example.org/tools/mcp/vectordb, 401",
        "https://gateway.example.org/tools/mcp/, 401",
        "https://gateway.example.org/tools/mcp?a=b, 401",
        "http://gateway.example.org/tools/mcp, 401",
        "https://evil.example.org/tools/mcp, 401",
        "LOCAL, 401"
    })
    void theUrlIsThePublicOne(String url, int status) {
        String token = bound();
        String named = url.equals("LOCAL") ? gateway.url().toString() : url;
        HttpReply reply = ping(
                "Authorization", "DPoP " + token,
                "DPoP", client.proof("POST", named, token),
                "X-Forwarded-Host", URI.create(named).getAuthority(),
                "X-Forwarded-Proto", URI.create(named).getScheme(),
                "Forwarded", "host=" + URI.create(named).getAuthority());
        assertEquals(status, reply.status(), reply::toString);
    }

    @Test
    void theQueryOfARequestDoesNotMatterAndItsSpellingDoesNotEither() {
        String token = bound();
        for (String path : List.of("/mcp?a=b", "/mcp/%76ectordb", "/mcp/x/../vectordb")) {
            String url = path.startsWith("/mcp?") ? "/mcp" : "/mcp/vectordb";
            HttpReply reply = send(request(path)
                    .headers("Authorization", "DPoP " + token, "DPoP", proof("POST", url, token))
                    .POST(HttpRequest.BodyPublishers.ofString(PING)));
            assertEquals(200, reply.status(), () -> path + " " + reply);
        }
    }

    @Test
    void everyRequestOfASessionHasAProofOfItsOwn() throws Exception {
        String token = bound();
        String first = proof("POST", "/mcp", token);
        HttpReply opened = send(request("/mcp")
                .headers("Authorization", "DPoP " + token, "DPoP", first)
                .POST(HttpRequest.BodyPublishers.ofString(INITIALIZE)));
        assertEquals(200, opened.status(), opened::toString);
        String session = opened.header("Mcp-Session-Id");
        assertFalse(session.isEmpty());
        String[] stolen = {"Authorization", "DPoP " + token, "Mcp-Session-Id", session, "DPoP", first};
        refused("invalid_dpop_proof", ping(stolen));
        refused("invalid_dpop_proof", send(request("/mcp").headers(stolen).GET()));
        refused("invalid_dpop_proof", send(request("/mcp").headers(stolen).DELETE()));
        String[] bare = {"Authorization", "DPoP " + token, "Mcp-Session-Id", session};
        refused("invalid_dpop_proof", ping(bare));
        refused("invalid_dpop_proof", send(request("/mcp").headers(bare).GET()));
        refused("invalid_dpop_proof", send(request("/mcp").headers(bare).DELETE()));
        String toPost = proof("POST", "/mcp", token);
        String[] crossed = {"Authorization", "DPoP " + token, "Mcp-Session-Id", session, "DPoP", toPost};
        refused("invalid_dpop_proof", send(request("/mcp").headers(crossed).DELETE()));
        assertEquals(200, ping(crossed).status());
        EventReader stream = EventReader.open(
                http,
                gateway.url(),
                "Accept",
                "text/event-stream",
                "Authorization",
                "DPoP " + token,
                "Mcp-Session-Id",
                session,
                "DPoP",
                proof("GET", "/mcp", token));
        stream.close();
        HttpReply ended = send(request("/mcp")
                .headers(
                        "Authorization",
                        "DPoP " + token,
                        "Mcp-Session-Id",
                        session,
                        "DPoP",
                        proof("DELETE", "/mcp", token))
                .DELETE());
        assertTrue(ended.status() < 300, ended::toString);
    }

    @Test
    void theOldTransportHasProofsForBothOfItsAddresses() throws Exception {
        String token = bound();
        try (EventReader stream = EventReader.open(
                http,
                gateway.url().resolve("/sse"),
                "Accept",
                "text/event-stream",
                "Authorization",
                "DPoP " + token,
                "DPoP",
                proof("GET", "/sse", token))) {
            String messages = stream.next().data();
            assertTrue(messages.startsWith("/tools/messages?sessionId="), messages);
            String local = messages.substring("/tools".length());
            HttpReply posted = send(request(local)
                    .headers("Authorization", "DPoP " + token, "DPoP", proof("POST", "/messages", token))
                    .POST(HttpRequest.BodyPublishers.ofString(INITIALIZE)));
            assertEquals(202, posted.status(), posted::toString);
            refused(
                    "invalid_dpop_proof",
                    send(request(local)
                            .headers("Authorization", "DPoP " + token, "DPoP", proof("POST", "/sse", token))
                            .POST(HttpRequest.BodyPublishers.ofString(PING))));
        }
    }

    @Test
    void ofTheSameProofSentManyTimesAtOnceOneIsAccepted() throws Exception {
        String token = bound();
        String proof = proof("POST", "/mcp", token);
        List<CompletableFuture<HttpResponse<String>>> sent = IntStream.range(0, 15)
                .mapToObj(_ -> http.sendAsync(
                        request("/mcp")
                                .headers("Authorization", "DPoP " + token, "DPoP", proof)
                                .POST(HttpRequest.BodyPublishers.ofString(PING))
                                .build(),
                        HttpResponse.BodyHandlers.ofString()))
                .toList();
        List<Integer> statuses = new ArrayList<>();
        for (CompletableFuture<HttpResponse<String>> answer : sent) {
            statuses.add(answer.get(60, TimeUnit.SECONDS).statusCode());
        }
        assertEquals(1, statuses.stream().filter(status -> status == 200).count(), statuses::toString);
        assertEquals(14, statuses.stream().filter(status -> status == 401).count(), statuses::toString);
    }

    @Test
    void otherCredentialsAreWhatTheyWere() {
        String plain = token(Map.of());
        assertEquals(200, ping("Authorization", "Bearer " + plain).status());
        assertEquals(
                200,
                ping("Authorization", "Bearer " + plain, "DPoP", "nonsense").status());
        refused("invalid_token", dpop(plain, proof("POST", "/mcp", plain)));
        assertEquals(
                200,
                ping("Authorization", "Bearer " + key.text(), "DPoP", "nonsense")
                        .status());
        assertEquals(200, ping("X-API-Key", key.text(), "DPoP", "nonsense").status());
        refused("invalid_token", dpop(key.text(), proof("POST", "/mcp", key.text())));
        String token = bound();
        HttpReply both =
                ping("Authorization", "DPoP " + token, "DPoP", proof("POST", "/mcp", token), "X-API-Key", key.text());
        assertEquals(400, both.status(), both::toString);
        refused("invalid_token", ping("Authorization", "Bearer " + token(Map.of("cnf", Map.of("kid", "k")))));
        assertEquals(401, ping("Authorization", "DPoP").status());
        assertEquals(401, ping("Authorization", "DPoP ").status());
    }

    @Test
    void failuresCountAndGoodProofsGetIn() {
        String token = bound();
        int last = 0;
        for (int i = 0; i < 30; i++) {
            last = dpop(token, "nonsense").status();
        }
        assertEquals(429, last);
        assertEquals(200, dpop(token, proof("POST", "/mcp", token)).status());
    }

    @Test
    void aCallBeyondTheScopesIsChallengedInTheSchemeOfTheToken() {
        String token = bound();
        HttpReply refused = send(request("/mcp/vectordb")
                .headers("Authorization", "DPoP " + token, "DPoP", proof("POST", "/mcp/vectordb", token))
                .POST(HttpRequest.BodyPublishers.ofString("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                        + "\"params\":{\"name\":\"delete_document\",\"arguments\":{\"doc_id\":\"x\"}}}")));
        assertEquals(403, refused.status(), refused::toString);
        assertTrue(
                refused.header("WWW-Authenticate")
                        .startsWith("DPoP error=\"insufficient_scope\", scope=\"mcp:write\", resource_metadata="),
                refused::toString);
    }

    @Test
    void whereProofsAreRequiredNoOtherTokenIsAccepted() {
        gateway.close();
        gateway = gateway("binding: dpop");
        String plain = token(Map.of());
        HttpReply refused = ping("Authorization", "Bearer " + plain);
        refused("invalid_token", refused);
        assertEquals(
                "DPoP error=\"invalid_token\", " + ALGORITHMS + ", resource_metadata=\"https://gateway.example.org"
                        + "/.well-known/oauth-protected-resource/tools/mcp\"",
                refused.header("WWW-Authenticate"));
        String token = bound();
        assertEquals(200, dpop(token, proof("POST", "/mcp", token)).status());
        assertEquals(200, ping("X-API-Key", key.text()).status());
        JsonNode metadata =
                send(request("/.well-known/oauth-protected-resource/mcp").GET()).json();
        assertEquals(true, metadata.path("dpop_bound_access_tokens_required").asBoolean(), metadata::toString);
        assertEquals(0, metadata.path("bearer_methods_supported").size(), metadata::toString);
    }

    @Test
    void whereTokensMustBeBoundOthersAreRefusedAndProofsAreAcceptedAsLongAsConfigured() {
        gateway.close();
        gateway = gateway("binding: required\n    proofAge: 5s");
        HttpReply refused = ping("Authorization", "Bearer " + token(Map.of()));
        refused("invalid_token", refused);
        assertTrue(refused.body().contains("not bound to its client (cnf)"), refused::body);
        assertEquals(challenges(", error=\"invalid_token\"", ""), refused.header("WWW-Authenticate"));
        String token = bound();
        assertEquals(200, dpop(token, proof("POST", "/mcp", token)).status());
        refused("invalid_dpop_proof", dpop(token, old(token)));
    }

    private String old(String token) {
        return client.sign(
                client.header(),
                DpopClient.claims("POST", PUBLIC + "/mcp", token, Instant.now().minusSeconds(30)));
    }

    @Test
    void aProofOfHalfAMinuteAgoIsUsuallyAccepted() {
        String token = bound();
        assertEquals(200, dpop(token, old(token)).status());
    }

    @Test
    void theMetadataNameTheAlgorithms() {
        JsonNode metadata =
                send(request("/.well-known/oauth-protected-resource/mcp").GET()).json();
        assertEquals(
                "ES256", metadata.at("/dpop_signing_alg_values_supported/0").asText(), metadata::toString);
        assertFalse(metadata.has("dpop_bound_access_tokens_required"), metadata::toString);
        assertFalse(metadata.has("tls_client_certificate_bound_access_tokens"), metadata::toString);
    }
}
