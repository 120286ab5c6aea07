package switchboard.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import switchboard.call.Json;

/**
 * A small OAuth 2.1 authorization server whose user agrees to everything: metadata (RFC 8414), dynamic registration (RFC
 * 7591), authorization codes with PKCE (RFC 7636), {@code iss} in the response (RFC 9207) and tokens for the resource
 * that was asked for (RFC 8707), signed by a {@link TestIssuer}.
 */
public final class TestAuthorizationServer implements AutoCloseable {
    private final TestIssuer issuer = TestIssuer.start();
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final List<Issued> issued = new CopyOnWriteArrayList<>();
    private final String team;

    /**
     * A token that was handed out.
     *
     * @param resource what it is for
     * @param scope what it carries
     */
    public record Issued(String resource, String scope) {}

    /** A server whose tokens say that their bearer is in {@code team}. */
    public TestAuthorizationServer(String team) {
        this.team = team;
        issuer.serve("/.well-known/oauth-authorization-server", exchange -> answer(exchange, 200, metadata()));
        issuer.serve("/register", this::register);
        issuer.serve("/authorize", this::authorize);
        issuer.serve("/token", this::token);
    }

    /** Who signs its tokens. */
    public TestIssuer issuer() {
        return issuer;
    }

    /** The tokens handed out so far. */
    public List<Issued> issued() {
        return issued;
    }

    @Override
    public void close() {
        issuer.close();
    }

    private ObjectNode metadata() {
        String base = issuer.identifier();
        ObjectNode metadata = Json.object()
                .put("issuer", base)
                .put("authorization_endpoint", base + "/authorize")
                .put("token_endpoint", base + "/token")
                .put("registration_endpoint", base + "/register")
                .put("jwks_uri", issuer.jwksUrl().toString())
                .put("authorization_response_iss_parameter_supported", true);
        metadata.putArray("response_types_supported").add("code");
        metadata.putArray("grant_types_supported").add("authorization_code");
        metadata.putArray("code_challenge_methods_supported").add("S256");
        metadata.putArray("token_endpoint_auth_methods_supported").add("none");
        return metadata;
    }

    private void register(HttpExchange exchange) throws IOException {
        ObjectNode client = (ObjectNode) Json.parse(exchange.getRequestBody().readAllBytes());
        answer(exchange, 201, client.put("client_id", "client-" + UUID.randomUUID()));
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> asked = parameters(exchange.getRequestURI().getRawQuery());
        String code = UUID.randomUUID().toString();
        codes.put(code, asked);
        String back = asked.get("redirect_uri") + "?code=" + code + "&iss="
                + URLEncoder.encode(issuer.identifier(), StandardCharsets.UTF_8)
                + (asked.containsKey("state") ? "&state=" + asked.get("state") : "");
        exchange.getResponseHeaders().set("Location", URI.create(back).toString());
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> form =
                parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Map<String, String> asked = codes.remove(form.getOrDefault("code", ""));
        if (asked == null
                || !challenge(form.getOrDefault("code_verifier", "")).equals(asked.get("code_challenge"))
                || !form.getOrDefault("resource", "").equals(asked.get("resource"))) {
            answer(exchange, 400, Json.object().put("error", "invalid_grant"));
            return;
        }
        String scope = asked.getOrDefault("scope", "");
        String resource = asked.getOrDefault("resource", "");
        issued.add(new Issued(resource, scope));
        Map<String, Object> claims = issuer.claims(resource, "ada", Instant.now());
        claims.put("team", team);
        claims.put("scope", scope);
        answer(
                exchange,
                200,
                Json.object()
                        .put("access_token", issuer.sign(claims))
                        .put("token_type", "Bearer")
                        .put("expires_in", 300)
                        .put("scope", scope));
    }

    private static String challenge(String verifier) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query.split("&")) {
            String[] parts = pair.split("=", 2);
            parameters.put(
                    URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                    parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return parameters;
    }

    private static void answer(HttpExchange exchange, int status, ObjectNode json) throws IOException {
        byte[] body = Json.bytes(json);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
