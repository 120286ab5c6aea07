package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** Answers exactly the expected requests, from recordings, and keeps account of all others. */
final class StubMeilisearch implements EngineFixture {
    private static final String KEY_END = "-0123456789abcdef0123456789abcdef";
    private static final Map<String, String> KEY_UIDS =
            Map.of("test-search-key", "11111111-1111-4111-8111-000000000001");

    private final HttpServer server;
    private final List<Recording> expected = new ArrayList<>();
    private final List<String> unexpected = new ArrayList<>();

    StubMeilisearch() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    @Override
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public String key(String name) {
        return name + KEY_END;
    }

    @Override
    public String keyUid(String name) {
        return KEY_UIDS.getOrDefault(name, "00000000-0000-4000-8000-000000000000");
    }

    @Override
    public String uid(String name) {
        return name;
    }

    @Override
    public boolean stubbed() {
        return true;
    }

    @Override
    public synchronized void expect(Recording... exchanges) {
        expected.addAll(List.of(exchanges));
    }

    /** Forgets what was expected and did not come. */
    synchronized void forget() {
        expected.clear();
    }

    @Override
    public synchronized void verify() {
        List<String> missing = expected.stream().map(Recording::signature).toList();
        List<String> wrong = List.copyOf(unexpected);
        expected.clear();
        unexpected.clear();
        assertEquals(List.of(), wrong, "unexpected requests; still expected: " + missing);
        assertEquals(List.of(), missing, "expected requests that did not come");
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            JsonNode json = body.length == 0 ? NullNode.getInstance() : Json.parse(body);
            String signature = Recording.signature(
                    exchange.getRequestMethod(), exchange.getRequestURI().toString(), key(exchange), json);
            Recording found = take(signature);
            byte[] answer = found == null ? new byte[0] : Json.bytes(found.answer());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            if (found != null && !found.retryAfter().isEmpty()) {
                exchange.getResponseHeaders().set("Retry-After", found.retryAfter());
            }
            exchange.sendResponseHeaders(found == null ? 599 : found.status(), answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private synchronized @Nullable Recording take(String signature) {
        if (signature.startsWith("GET /health ")) {
            return Recording.of("sys-health"); // The gateway's own question, at any time.
        }
        for (Recording candidate : expected) {
            if (candidate.signature().equals(signature)) {
                expected.remove(candidate);
                return candidate;
            }
        }
        if (signature.startsWith("GET /indexes{limit=1, offset=0} ")) {
            return Recording.of("index-list-limit-huge"); // And this one, with its key.
        }
        unexpected.add(signature);
        return null;
    }

    private static String key(HttpExchange exchange) {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        String credential = header == null ? "" : header.replaceFirst("^Bearer ", "");
        return credential.chars().filter(c -> c == '.').count() == 2
                ? rules(credential)
                : credential.replace(KEY_END, "");
    }

    /** The rules of a tenant token that a real engine would accept; its complaint otherwise. */
    private static String rules(String credential) {
        try {
            SignedJWT token = SignedJWT.parse(credential);
            JWTClaimsSet claims = token.getJWTClaimsSet();
            String name = KEY_UIDS.entrySet().stream()
                    .filter(entry -> entry.getValue().equals(claims.getClaim("apiKeyUid")))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow();
            if (!token.verify(new MACVerifier((name + KEY_END).getBytes(StandardCharsets.UTF_8)))) {
                return "InvalidSignature";
            }
            if (claims.getExpirationTime().toInstant().isBefore(Instant.now())) {
                return "expired";
            }
            return "rules:" + Recording.canonical(Json.mapper().valueToTree(claims.getClaim("searchRules")));
        } catch (ParseException | JOSEException e) {
            return e.toString();
        }
    }
}
