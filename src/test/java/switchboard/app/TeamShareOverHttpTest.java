package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** A team whose calls hang leaves room for the others. */
class TeamShareOverHttpTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

    @TempDir
    Path folder;

    /** Takes connections and never answers. */
    private ServerSocket silent;

    private TestGateway gateway;

    @BeforeEach
    void listen() throws IOException {
        silent = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    }

    private void start(String... teams) throws IOException {
        StringBuilder file = new StringBuilder("teams:\n");
        for (String team : teams) {
            ApiKey key = team.equals("red") ? red : blue;
            file.append("  %1$s:\n    keys: [{id: %1$s1, sha256: %2$s}]\n    grants: [\"vectordb:*\"]\n"
                    .formatted(team, key.sha256()));
        }
        Files.writeString(folder.resolve("teams.yaml"), file);
        gateway = TestGateway.start("""
                auth: {mode: keys}
                audit: {to: none}
                limits: {callsPerBackend: 32, fewestPerBackend: 32, longestWait: 1m}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb, fetch: {allowPrivate: true, timeout: 10m}}
                """, folder);
    }

    @AfterEach
    void stop() throws IOException {
        callers.shutdownNow();
        gateway.close();
        silent.close();
    }

    private McpTestClient client(ApiKey key) {
        return gateway.modern().with("X-API-Key", key.text());
    }

    private List<Future<ToolResult>> hung(int calls) {
        McpTestClient client = client(red);
        String url = "{\"url\":\"http://127.0.0.1:" + silent.getLocalPort() + "/\"}";
        return IntStream.range(0, calls)
                .mapToObj(_ -> callers.submit(() -> client.call("ingest_url", url)))
                .toList();
    }

    private int gauge(String name) {
        return gateway.management("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") && line.contains("\"vectordb\""))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .mapToInt(value -> (int) Double.parseDouble(value))
                .findFirst()
                .orElse(0);
    }

    private void counts(int inFlight, int waiting) {
        Eventually.within(
                PATIENCE,
                () -> gauge("switchboard_calls_in_flight") == inFlight && gauge("switchboard_calls_waiting") == waiting,
                () -> gauge("switchboard_calls_in_flight") + " under way, " + gauge("switchboard_calls_waiting")
                        + " waiting");
    }

    /** So many free calls at once, all of which are answered. */
    private void answered(ApiKey key, int calls) throws InterruptedException, ExecutionException {
        McpTestClient client = client(key);
        List<Future<ToolResult>> free = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            free.add(callers.submit(() -> client.call("list_libraries", "{}")));
        }
        for (Future<ToolResult> call : free) {
            assertEquals("", call.get().errorKind());
        }
    }

    @Test
    void hungCallsOfOneTeamTakeHalfAndLeaveTheRest() throws Exception {
        start("red", "blue");
        List<Future<ToolResult>> hung = hung(120);
        counts(16, 64);
        Eventually.within(
                PATIENCE,
                () -> hung.stream().filter(Future::isDone).count() == 120 - 16 - 64,
                () -> hung.stream().filter(Future::isDone).count() + " refused");
        List<Future<ToolResult>> refused = hung.stream().filter(Future::isDone).toList();
        for (Future<ToolResult> call : refused) {
            assertEquals("OVERLOADED", call.get().errorKind());
        }
        assertEquals(120 - 16 - 64, refused.size());
        answered(blue, 60);
        counts(16, 64);
        hung.forEach(call -> call.cancel(true)); // hangs up
        counts(0, 0);
        answered(red, 32);
        answered(blue, 32);
        counts(0, 0);
    }

    @Test
    void oneTeamAloneHasAllOfIt() throws Exception {
        start("red");
        List<Future<ToolResult>> hung = hung(120);
        counts(32, 88);
        hung.forEach(call -> call.cancel(true));
        counts(0, 0);
        answered(red, 32);
    }
}
