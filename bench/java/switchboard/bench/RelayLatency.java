package switchboard.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import switchboard.testing.fixture.FixtureServer;

/**
 * What the gateway adds to a call of another MCP server's tool: the same call to the server itself and through the
 * gateway, in turns, one after the other on a connection that is kept. Arguments: rounds (10) and calls of each kind in
 * a round (500).
 */
final class RelayLatency {
    private static final int WARM_UP = 2_000;

    static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
        int calls = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 500;
        try (FixtureServer server = new FixtureServer(FixtureServer.Era.MODERN);
                Gateway gateway = Gateway.start(
                        "backends: {fixture: {type: mcp, url: \"" + server.url() + "\"}}", "teams: {}");
                HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            URI relayed = URI.create(gateway.url() + "/fixture");
            System.out.println("warming up");
            measure(http, server.url(), WARM_UP);
            measure(http, relayed, WARM_UP);
            server.forgetReceived();
            List<double[]> medians = new ArrayList<>();
            for (int round = 1; round <= rounds; round++) {
                long[] direct = measure(http, server.url(), calls);
                long[] through = measure(http, relayed, calls);
                server.forgetReceived();
                double[] added = {
                    at(through, 0.5) - at(direct, 0.5),
                    at(through, 0.99) - at(direct, 0.99),
                    at(direct, 0.5),
                    at(direct, 0.99),
                    at(through, 0.5),
                    at(through, 0.99)
                };
                medians.add(added);
                System.out.printf(
                        "round %2d: direct p50 %.2f p99 %.2f ms, relayed p50 %.2f p99 %.2f ms, added p50 %.2f p99 %.2f ms%n",
                        round, added[2], added[3], added[4], added[5], added[0], added[1]);
            }
            System.out.printf(
                    "medians of the rounds: direct p50 %.2f p99 %.2f ms, relayed p50 %.2f p99 %.2f ms, added p50 %.2f p99 %.2f ms%n",
                    median(medians, 2),
                    median(medians, 3),
                    median(medians, 4),
                    median(medians, 5),
                    median(medians, 0),
                    median(medians, 1));
        }
    }

    /** The times of {@code calls} calls, sorted. */
    private static long[] measure(HttpClient http, URI url, int calls) throws Exception {
        long[] nanos = new long[calls];
        for (int i = 0; i < calls; i++) {
            HttpRequest request = call(url, i);
            long start = System.nanoTime();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            nanos[i] = System.nanoTime() - start;
            if (answer.statusCode() != 200 || !answer.body().contains("\"resultType\":\"complete\"")) {
                throw new IllegalStateException(answer.statusCode() + " " + answer.body());
            }
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static HttpRequest call(URI url, int id) {
        return HttpRequest.newBuilder(url)
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "tools/call")
                .header("Mcp-Name", "test_simple_text")
                .POST(HttpRequest.BodyPublishers.ofString("""
                        {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"test_simple_text",\
                        "arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
                        "io.modelcontextprotocol/clientCapabilities":{}}}}""".formatted(id)))
                .build();
    }

    /** The time that the fraction {@code p} of the calls stays below, in milliseconds. */
    private static double at(long[] sorted, double p) {
        return sorted[(int) Math.min(sorted.length - 1, p * sorted.length)] / 1e6;
    }

    private static double median(List<double[]> rounds, int figure) {
        double[] sorted = rounds.stream().mapToDouble(round -> round[figure]).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
