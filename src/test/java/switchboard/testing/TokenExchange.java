package switchboard.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import switchboard.call.Json;

/**
 * An issuer of access tokens whose token endpoint exchanges them (RFC 8693), or answers what a test wants. It stands beside the
 * real authorization server of the tests, which can't be told to refuse.
 */
public final class TokenExchange implements AutoCloseable {
    private final TestIssuer issuer = TestIssuer.start();
    private final List<Map<String, String>> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger given = new AtomicInteger();
    private volatile Function<Map<String, String>, Answer> answers = this::token;

    /** An answer of the token endpoint. */
    public record Answer(int status, String json) {}

    /** Starts on a free port of the loopback address. */
    public TokenExchange() {
        issuer.serve("/token", this::handle);
    }

    /** Who signs tokens for callers. */
    public TestIssuer issuer() {
        return issuer;
    }

    /** A token that {@code subject} shows to the gateway at {@code audience}. */
    public String token(String audience, String subject) {
        return issuer.sign(issuer.claims(audience, subject, Instant.now()));
    }

    /** The forms of the requests to the token endpoint so far. */
    public List<Map<String, String>> asked() {
        return asked;
    }

    /** Those of them that exchanged a token. */
    public List<Map<String, String>> exchanges() {
        return asked.stream().filter(form -> form.containsKey("subject_token")).toList();
    }

    /** Answers exchanges so from now on; null means a token again. */
    public void answer(Answer answer) {
        answers = form -> form.containsKey("subject_token") ? answer : token(form);
    }

    /** Gives tokens again. */
    public void answerTokens() {
        answers = this::token;
    }

    /** Gives signed tokens for the audience that is asked for from now on, with the claims of the token that was shown. */
    public void signTokens() {
        answers = this::signed;
    }

    private Answer token(Map<String, String> form) {
        String who = form.containsKey("subject_token")
                ? claims(form.get("subject_token")).path("sub").asText()
                : "gateway";
        return answer("for-" + who + "-" + given.incrementAndGet());
    }

    private Answer signed(Map<String, String> form) {
        Map<String, Object> claims = issuer.claims(form.get("audience"), "gateway", Instant.now());
        if (form.containsKey("subject_token")) {
            ObjectNode shown = claims(form.get("subject_token"));
            shown.remove("aud");
            shown.properties().forEach(claim -> claims.put(claim.getKey(), plain(claim.getValue())));
        }
        return answer(issuer.sign(claims));
    }

    private static Object plain(JsonNode value) {
        return Json.mapper().convertValue(value, Object.class);
    }

    private static Answer answer(String token) {
        return new Answer(
                200,
                Json.text(Json.object()
                        .put("access_token", token)
                        .put("token_type", "Bearer")
                        .put("issued_token_type", "urn:ietf:params:oauth:token-type:access_token")
                        .put("expires_in", 300)));
    }

    private static ObjectNode claims(String jwt) {
        try {
            return (ObjectNode) Json.parse(Base64.getUrlDecoder().decode(jwt.split("\\.")[1]));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, String> form = new LinkedHashMap<>();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            for (String pair : body.split("&")) {
                String[] parts = pair.split("=", 2);
                form.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            }
            asked.add(form);
            Answer answer = answers.apply(form);
            byte[] bytes = answer.json().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        issuer.close();
    }
}
