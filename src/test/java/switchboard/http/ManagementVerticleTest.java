package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.testing.RawHttp;

/** The port for operators. */
@ExtendWith(VertxExtension.class)
class ManagementVerticleTest {
    private Vertx vertx;
    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicReference<Readiness> readiness =
            new AtomicReference<>(new Readiness(false, "starting", List.of()));
    private final Map<String, String> off = new ConcurrentHashMap<>();
    private final Map<String, LogLevels.Level> levels = new ConcurrentHashMap<>();
    private final ManagementVerticle server = management("127.0.0.1", null);

    private ManagementVerticle management(String host, @Nullable String token) {
        return new ManagementVerticle(
                new ManagementVerticle.ListenAddress(host, 0, token),
                readiness::get,
                new Switches(),
                new Levels(),
                metrics);
    }

    private final class Switches implements BackendAdmin {
        @Override
        public Future<Switching> off(String id, String reason) {
            off.put(id, reason);
            return known(id);
        }

        @Override
        public Future<Switching> on(String id) {
            off.remove(id);
            return known(id);
        }

        private static Future<Switching> known(String id) {
            return Future.succeededFuture(id.equals("weaviate") ? Switching.MADE : Switching.NO_SUCH_BACKEND);
        }
    }

    private final class Levels implements LogLevels {
        @Override
        public boolean set(String logger, Level level) {
            levels.put(logger, level);
            return logger.equals("switchboard.http");
        }

        @Override
        public boolean reset(String logger) {
            return levels.remove(logger) != null;
        }
    }

    @BeforeEach
    void start(Vertx vertx) {
        this.vertx = vertx;
        Counter.builder("some.calls").tag("tool", "grüße\n\"").register(metrics).increment();
        vertx.deployVerticle(server).await();
    }

    @Test
    void itIsLiveBeforeItIsReady() {
        assertEquals(200, status("/health/live"));
        assertEquals(503, status("/health/ready"));
        readiness.set(new Readiness(true, "serving", List.of()));
        assertEquals(200, status("/health/ready"));
    }

    @Test
    void readinessShowsEachPart() {
        readiness.set(new Readiness(
                true,
                "serving",
                List.of(part("weaviate", Readiness.Status.OFF)),
                List.of(part("default", Readiness.Status.DEGRADED)),
                part("llm", Readiness.Status.DOWN),
                part("audit", Readiness.Status.UP),
                List.of(part("data", Readiness.Status.DOWN)),
                null));
        try (RawHttp client = new RawHttp(server.port())) {
            String answer = client.get("/health/ready", "").readUntil("}}");
            String rest = "\"required\":false,\"detail\":\"so\"}";
            assertEquals(
                    "{\"status\":\"ready\",\"state\":\"serving\",\"backends\":[{\"id\":\"weaviate\",\"status\":\"off\","
                            + rest + "],\"embedders\":[{\"id\":\"default\",\"status\":\"degraded\"," + rest
                            + "],\"disks\":[{\"id\":\"data\",\"status\":\"down\"," + rest
                            + "],\"llm\":{\"id\":\"llm\",\"status\":\"down\"," + rest
                            + ",\"audit\":{\"id\":\"audit\",\"status\":\"up\"," + rest + "}",
                    body(answer));
        }
        readiness.set(new Readiness(false, "stopping", List.of()));
        try (RawHttp client = new RawHttp(server.port())) {
            assertEquals(
                    "{\"status\":\"not ready\",\"state\":\"stopping\",\"backends\":[],\"embedders\":[],\"disks\":[]}",
                    body(client.get("/health/ready", "").readUntil("}")));
        }
    }

