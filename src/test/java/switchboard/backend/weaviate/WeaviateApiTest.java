package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.backend.BackendServices;
import switchboard.call.CallContext;
import switchboard.call.DetachedCallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.testing.FaultServer;
import switchboard.testing.HandClock;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;
import switchboard.upstream.UpstreamSettings;

/** Requests to a Weaviate, and what the gateway's record says of each. */
@ExtendWith(VertxExtension.class)
class WeaviateApiTest {
    private static final Pattern LINE = Pattern.compile("2026-01-01T00:00:00Z (.*) (\\d+)ms(.*)");
    private static final CallContext CONTEXT = new DetachedCallContext() {
        @Override
        public String callId() {
            return "call";
        }

        @Override
        public Duration remaining() {
            return Duration.ofMinutes(1);
        }

        @Override
        public boolean cancelled() {
            return false;
        }

        @Override
        public void onCancel(Runnable action) {}

        @Override
        public @Nullable String traceparent() {
            return null;
        }
    };

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final RequestHistory history = new RequestHistory(clock);
    private Vertx vertx;

    @BeforeEach
    void open(Vertx opened) {
        this.vertx = opened;
    }

    private WeaviateApi api(FaultServer server) {
        UpstreamSettings usual = UpstreamSettings.defaults();
        return new WeaviateApi(
                UpstreamClient.create(
                        "weaviate",
                        server.url(),
                        new UpstreamSettings(
                                usual.timeouts(),
                                usual.pool(),
                                usual.maxResponseSize(),
                                0,
                                usual.breaker(),
                                usual.tls(),
                                null),
                        Map.of("Authorization", "Bearer sesame-key"),
                        new BackendServices(vertx, new SimpleMeterRegistry(), clock, Path.of(".")).upstream()),
                history);
    }

    /** The record's lines without their times, which are those of a real request: less than a minute. */
    private List<String> recorded() {
        return history.read(CONTEXT)
                .await()
                .lines()
                .map(line -> {
                    var parts = LINE.matcher(line);
                    assertTrue(parts.matches(), line);
                    assertTrue(Long.parseLong(parts.group(2)) < 60_000, line);
                    return parts.group(1) + parts.group(3);
                })
                .toList();
    }

    private static ToolException failure(Future<?> future) {
        return assertThrows(ToolException.class, future::await);
    }

    @Test
    void eachRequestIsRecordedWithItsOutcomeAndRefusalsWithTheirReason() {
        try (FaultServer server = new FaultServer(
                FaultServer.json("{\"a\":1}"),
                FaultServer.reply(422, "application/json", "{\"error\":[{\"message\":\"no sesame-key here\"}]}"),
                FaultServer.reset())) {
            WeaviateApi api = api(server);
            UpstreamRequest request = UpstreamRequest.get("/v1/meta?x=1");
            assertEquals(200, api.send(request, CONTEXT).await().status());
            assertEquals(422, api.send(request, CONTEXT).await().status());
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    failure(api.send(request, CONTEXT)).failed().kind());
            List<String> lines = recorded();
            assertEquals(3, lines.size(), lines::toString);
            assertEquals(request + " 200", lines.get(0));
            assertTrue(lines.get(1).startsWith(request + " 422 no "), lines::toString);
            assertTrue(!lines.get(1).contains("sesame"), lines::toString);
            assertTrue(lines.get(2).startsWith(request + " UNAVAILABLE "), lines::toString);
        }
    }

    @Test
    void aCallIsTheJsonOfASuccessOrAFailure() {
        try (FaultServer server = new FaultServer(
                FaultServer.json("{\"a\":1}"),
                FaultServer.reply(422, "application/json", "{\"error\":[{\"message\":\"no\"}]}"),
                FaultServer.reply(200, "application/json", ""))) {
            WeaviateApi api = api(server);
            UpstreamRequest request = UpstreamRequest.get("/v1/meta");
            assertEquals(1, api.call(request, CONTEXT).await().path("a").asInt());
            failure(api.call(request, CONTEXT));
            ToolException crashed = failure(api.call(request, CONTEXT));
            assertEquals(FailureKind.UNAVAILABLE, crashed.failed().kind());
            assertEquals("crash", crashed.failed().code());
        }
    }

    @Test
    void aCollectionIsMissingOnlyIfTheAnswerIsAnEmpty404() {
        try (FaultServer server = new FaultServer(
                FaultServer.json("{\"class\":\"Docs\",\"vectorizer\":\"none\",\"properties\":[]}"),
                FaultServer.reply(404, "application/json", ""),
                FaultServer.reply(404, "application/json", "{\"error\":[{\"message\":\"no such path\"}]}"),
                FaultServer.reply(500, "application/json", ""))) {
            WeaviateApi api = api(server);
            assertEquals(
                    "Docs",
                    api.definition("Docs", CONTEXT)
                            .await()
                            .orElseThrow()
                            .path("class")
                            .asText());
            assertTrue(server.requests().getFirst().startsWith("GET /v1/schema/Docs "), server.requests()::toString);
            assertEquals(Optional.empty(), api.definition("Docs", CONTEXT).await());
            failure(api.definition("Docs", CONTEXT));
            failure(api.definition("Docs", CONTEXT));
        }
    }

    @Test
    void rowsAreOfTheNamedCollectionAndErrorsAreNoRows() {
        try (FaultServer server = new FaultServer(
                FaultServer.json("{\"data\":{\"Get\":{\"Docs\":[{\"a\":1}],\"Other\":[]}}}"),
                FaultServer.json("{\"errors\":[{\"message\":\"bad\"}],\"data\":{\"Get\":{\"Docs\":[]}}}"),
                FaultServer.json("{\"data\":{\"Get\":{\"Docs\":null}}}"),
                FaultServer.json("{\"data\":{\"Get\":{\"Docs\":[]}},\"errors\":[]}"))) {
            WeaviateApi api = api(server);
            assertEquals(1, api.get("Docs", Json.object(), CONTEXT).await().size());
            assertTrue(server.requests().getFirst().startsWith("POST /v1/graphql "), server.requests()::toString);
            failure(api.get("Docs", Json.object(), CONTEXT));
            failure(api.get("Docs", Json.object(), CONTEXT));
            assertEquals(0, api.get("Docs", Json.object(), CONTEXT).await().size());
        }
    }

    @Test
    void anAnswerIsASuccessByItsStatus() {
        try (FaultServer server = new FaultServer(FaultServer.reply(201, "application/json", "{}"))) {
            WeaviateApi api = api(server);
            UpstreamResponse created =
                    api.send(UpstreamRequest.get("/v1/meta"), CONTEXT).await();
            assertTrue(api.json(created, CONTEXT).isObject());
            assertEquals(List.of("GET /v1/meta 201"), recorded());
        }
    }
}
