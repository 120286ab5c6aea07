package switchboard.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** An issuer of access tokens on loopback: publishes its keys and signs whatever it is told to. */
public final class TestIssuer implements AutoCloseable {
    /** Making one takes about half a second. */
    private static final int KEYS = 8;

    private static final Map<Integer, RSAKey> MADE = new ConcurrentHashMap<>();
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final HttpServer server;
    private final AtomicInteger reads = new AtomicInteger();
    private volatile RSAKey key;
    private volatile boolean down;

    private TestIssuer(HttpServer server) {
        this.server = server;
        this.key = rsa("first");
    }

    /** An issuer with one RSA key. */
    public static TestIssuer start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            TestIssuer issuer = new TestIssuer(server);
            server.createContext("/jwks", exchange -> {
                issuer.reads.incrementAndGet();
                byte[] body = issuer.jwks().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(issuer.down ? 503 : 200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
            return issuer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers requests for {@code path} as well. */
    public void serve(String path, HttpHandler handler) {
        server.createContext(path, handler);
    }

    /** Its identifier. */
    public String identifier() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Where its keys are. */
    public URI jwksUrl() {
        return URI.create(identifier() + "/jwks");
    }

    /** What is there. */
    public String jwks() {
        return new JWKSet(key).toPublicJWKSet().toString();
    }

    /** The key it signs with. */
    public RSAKey key() {
        return key;
    }

    /** How often its keys were read. */
    public int reads() {
        return reads.get();
    }

    /** Whether its keys can't be had. */
    public void down(boolean now) {
        down = now;
    }

    /** Replaces its key by one called {@code kid}. */
    public void rotate(String kid) {
        key = rsa(kid);
    }

    /** The claims of a good token for {@code audience}, good for five minutes from {@code now}. */
    public Map<String, Object> claims(String audience, String subject, Instant now) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", identifier());
        claims.put("aud", audience);
        claims.put("sub", subject);
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", now.plusSeconds(300).getEpochSecond());
        return claims;
    }

    /** A token with {@code claims}, signed with its key. */
    public String sign(Map<String, Object> claims) {
        return sign(claims, key, key.getKeyID());
    }

    /** The same by another of the algorithms that its key is good for. */
    public String sign(Map<String, Object> claims, JWSAlgorithm algorithm) {
        return sign(
                claims,
                key,
                new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build());
    }

    /** The same with a {@code typ} in its header. */
    public String sign(Map<String, Object> claims, String type) {
        return sign(
                claims,
                key,
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID(key.getKeyID())
                        .type(new JOSEObjectType(type))
                        .build());
    }

    /** A token with {@code claims}, signed with {@code by} under the name {@code kid}. */
    public static String sign(Map<String, Object> claims, RSAKey by, String kid) {
        return sign(
                claims, by, new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(kid).build());
    }

    private static String sign(Map<String, Object> claims, RSAKey by, JWSHeader header) {
        JWSObject token = new JWSObject(header, new Payload(claims));
        try {
            token.sign(new RSASSASigner(by));
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
        return token.serialize();
    }

    /** An RSA key called {@code kid}: another one than that of the last {@value #KEYS} calls, which is as many as a test has at once. */
    public static RSAKey rsa(String kid) {
        RSAKey made = MADE.computeIfAbsent(NEXT.getAndIncrement() % KEYS, _ -> make());
        return new RSAKey.Builder(made).keyID(kid).build();
    }

    private static RSAKey make() {
        try {
            return new RSAKeyGenerator(2048).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
