package switchboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import switchboard.call.Json;
import switchboard.testing.GatewayProcess;
import switchboard.testing.PostgresCluster;

/** Closed loops of calls to some gateways, with the processor time of the gateways, the database and the load. */
final class ClusterLoad implements AutoCloseable {
    private static final int SOURCES = 500;
    private static final int QUERIES = 50;

    private final List<GatewayProcess> gateways;
    private final long database;
    private final String session;
    private final AtomicInteger numbers = new AtomicInteger();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** What is asked. */
    enum Kind {
        WRITE,
        SEARCH,
        LIST,
        PLAIN
    }

    /**
     * What a load gave; times are microseconds of a processor for each call.
     *
     * @param loadMicros of the process that makes the calls
     */
    record Measured(double perSecond, double gatewayMicros, double databaseMicros, double loadMicros) {
        @Override
        public String toString() {
            return "%.0f a second; processor time of a call: gateways %.0f us, database %.0f us, load %.0f us"
                    .formatted(perSecond, gatewayMicros, databaseMicros, loadMicros);
        }
    }

    ClusterLoad(List<GatewayProcess> gateways, PostgresCluster postgres) throws IOException, InterruptedException {
        this.gateways = gateways;
        this.database = Long.parseLong(
                postgres.sql("SELECT pg_read_file('postmaster.pid')").lines().findFirst().orElseThrow().strip());
        JsonNode started = send(0, "notes", "tools/call", "session_start", Json.object());
        this.session = started.at("/result/structuredContent/session_id").asText();
    }

    static ObjectNode search(String words) {
        return Json.object().put("query", words);
    }

    static ObjectNode write(String source, String content) {
        return Json.object().put("source", source).put("content", content).put("library", "l" + Math.floorMod(source.hashCode(), 4));
    }

    /** A number as letters: a word with digits would be split. */
    static String letters(int number) {
        StringBuilder word = new StringBuilder();
        for (int rest = number + 100; rest > 0; rest /= 10) {
            word.append("bcdfghjklm".charAt(rest % 10));
        }
        return word.toString();
    }

    /** So many connections for so long, in turns on all gateways. */
    Measured run(Kind kind, int connections, Duration time) throws Exception {
        long load = ProcessUse.of(ProcessHandle.current().pid()).cpuMicros();
        long served = served();
        long stored = stored();
        long start = System.nanoTime();
        AtomicInteger calls = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> loops = new ArrayList<>();
            for (int connection = 0; connection < connections; connection++) {
                int gateway = connection % gateways.size();
                loops.add(threads.submit(() -> {
                    while (System.nanoTime() - start < time.toNanos()) {
                        ask(gateway, kind);
                        calls.incrementAndGet();
                    }
                    return null;
                }));
            }
            for (Future<?> loop : loops) {
                loop.get(time.toSeconds() + 120, TimeUnit.SECONDS);
            }
        }
        double elapsed = (System.nanoTime() - start) / 1e9;
        double count = calls.get();
        return new Measured(
                count / elapsed,
                (served() - served) / count,
                (stored() - stored) / count,
                (ProcessUse.of(ProcessHandle.current().pid()).cpuMicros() - load) / count);
    }

    private long served() throws IOException {
        long sum = 0;
        for (GatewayProcess gateway : gateways) {
            sum += ProcessUse.of(gateway.pid()).cpuMicros();
        }
        return sum;
    }

    /** Of the server's processes that are there. */
    private long stored() {
        return ProcessHandle.of(database).stream()
                .flatMap(server -> java.util.stream.Stream.concat(java.util.stream.Stream.of(server), server.children()))
                .mapToLong(one -> one.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1_000)
                .sum();
    }

    private void ask(int gateway, Kind kind) throws IOException, InterruptedException {
        int number = numbers.getAndIncrement();
        switch (kind) {
            case WRITE ->
                send(gateway, "shared", "tools/call", "ingest_text", write(
                        "source-" + number % SOURCES,
                        "# Part " + number + "\n\n" + ("The " + letters(number % 1_000) + " of a harbour and its lanterns. ").repeat(20)));
            case SEARCH ->
                send(gateway, "shared", "tools/call", "search", search(letters(number % QUERIES) + " harbour"));
            case LIST -> send(gateway, "shared", "tools/list", "", Json.object());
            case PLAIN ->
                send(gateway, "notes", "tools/call", "session_set", Json.object().put("session_id", session).put("key", "topic").put("value", "hello"));
        }
    }

    /** How long a call of a tool takes whose answer must have {@code expected}. */
    double milliseconds(String tool, ObjectNode arguments, String expected) throws IOException, InterruptedException {
        long start = System.nanoTime();
        JsonNode answer = send(0, "shared", "tools/call", tool, arguments);
        double milliseconds = (System.nanoTime() - start) / 1e6;
        if (!Json.text(answer).contains(expected)) {
            throw new IllegalStateException("no " + expected + " in " + answer);
        }
        return milliseconds;
    }

    private JsonNode send(int gateway, String view, String method, String tool, ObjectNode arguments)
            throws IOException, InterruptedException {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", method);
        ObjectNode params = message.putObject("params");
        if (!tool.isEmpty()) {
            params.put("name", tool).set("arguments", arguments);
        }
        ObjectNode meta = params.putObject("_meta");
        meta.put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
        meta.putObject("io.modelcontextprotocol/clientCapabilities");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        gateways.get(gateway).url().resolve("/mcp/" + view))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", method)
                .POST(HttpRequest.BodyPublishers.ofString(Json.text(message)));
        if (!tool.isEmpty()) {
            request.header("Mcp-Name", tool);
        }
        HttpResponse<byte[]> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        JsonNode json = Json.parse(answer.body());
        if (answer.statusCode() != 200 || !json.has("result") || json.path("result").path("isError").asBoolean()) {
            throw new IllegalStateException(answer.statusCode() + " " + json);
        }
        return json;
    }

    @Override
    public void close() {
        http.close();
    }
}