    private static Readiness.Part part(String id, Readiness.Status status) {
        return new Readiness.Part(id, status, false, "so");
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    @Test
    void nothingIsCachedAndTheHeadAloneMayBeAskedFor() {
        for (String path : List.of("/health/live", "/health/ready", "/metrics")) {
            try (RawHttp client = new RawHttp(server.port())) {
                String answer = client.send("HEAD " + path + " HTTP/1.1\nHost: localhost\n\nGET /health/live HTTP/1.1\n"
                                + "Host: localhost\nConnection: close\n\n")
                        .readAll();
                String head = answer.substring(0, answer.indexOf("\r\n\r\n")).toLowerCase(Locale.ROOT);
                assertTrue(head.startsWith(path.endsWith("ready") ? "http/1.1 503" : "http/1.1 200"), head);
                assertTrue(head.contains("cache-control: no-store"), head);
                assertTrue(
                        head.contains(
                                path.equals("/metrics")
                                        ? "content-type: text/plain"
                                        : "content-type: application/json"),
                        head);
                assertTrue(body(answer).startsWith("HTTP/1.1 200"), answer);
                assertTrue(answer.endsWith("\r\n\r\n{\"status\":\"live\"}"), answer);
            }
        }
    }

    @Test
    void whoAsksWithAnotherMethodHearsWhichAreAllowed() {
        for (String path : List.of("/health/live", "/metrics", "/elsewhere")) {
            assertRefused("POST", path, "405", "allow: get, head", "Only GET is allowed.");
        }
        assertRefused("GET", "/backends/weaviate/off", "405", "allow: put, delete", "PUT switches a backend off");
        assertRefused("GET", "/loggers/ROOT", "405", "allow: put, delete", "PUT sets the level of a logger");
        assertRefused("GET", "/elsewhere", "404", "content-type: application/json", "This port serves /health/live");
        assertRefused("GET", "/loggers/" + "x".repeat(201), "404", "no-store", "This port serves");
        assertRefused("GET", "/loggers/" + "x".repeat(200), "405", "allow: put, delete", "DELETE resets it");
    }

    private void assertRefused(String method, String path, String status, String header, String message) {
        try (RawHttp client = new RawHttp(server.port())) {
            String answer = client.send(method + " " + path + " HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n")
                    .readUntil("}}");
            assertEquals(status, answer.substring(9, 12), answer);
            assertTrue(answer.toLowerCase(Locale.ROOT).contains(header), answer);
            assertTrue(answer.contains(message), answer);
        }
    }

    @Test
    void theAddressDoesNotShowTheToken() {
        assertEquals("127.0.0.1:9090", new ManagementVerticle.ListenAddress("127.0.0.1", 9090, "s3cret").toString());
    }

    @Test
    void aStoppedServerListensNoMore() {
        ManagementVerticle other = management("127.0.0.1", null);
        assertThrows(IllegalStateException.class, other::port);
        String deployment = vertx.deployVerticle(other).await();
        assertEquals(200, asked(other, "/health/live", "Host: localhost"));
        try (RawHttp idle = new RawHttp(other.port())) {
            vertx.undeploy(deployment).await();
            assertEquals("", idle.readAll());
        }
    }

    @Test
    void aStopWaitsNotLongForABodyThatDoesNotCome() throws TimeoutException {
        ManagementVerticle other = management("127.0.0.1", null);
        String deployment = vertx.deployVerticle(other).await();
        try (RawHttp half = new RawHttp(other.port())) {
            half.send(
                    "PUT /backends/weaviate/off HTTP/1.1\nHost: 127.0.0.1\nExpect: 100-continue\nContent-Length: 9\n\n");
            half.readUntil("100 Continue");
            vertx.undeploy(deployment).await(20, TimeUnit.SECONDS);
            half.readAll();
        }
        assertEquals(Map.of(), off);
    }

    @Test
    void headersMayBeLargerThanHalfTheLimit() {
        assertEquals(200, asked(server, "/health/live", "Host: localhost\nX-Filler: " + "y".repeat(15_000)));
    }

    /** Who reaches the port over the network may read, and changes nothing. */
    @Test
    void othersThanThisMachineChangeNothing() throws Exception {
        Optional<Inet4Address> address = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(Inet4Address.class::isInstance)
                .map(Inet4Address.class::cast)
                .filter(one -> !one.isLoopbackAddress())
                .findFirst();
        assumeTrue(address.isPresent(), "this machine has no network");
        ManagementVerticle open = management("0.0.0.0", "s3cret-of-operators");
        vertx.deployVerticle(open).await();
        URI url = URI.create("http://" + address.get().getHostAddress() + ":" + open.port());
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> refused = client.send(
                    HttpRequest.newBuilder(url.resolve("/backends/weaviate/off"))
                            .header("Authorization", "Bearer s3cret-of-operators")
                            .PUT(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertEquals(403, refused.statusCode(), refused.body());
            assertTrue(refused.body().contains("from the gateway's own machine only"), refused.body());
            assertEquals(Map.of(), off);
            assertEquals(
                    200,
                    client.send(
                                    HttpRequest.newBuilder(url.resolve("/health/live"))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .statusCode());
        }
    }

    @Test
    void aBackendThatIsDownIsShownAndDoesNotMakeItUnready() {
        readiness.set(new Readiness(
                true,
                "serving",
                List.of(
                        new Readiness.Part("weaviate", Readiness.Status.DOWN, false, "connection refused"),
                        new Readiness.Part("vectordb", Readiness.Status.UP, true, "up"))));
        try (RawHttp client = new RawHttp(server.port())) {
            assertEquals(200, client.get("/health/ready", "").status());
            String answer = client.readUntil("]}");
            assertTrue(
                    answer.contains(
                            "{\"id\":\"weaviate\",\"status\":\"down\",\"required\":false,\"detail\":\"connection refused\"}"),
                    answer);
            assertTrue(
                    answer.contains("{\"id\":\"vectordb\",\"status\":\"up\",\"required\":true,\"detail\":\"up\"}"),
                    answer);
        }
    }

    @Test
    void aRequiredBackendThatIsDownMakesItUnreadyUnlessItIsSwitchedOff() {
        for (Readiness.Status status : Readiness.Status.values()) {
            readiness.set(new Readiness(true, "serving", List.of(new Readiness.Part("weaviate", status, true, ""))));
            assertEquals(status == Readiness.Status.DOWN ? 503 : 200, status("/health/ready"));
        }
    }

    @Test
    void backendsAreSwitchedOffWithOrWithoutAReasonAndOn() {
        assertEquals(200, change("PUT", "weaviate", "", ""));
        assertEquals(Map.of("weaviate", ""), off);
        assertEquals(200, change("PUT", "weaviate", "", "{\"reason\": \" upgrade until 12:00 \"}"));
        assertEquals(Map.of("weaviate", "upgrade until 12:00"), off);
        String longest = "x".repeat(200);
        assertEquals(200, change("PUT", "weaviate", "", "{\"reason\": \"" + longest + "\"}"));
        assertEquals(Map.of("weaviate", longest), off);
        assertEquals(200, change("DELETE", "weaviate", "", ""));
        assertEquals(Map.of(), off);
    }

    @Test
    void onlyThisMachineSwitchesWithAProperRequest() {
        assertEquals(403, change("PUT", "weaviate", "Origin: http://127.0.0.1:" + server.port() + "\n", ""));
        assertEquals(405, change("POST", "weaviate", "", ""));
        assertEquals(413, change("PUT", "weaviate", "", "{\"reason\": \"" + "x".repeat(5000) + "\"}"));
        for (String body : List.of("no", "{\"reason\": 1}", "{}", "{\"reason\": \"" + "x".repeat(201) + "\"}")) {
            assertEquals(400, change("PUT", "weaviate", "", body), body);
        }
        assertEquals(Map.of(), off);
        assertEquals(404, change("PUT", "meilisearch", "", ""));
        assertEquals(404, status("/backends/../weaviate/off"));
        assertEquals(404, change("DELETE", "meilisearch", "", ""));
        assertEquals(404, change("PUT", "m" + "x".repeat(30), "", ""));
        assertEquals(405, change("PUT", "m" + "x".repeat(31), "", ""));
    }

    @Test
    void logLevelsAreSetAndPutBackFromThisMachine() {
        String body = "{\"level\": \"debug\"}";
        assertEquals(200, changed("PUT", "/loggers/switchboard.http", "", body));
        assertEquals(Map.of("switchboard.http", LogLevels.Level.DEBUG), levels);
        assertEquals(200, changed("DELETE", "/loggers/switchboard.http", "", ""));
        assertEquals(404, changed("DELETE", "/loggers/ROOT", "", ""), "this one was not set");
        assertEquals(403, changed("PUT", "/loggers/ROOT", "Origin: https://example.org\n", body));
        assertEquals(400, changed("PUT", "/loggers/ROOT", "", "{\"level\": \"loud\"}"));
        assertEquals(400, changed("PUT", "/loggers/ROOT", "", "{\"level\":"));
        assertEquals(400, changed("PUT", "/loggers/ROOT", "", ""));
        assertEquals(405, changed("POST", "/loggers/ROOT", "", body));
        assertEquals(Map.of(), levels);
        assertEquals(404, changed("PUT", "/loggers/no.such.logger", "", body));
        assertEquals(405, changed("PUT", "/loggers/a%0Ab", "", body));
    }

    private int change(String method, String backend, String headers, String body) {
        return changed(method, "/backends/" + backend + "/off", headers, body);
    }

    private int changed(String method, String path, String headers, String body) {
        try (RawHttp client = new RawHttp(server.port())) {
            return client.send(method + " " + path + " HTTP/1.1\nHost: 127.0.0.1\nContent-Length: " + body.length()
                            + "\n" + headers + "\n" + body)
                    .status();
        }
    }

    @Test
    void whereATokenIsSetOnlyWhoHasItChangesAnything() {
        ManagementVerticle guarded = management("127.0.0.1", "s3cret-of-operators");
        vertx.deployVerticle(guarded).await();
        String path = "/backends/weaviate/off";
        for (String headers : List.of(
                "",
                "Authorization: Bearer \n",
                "Authorization: Bearer s3cret-of-operator\n",
                "Authorization: Bearer s3cret-of-operatorss\n",
                "Authorization: Basic s3cret-of-operators\n",
                "Authorization: s3cret-of-operators\n",
                "X-API-Key: s3cret-of-operators\n",
                "Authorization: Bearer s3cret-of-operators\nAuthorization: Bearer other\n")) {
            try (RawHttp client = new RawHttp(guarded.port())) {
                client.send("PUT " + path + " HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 0\n" + headers + "\n");
                assertEquals(401, client.status(), headers);
                assertTrue(
                        client.readUntil("}}").toLowerCase(Locale.ROOT).contains("www-authenticate: bearer"), headers);
            }
        }
        assertEquals(Map.of(), off);
        try (RawHttp client = new RawHttp(guarded.port());
                RawHttp reader = new RawHttp(guarded.port())) {
            client.send("PUT " + path
                    + " HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 0\nAuthorization: bearer   s3cret-of-operators\n\n");
            assertEquals(200, client.status());
            assertEquals(200, reader.get("/health/live", "").status());
        }
        assertEquals(Map.of("weaviate", ""), off);
    }

    @Test
    void webPagesReadNothing() {
        for (String path : List.of("/health/live", "/health/ready", "/metrics", "/elsewhere")) {
            for (String head : List.of(
                    "Host: 127.0.0.1\nOrigin: https://example.org",
                    "Host: 127.0.0.1\nOrigin: null",
                    "Host: 127.0.0.1:" + server.port() + "\nOrigin: http://127.0.0.1:" + server.port(),
                    "Host: rebound.example.org:" + server.port(),
                    "Host: 127.0.0.1.example.org",
                    "Host: localhost.")) {
                assertEquals(403, asked(server, path, head), path + " " + head);
            }
            for (String head : List.of("Host: 127.0.0.1:19090", "Host: localhost", "Host: [::1]:9090")) {
                assertNotEquals(403, asked(server, path, head), path + " " + head);
            }
        }
    }

    @Test
    void probesNameThePodWhereEveryAddressIsServed() {
        ManagementVerticle open = management("0.0.0.0", null);
        vertx.deployVerticle(open).await();
        assertEquals(200, asked(open, "/health/live", "Host: 10.1.2.3:9090"));
        assertEquals(200, asked(open, "/metrics", "Host: switchboard.tools.svc"));
        assertEquals(403, asked(open, "/metrics", "Host: 10.1.2.3:9090\nOrigin: http://10.1.2.3:9090"));
    }

    private static int asked(ManagementVerticle whom, String path, String head) {
        try (RawHttp client = new RawHttp(whom.port())) {
            return client.send("GET " + path + " HTTP/1.1\n" + head + "\n\n").status();
        }
    }

    @Test
    void metricsComeInTheFormatThatIsAskedFor() {
        try (RawHttp plain = new RawHttp(server.port());
                RawHttp open = new RawHttp(server.port())) {
            String text = plain.get("/metrics", "").readUntil("some_calls_total{tool=\"grüße\\n\\\"\"} 1.0");
            assertTrue(text.toLowerCase(Locale.ROOT).contains("content-type: text/plain; version=0.0.4"), text);
            String metric = open.get(
                            "/metrics", "Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5\n")
                    .readUntil("# EOF");
            assertTrue(metric.toLowerCase(Locale.ROOT).contains("content-type: application/openmetrics-text"), metric);
        }
    }

    @Test
    void itCountsNoneOfItsOwnRequests() {
        String before = metrics.scrape();
        assertEquals(200, status("/metrics"));
        assertEquals(200, status("/health/live"));
        assertEquals(before, metrics.scrape());
    }

    @Test
    void otherPathsAndMethodsAreRefusedInJson() {
        assertEquals(404, status("/mcp"));
        try (RawHttp client = new RawHttp(server.port())) {
            client.post("/metrics", "", "{}");
            assertEquals(405, client.status());
            assertFalse(client.readUntil("}}").contains("some_calls"));
        }
    }

    private int status(String path) {
        try (RawHttp client = new RawHttp(server.port())) {
            return client.get(path, "").status();
        }
    }
}
