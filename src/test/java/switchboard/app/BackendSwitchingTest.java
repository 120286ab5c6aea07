package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.HttpReply;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Operators switch backends off and on while the gateway runs, and say which ones it can't be ready without. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BackendSwitchingTest {
    private static final String LIST = "meilisearch_list_indexes";
    private static final FaultServer.Behaviour EMPTY =
            FaultServer.json("{\"results\":[],\"offset\":0,\"limit\":20,\"total\":0,\"classes\":[]}");

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final FaultServer engine = new FaultServer(EMPTY);

    @AfterEach
    void stop() {
        engine.close();
    }

    private TestGateway gateway(URI meilisearch, String more) {
        return TestGateway.start("""
                backends:
                  meilisearch: {type: meilisearch, url: "%s"%s}
                  weaviate: {type: weaviate, url: "%s"}
                """.formatted(meilisearch, more, engine.url()));
    }

    @Test
    void aBackendThatIsSwitchedOffSaysSoAndTheOthersGoOn() {
        try (TestGateway gateway = gateway(engine.url(), ", required: true")) {
            assertFalse(gateway.modern().call(LIST, "{}").isError());
            assertEquals(200, change(gateway, "PUT", "meilisearch", "{\"reason\": \"upgrade until 12:00\"}"));

            ToolResult off = gateway.modern().call(LIST, "{}");
            assertEquals("UNAVAILABLE", off.errorKind(), off::toString);
            assertEquals("switched_off", off.error().path("code").asText());
            assertTrue(off.text().contains("switched off by the operator (upgrade until 12:00)"), off.text());
            assertTrue(gateway.legacy("meilisearch").call(LIST, "{}").isError());
            assertTrue(gateway.modern().toolNames().contains(LIST), "its tools stay listed");
            assertFalse(gateway.modern()
                    .call("weaviate-collections-get-config", "{}")
                    .isError());

            JsonNode ready = ready(gateway, 200).path("backends").path(0);
            assertEquals("off", ready.path("status").asText(), ready::toString);
            assertEquals("upgrade until 12:00", ready.path("detail").asText());
            String metrics = gateway.management("/metrics").body();
            assertTrue(metrics.contains("switchboard_backend_on{backend=\"meilisearch\"} 0.0"), metrics);

            assertEquals(200, change(gateway, "DELETE", "meilisearch", ""));
            assertFalse(gateway.modern().call(LIST, "{}").isError());
            assertEquals(404, change(gateway, "PUT", "elsewhere", ""));
        }
    }

    /** What is made of several backends is a backend itself: switched, seen by health and counted like the others. */
    @Test
    void theFederatedToolsAreSwitchedAndCountedAsABackend() {
        try (TestGateway gateway = gateway(engine.url(), "")) {
            assertFalse(gateway.modern().call("list_sources", "{}").isError());
            assertEquals(200, change(gateway, "PUT", "switchboard", ""));
            ToolResult off = gateway.modern().call("list_sources", "{}");
            assertEquals("switched_off", off.error().path("code").asText(), off::toString);
            assertFalse(gateway.modern().call(LIST, "{}").isError());
            assertEquals(200, change(gateway, "DELETE", "switchboard", ""));
            assertFalse(gateway.modern().call("list_sources", "{}").isError());

            String metrics = gateway.management("/metrics").body();
            assertTrue(
                    metrics.contains(
                            "switchboard_backend_call_duration_seconds_count{backend=\"switchboard\",error_type=\"\"} 2"),
                    metrics);
            assertTrue(metrics.contains("switchboard_backend_on{backend=\"switchboard\"} 1.0"), metrics);
        }
    }

    @Test
    void aCallUnderWayFinishes() throws Exception {
        try (FaultServer slow = new FaultServer(this::whenTold);
                TestGateway gateway = gateway(slow.url(), "")) {
            CompletableFuture<ToolResult> call =
                    CompletableFuture.supplyAsync(() -> gateway.modern().call(LIST, "{}"));
            assertTrue(asked.await(120, TimeUnit.SECONDS));
            Eventually.that(() -> gateway.app().dispatcher().inFlight() == 1, () -> "no call under way");
            assertEquals(200, change(gateway, "PUT", "meilisearch", ""));
            mayAnswer.countDown();
            ToolResult result = call.get(120, TimeUnit.SECONDS);
            assertFalse(result.isError(), result::toString);
        }
    }

    private void whenTold(Socket socket) throws java.io.IOException {
        asked.countDown();
        try {
            mayAnswer.await();
        } catch (InterruptedException e) {
            throw new java.io.InterruptedIOException();
        }
        EMPTY.answer(socket);
    }

    @Test
    void theGatewayIsNotReadyWithoutARequiredEngine() {
        FaultServer gone = new FaultServer(EMPTY);
        gone.close();
        try (TestGateway gateway = gateway(gone.url(), ", required: true")) {
            JsonNode unready = ready(gateway, 503);
            assertEquals("serving", unready.path("state").asText());
            assertTrue(unready.path("backends").path(0).path("required").asBoolean());
            assertEquals(200, gateway.management("/health/live").status());
            assertFalse(gateway.modern()
                    .call("weaviate-collections-get-config", "{}")
                    .isError());
        }
        try (TestGateway gateway = gateway(gone.url(), "")) {
            assertEquals("serving", ready(gateway, 200).path("state").asText());
        }
    }

    private static JsonNode ready(TestGateway gateway, int status) {
        Eventually.that(
                () -> gateway.management("/health/ready").status() == status,
                () -> gateway.management("/health/ready").body());
        HttpReply reply = gateway.management("/health/ready");
        return reply.json();
    }

    private static int change(TestGateway gateway, String method, String backend, String body) {
        try (RawHttp client = new RawHttp(gateway.app().managementUrl().getPort())) {
            return client.send(method + " /backends/" + backend + "/off HTTP/1.1\nHost: 127.0.0.1\nContent-Length: "
                            + body.length() + "\n\n" + body)
                    .status();
        }
    }
}
