package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.backend.vectordb.HeldVectordb;
import switchboard.store.HeldStores;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Whatever a team's calls wait for, another team's call does not wait behind them. */
class TeamSharesOfExecutorsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int FLOOD = 60;

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final HeldStores stores = new HeldStores();
    private final CountDownLatch patience = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();

    @TempDir
    Path folder;

    /** Answers pages and vectors, but nothing where the path or the body says "slow". */
    private HttpServer elsewhere;

    private TestGateway gateway;

    @BeforeEach
    void listen() throws IOException {
        elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        elsewhere.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        elsewhere.createContext("/", this::answer);
        elsewhere.start();
    }

    private void answer(HttpExchange exchange) {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if ((exchange.getRequestURI() + body).contains("slow")) {
                hanging.incrementAndGet();
                patience.await();
            }
            byte[] answer = (exchange.getRequestMethod().equals("POST")
                            ? "{\"data\": [{\"index\": 0, \"embedding\": [0.6, 0.8]}]}"
                            : "A page about tugs.")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .add(
                            "Content-Type",
                            exchange.getRequestMethod().equals("POST") ? "application/json" : "text/plain");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            // The end of the test.
        }
    }

    private String url(String path) {
        return "http://127.0.0.1:" + elsewhere.getAddress().getPort() + path;
    }

    private void start(String embedder) throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: red1, sha256: %s}], grants: ["vectordb:*"]}
                  blue: {keys: [{id: blue1, sha256: %s}], grants: ["vectordb:*"]}
                """.formatted(red.sha256(), blue.sha256()));
        gateway = TestGateway.start(
                """
                auth: {mode: keys}
                audit: {to: none}
                limits: {callsPerBackend: 256, fewestPerBackend: 256, longestWait: 1m}
                embedders: {default: %s}
                backends:
                  vectordb: {type: vectordb, fetch: {allowPrivate: true, timeout: 10m}}
                """.formatted(embedder),
                folder,
                modelServices -> List.of(HeldVectordb.module(modelServices.embedders(), stores)),
                Clock.systemUTC());
    }

    @AfterEach
    void stop() {
        stores.release();
        patience.countDown();
        callers.shutdownNow();
        gateway.close();
        elsewhere.stop(0);
    }

    private McpTestClient client(ApiKey key) {
        return gateway.modern().with("X-API-Key", key.text());
    }

    private List<Future<ToolResult>> flood(String tool, IntFunction<String> arguments) {
        McpTestClient client = client(red);
        return IntStream.range(0, FLOOD)
                .mapToObj(i -> callers.submit(() -> client.call(tool, arguments.apply(i))))
                .toList();
    }

    /** Blue's call is answered while those of red hang. */
    private ToolResult answered(String tool, String arguments) throws Exception {
        McpTestClient client = client(blue);
        ToolResult result =
                callers.submit(() -> client.call(tool, arguments)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertEquals("", result.errorKind(), result.toString());
        return result;
    }

    private int gauge(String name, String label) {
        return gateway.management("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") && line.contains("\"" + label + "\""))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .mapToInt(value -> (int) Double.parseDouble(value))
                .findFirst()
                .orElse(0);
    }

    private void busy(String executor) {
        Eventually.within(
                PATIENCE,
                () -> gauge("switchboard_executor_running", executor) >= 1
                        && gauge("switchboard_executor_waiting", executor) >= 1,
                () -> gauge("switchboard_executor_running", executor) + " running, "
                        + gauge("switchboard_executor_waiting", executor) + " waiting");
    }

    private static long done(List<Future<ToolResult>> calls) {
        return calls.stream().filter(Future::isDone).count();
    }

    /** Those that are over were refused, since their team had no more room to wait in. */
    private static void assertNoneServed(List<Future<ToolResult>> calls) throws Exception {
        for (Future<ToolResult> call : calls) {
            if (call.isDone()) {
                assertEquals("OVERLOADED", call.get().errorKind(), call.get().toString());
            }
        }
    }

    @Test
    void fetches() throws Exception {
        start("{provider: none}");
        List<Future<ToolResult>> hung = flood("ingest_url", i -> "{\"url\": \"" + url("/slow/" + i) + "\"}");
        Eventually.within(
                PATIENCE, () -> hanging.get() == 8 && done(hung) == FLOOD - 8, () -> hanging + " fetched at once");
        answered("ingest_url", "{\"url\": \"" + url("/page") + "\"}");
        assertEquals(8, hanging.get());
        assertEquals(FLOOD - 8, done(hung));
        assertNoneServed(hung);
    }

    @Test
    void requestsForVectors() throws Exception {
        start("{provider: openai, url: '" + url("") + "', model: m, dimension: 2, timeout: 5m}");
        assertEquals("", ingest(blue, "blue").errorKind());
        List<Future<ToolResult>> hung = flood("search", i -> "{\"query\": \"slow " + i + "\"}");
        Eventually.within(PATIENCE, () -> hanging.get() >= 4, () -> hanging + " asked at once");
        answered("search", "{\"query\": \"tug\"}");
        assertEquals(4, hanging.get());
        assertNoneServed(hung);
    }

    @Test
    void whatIsBeingEmbeddedForOneTeamKeepsNoOtherWaitingForTheSameText() throws Exception {
        start("{provider: openai, url: '" + url("") + "', model: m, dimension: 2, timeout: 5m}");
        assertEquals("", ingest(blue, "blue").errorKind());
        flood("search", i -> "{\"query\": \"slow " + i + "\"}");
        Eventually.within(PATIENCE, () -> hanging.get() == 4, () -> hanging + " asked at once");
        // Its turn has not come: for red it waits behind the first four.
        Future<ToolResult> waiting = callers.submit(() -> client(red).call("search", "{\"query\": \"tug\"}"));
        Eventually.within(
                PATIENCE,
                () -> gauge("switchboard_calls_in_flight", "vectordb") == FLOOD + 1,
                () -> gauge("switchboard_calls_in_flight", "vectordb") + " under way");
        answered("search", "{\"query\": \"tug\"}");
        assertFalse(waiting.isDone());
    }

    private ToolResult ingest(ApiKey key, String library) {
        return client(key)
                .call(
                        "ingest_text",
                        "{\"library\": \"%1$s\", \"title\": \"%1$s\", \"content\": \"A tug.\"}".formatted(library));
    }

    @Test
    void readsOfTheStore() throws Exception {
        start("{provider: none}");
        assertEquals("", ingest(blue, "blue").errorKind());
        Set<Path> quick = stores.opened();
        assertEquals("", ingest(red, "red").errorKind());
        gateway.restart();
        stores.hold(quick);
        List<Future<ToolResult>> hung = flood("search", i -> "{\"query\": \"tug " + i + "\", \"library\": \"red\"}");
        busy("vectordb-read");
        answered("search", "{\"query\": \"tug\", \"library\": \"blue\"}");
        assertNoneServed(hung);
    }

    @Test
    void writesToTheStore() throws Exception {
        start("{provider: none}");
        assertEquals("", ingest(blue, "blue").errorKind());
        stores.hold(stores.opened());
        List<Future<ToolResult>> hung =
                flood("ingest_text", i -> "{\"library\": \"red" + i + "\", \"title\": \"r\", \"content\": \"A tug.\"}");
        busy("vectordb-write");
        answered("ingest_text", "{\"library\": \"blue\", \"title\": \"c\", \"content\": \"A ship.\"}");
        assertNoneServed(hung);
    }
}
