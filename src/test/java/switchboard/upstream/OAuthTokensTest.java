package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.call.CallerTokens;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.Tracing;
import switchboard.config.Secret;
import switchboard.testing.FaultServer;
import switchboard.testing.HandClock;

/** The gateway's own tokens for another server: how long one is used, and what is sent for it. */
@ExtendWith(VertxExtension.class)
class OAuthTokensTest {
    private static final URI RESOURCE = URI.create("https://tools.example/mcp");

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
    private Vertx vertx;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    private OAuthTokens tokens(URI server, @Nullable Secret subject) {
        return new OAuthTokens(
                "tools",
                new OAuthSettings(
                        server.resolve("/token"),
                        "id with blank",
                        Secret.of("s3cret:word"),
                        OAuthSettings.CalledAs.GATEWAY,
                        "read write",
                        null,
                        null,
                        subject,
                        List.of(),
                        null),
                RESOURCE,
                UpstreamSettings.defaults(),
                new UpstreamServices(vertx, new SimpleMeterRegistry(), clock, Tracing.OFF),
                CallerTokens.NONE);
    }

    private static FaultServer.Behaviour token(String text, String life) {
        return FaultServer.json("{\"access_token\":\"" + text + "\",\"token_type\":\"Bearer\"" + life + "}");
    }

    private static String header(OAuthTokens tokens) {
        return tokens.gateway().headers().await().get("Authorization");
    }

    @Test
    void aTokenIsUsedUntilHalfAMinuteBeforeItExpires() {
        try (FaultServer server =
                new FaultServer(token("one", ",\"expires_in\":90"), token("two", ",\"expires_in\":90"))) {
            OAuthTokens tokens = tokens(server.url(), null);
            assertEquals("Bearer one", header(tokens));
            clock.forward(Duration.ofSeconds(60).minusMillis(1));
            assertEquals("Bearer one", header(tokens));
            assertEquals(1, server.requests().size());
            clock.forward(Duration.ofMillis(1));
            assertEquals("Bearer two", header(tokens));
            assertEquals(2, server.requests().size());
        }
    }

    @Test
    void aTokenOfUnknownLifeIsUsedForLessThanFiveMinutes() {
        try (FaultServer server = new FaultServer(token("one", ""), token("two", ""))) {
            OAuthTokens tokens = tokens(server.url(), null);
            assertEquals("Bearer one", header(tokens));
            clock.forward(Duration.ofSeconds(270).minusMillis(1));
            assertEquals("Bearer one", header(tokens));
            clock.forward(Duration.ofMillis(1));
            assertEquals("Bearer two", header(tokens));
        }
    }

    @Test
    void aRefusalIsNotKept() {
        try (FaultServer server = new FaultServer(
                FaultServer.reply(401, "application/json", "{\"error\":\"invalid_client\"}"),
                FaultServer.json("{\"access_token\":7}"),
                FaultServer.reply(200, "text/html", "<p>access_token</p>"),
                token("one", ",\"expires_in\":90"))) {
            OAuthTokens tokens = tokens(server.url(), null);
            for (int i = 0; i < 3; i++) {
                ToolException refused = assertThrows(ToolException.class, () -> header(tokens));
                assertEquals(FailureKind.DENIED_UPSTREAM, refused.failed().kind());
            }
            assertEquals("Bearer one", header(tokens));
        }
    }

    /** The authorization header and the form of a request for a token. */
    private List<String> asked(@Nullable Secret subject) {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> {
                    asked.add(request.getHeader("Authorization"));
                    asked.add(body.toString());
                    request.response()
                            .putHeader("Content-Type", "application/json")
                            .end("{\"access_token\":\"one\"}");
                }))
                .listen(0, "127.0.0.1")
                .await();
        assertEquals("Bearer one", header(tokens(URI.create("http://127.0.0.1:" + server.actualPort()), subject)));
        server.close().await();
        return asked;
    }

    @Test
    void aTokenIsAskedForWithTheGatewaysCredentialsAndForOneServerOnly() {
        String credentials = "Basic "
                + Base64.getEncoder().encodeToString("id+with+blank:s3cret%3Aword".getBytes(StandardCharsets.UTF_8));
        assertEquals(
                List.of(
                        credentials,
                        "grant_type=client_credentials&scope=read+write&resource=https%3A%2F%2Ftools.example%2Fmcp"),
                asked(null));
        assertEquals(
                List.of(
                        credentials,
                        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&subject_token=a%26b"
                                + "&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"
                                + "&scope=read+write&resource=https%3A%2F%2Ftools.example%2Fmcp"),
                asked(Secret.of("a&b")));
    }
}
