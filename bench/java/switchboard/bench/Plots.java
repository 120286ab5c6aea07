package switchboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import switchboard.auth.ApiKey;
import switchboard.testing.McpTestClient;
import switchboard.testing.MonitoringFiles;
import switchboard.testing.Prometheus;
import switchboard.testing.TestGateway;

/**
 * The dashboard's queries, asked of a real Prometheus that watched a gateway under mixed load, as one SVG. A quarter of
 * the time all is well, then an engine is slow, then it fails, then it is well again. Arguments: seconds (240), file
 * (docs/images/dashboard.svg).
 */
final class Plots {
    private static final int STEPS = 80;
    private static final Duration WARM_UP = Duration.ofSeconds(30);

    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey BLUE = ApiKey.generate(new SecureRandom());

    /** What the engine does with a request. */
    private static final AtomicInteger STATUS = new AtomicInteger(200);

    private static final AtomicInteger DELAY_MS = new AtomicInteger(15);

    static void main(String[] arguments) throws Exception {
        int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 240;
        Path file = Path.of(arguments.length > 1 ? arguments[1] : "docs/images/dashboard.svg");
        Path data = Files.createTempDirectory("switchboard-plots");
        Files.writeString(data.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: red, sha256: %s}]
                    grants: ["*:*"]
                  blue:
                    keys: [{id: blue, sha256: %s}]
                    grants: ["*:*"]
                    limits: {callsPerSecond: 12, burst: 12}
                """.formatted(RED.sha256(), BLUE.sha256()));
        HttpServer engine = engine();
        try (TestGateway gateway = TestGateway.start("""
                        auth: {mode: keys}
                        embedders: {default: {provider: onnx}}
                        backends:
                          vectordb: {type: vectordb}
                          agentroot: {type: agentroot}
                          weaviate: {type: weaviate, url: "http://127.0.0.1:%d"}
                        """.formatted(engine.getAddress().getPort()), data);
                Prometheus prometheus = Prometheus.start(
                        gateway.app().managementUrl(), MonitoringFiles.rules(data.resolve("rules.yaml")))) {
            List<Thread> callers = callers(gateway);
            Thread.sleep(WARM_UP);
            long from = System.currentTimeMillis() / 1000;
            story(Duration.ofSeconds(seconds).dividedBy(4));
            long to = System.currentTimeMillis() / 1000;
            callers.forEach(Thread::interrupt);
            write(prometheus, file, from, to);
        } finally {
            engine.stop(0);
        }
        System.exit(0);
    }

    private static void story(Duration quarter) throws InterruptedException {
        Thread.sleep(quarter);
        DELAY_MS.set(900);
        Thread.sleep(quarter);
        DELAY_MS.set(15);
        STATUS.set(503);
        Thread.sleep(quarter);
        STATUS.set(200);
        Thread.sleep(quarter);
    }

    /** Something that answers as Weaviate does to what is asked here. */
    private static HttpServer engine() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String body = path.endsWith("/tenants")
                    ? "[{\"name\": \"north\", \"activityStatus\": \"ACTIVE\"}]"
                    : "{\"class\": \"Notes\", \"properties\": [], \"multiTenancyConfig\": {\"enabled\": true}}";
            pause(DELAY_MS.get());
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(STATUS.get(), bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static List<Thread> callers(TestGateway gateway) {
        McpTestClient red = McpTestClient.modern(gateway.url()).with("Authorization", "Bearer " + RED.text());
        McpTestClient blue = McpTestClient.modern(gateway.url()).with("Authorization", "Bearer " + BLUE.text());
        McpTestClient stranger = McpTestClient.modern(gateway.url()).with("Authorization", "Bearer sb_no_key");
        AtomicInteger count = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        callers.add(caller(400, red, client -> client.call(
                "ingest_text",
                "{\"content\": \"Note %1$d: the %1$d. stone of the wall is of granite.\", \"title\": \"note %1$d\"}"
                        .formatted(count.incrementAndGet()))));
        callers.add(caller(100, red, client -> client.call("vectordb__search", "{\"query\": \"granite walls\"}")));
        callers.add(caller(150, red, client -> client.call("list_documents", "{}")));
        for (int i = 0; i < 4; i++) {
            callers.add(caller(
                    120, red, client -> client.call("weaviate-tenants-list", "{\"collection_name\": \"Notes\"}")));
        }
        callers.add(caller(60, blue, client -> client.call("status", "{}")));
        callers.add(caller(1000, blue, client -> client.call("vectordb__search", "{\"query\": 7}")));
        callers.add(caller(2000, stranger, client -> client.call("list_documents", "{}")));
        callers.forEach(Thread::start);
        return callers;
    }

    private static Thread caller(int everyMs, McpTestClient client, Consumer<McpTestClient> call) {
        return Thread.ofVirtual().unstarted(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    call.accept(client);
                } catch (AssertionError | RuntimeException _) { // a refusal at the door is no answer to a call
                }
                pause(everyMs);
            }
        });
    }

    private static void pause(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(Prometheus prometheus, Path file, long from, long to) throws IOException {
        int step = (int) Math.max(1, (to - from) / STEPS);
        List<Chart> charts = new ArrayList<>();
        for (MonitoringFiles.Panel panel : MonitoringFiles.panels("15s")) {
            List<Chart.Line> lines = new ArrayList<>();
            for (MonitoringFiles.Line line : panel.lines()) {
                for (JsonNode series : prometheus.range(line.query(), from, to, step)) {
                    lines.add(new Chart.Line(legend(line.legend(), series.path("metric")), points(series, from)));
                }
            }
            charts.add(new Chart(panel.title(), panel.unit(), (int) (to - from), lines));
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, Chart.page(charts));
        System.out.println(file + ": " + charts.size() + " panels, " + Files.size(file) / 1024 + " KiB");
    }

    private static String legend(String pattern, JsonNode labels) {
        String text = pattern;
        for (var label : labels.properties()) {
            text = text.replace("{{" + label.getKey() + "}}", label.getValue().asText());
        }
        return text.replaceAll("\\{\\{.*?}}", "").strip();
    }

    private static List<Chart.Point> points(JsonNode series, long from) {
        List<Chart.Point> points = new ArrayList<>();
        for (JsonNode value : series.path("values")) {
            double y = Double.parseDouble(value.get(1).asText().replace("+Inf", "NaN"));
            if (!Double.isNaN(y)) {
                points.add(new Chart.Point(value.get(0).asDouble() - from, y));
            }
        }
        return points;
    }
}
