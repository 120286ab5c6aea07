package switchboard.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import switchboard.testing.GatewayProcess;
import switchboard.testing.chaos.Footprint;

/**
 * Ten times the calls that an engine can answer, through a gateway with a heap of 256 MiB. The engine does {@value
 * #AT_ONCE} searches at once, each in {@value #MILLIS} ms, and all of them slower the more it is asked beyond that. Fails
 * when fewer than 80 % of what it can do are answered, the gateway runs out of memory, or something is left behind.
 * Arguments: seconds (20) and how many times the capacity (10).
 */
final class Overload {
    private static final String HEAP = "256m";
    private static final int AT_ONCE = 8;
    private static final int MILLIS = 500;
    private static final double SLOWER_EACH = 0.02;
    private static final double LEAST = 0.8;

    private final Semaphore places = new Semaphore(AT_ONCE, true);
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    static void main(String[] arguments) throws Exception {
        Duration duration = Duration.ofSeconds(arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20);
        int times = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
        double share = new Overload().run(duration, times);
        System.exit(share >= LEAST ? 0 : 1);
    }

    private double run(Duration duration, int times) throws Exception {
        HttpServer engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
        engine.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        engine.createContext("/", this::answer);
        engine.start();
        Path folder = Files.createTempDirectory("switchboard-overload");
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), """
            embedders: {default: {provider: none}}
            audit: {to: none}
            backends:
              meilisearch: {type: meilisearch, url: "http://127.0.0.1:%d"}
            """.formatted(
                        engine.getAddress().getPort()));
        try (GatewayProcess gateway =
                GatewayProcess.lasting(new GatewayProcess.Launch(config, folder.resolve("data"), HEAP, 0))) {
            return measure(gateway, duration, times);
        } finally {
            engine.stop(0);
        }
    }

    private double measure(GatewayProcess gateway, Duration duration, int times) {
        int ideal = AT_ONCE * 1000 / MILLIS;
        Load load = new Load();
        calls(load, gateway, ideal / 2, duration);
        Footprint before = Footprint.idle(gateway);
        double capacity = calls(load, gateway, ideal, duration);
        most.set(0);
        double goodput = calls(load, gateway, (int) (times * capacity), duration);
        System.out.printf(
                "%.0f %% of the capacity; at most %d searches at the engine at once%n",
                100 * goodput / capacity, most.get());
        if (gateway.log().contains("OutOfMemoryError")) {
            throw new AssertionError(gateway.log());
        }
        List<String> left = before.leaks(gateway, System.out);
        if (!left.isEmpty()) {
            throw new AssertionError(String.join("\n", left));
        }
        return goodput / capacity;
    }

    private double calls(Load load, GatewayProcess gateway, int perSecond, Duration duration) {
        URI url = gateway.url();
        long began = System.nanoTime();
        Load.Result result = load.run(
                        perSecond,
                        duration,
                        number -> search(url, number),
                        HttpResponse.BodyHandlers.ofString(),
                        Overload::outcome)
                .join();
        double seconds = (System.nanoTime() - began) / 1e9;
        double good = result.nanos().length / seconds;
        System.out.printf(
                "%d calls a second for %.0f s: %.0f a second answered, p50 %.0f ms, p99 %.0f ms; outcomes %s%n",
                perSecond, seconds, good, result.percentile(0.5), result.percentile(0.99), result.statuses());
        return good;
    }

    /** 429 for an answer that is a refusal with a time to try again, 500 for any other error. */
    private static int outcome(HttpResponse<String> answer) {
        if (!answer.body().contains("\"isError\":true")) {
            return answer.statusCode();
        }
        return answer.body().contains("retryAfterMs") ? 429 : 500;
    }

    private static HttpRequest search(URI url, long number) {
        return Searches.call(url, number, "meilisearch_search", "{\"indexUid\":\"books\",\"q\":\"harbour\"}")
                .build();
    }

    private void answer(HttpExchange exchange) throws IOException {
        int now = asked.incrementAndGet();
        most.accumulateAndGet(now, Math::max);
        try (exchange) {
            if (exchange.getRequestURI().getPath().endsWith("/search")) {
                places.acquireUninterruptibly();
                try {
                    double slower = 1 + SLOWER_EACH * Math.max(0, asked.get() - 2 * AT_ONCE);
                    LockSupport.parkNanos((long) (slower * MILLIS * 1e6));
                } finally {
                    places.release();
                }
            }
            byte[] body = "{\"hits\":[],\"results\":[],\"estimatedTotalHits\":0,\"status\":\"available\"}"
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } finally {
            asked.decrementAndGet();
        }
    }
}
