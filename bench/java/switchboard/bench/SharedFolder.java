package switchboard.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What it costs that another process owns the data folder: the same search and the same write to the owner and to a
 * second process on its folder, in turns, one after the other on a connection that is kept. Arguments: rounds (10) and
 * calls of each kind in a round (300).
 */
final class SharedFolder {
    private static final int WARM_UP = 1_000;
    private static final int DOCUMENTS = 50;

    /** A tool, and its arguments for the call of a number. */
    private enum Kind {
        WRITE("ingest_text", "{\"content\": \"Zebras have stripes.\", \"source\": \"zebras-%d.md\"}"),
        SEARCH("vectordb__search", "{\"query\": \"stripes %d\"}");

        private final String tool;
        private final String arguments;

        Kind(String tool, String arguments) {
            this.tool = tool;
            this.arguments = arguments;
        }
    }

    static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
        int calls = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 300;
        try (Gateway owner = Gateway.start(
                        "{embedders: {default: {provider: none}}, backends: {vectordb: {type: vectordb}}}",
                        "teams: {}");
                Gateway other = owner.beside();
                HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            System.out.println("warming up");
            for (Kind kind : Kind.values()) {
                measure(http, owner.url(), kind, WARM_UP);
                measure(http, other.url(), kind, WARM_UP);
            }
            for (Kind kind : Kind.values()) {
                List<double[]> figures = new ArrayList<>();
                for (int round = 1; round <= rounds; round++) {
                    long[] direct = measure(http, owner.url(), kind, calls);
                    long[] relayed = measure(http, other.url(), kind, calls);
                    figures.add(new double[] {at(direct, 0.5), at(direct, 0.99), at(relayed, 0.5), at(relayed, 0.99)});
                }
                System.out.printf(
                        "%s, medians of the rounds: the owner p50 %.2f p99 %.2f ms, through another process p50 %.2f p99 %.2f ms%n",
                        kind, median(figures, 0), median(figures, 1), median(figures, 2), median(figures, 3));
            }
        }
    }

    /** The times of {@code calls} calls, sorted. */
    private static long[] measure(HttpClient http, URI url, Kind kind, int calls) throws Exception {
        long[] nanos = new long[calls];
        for (int i = 0; i < calls; i++) {
            HttpRequest request = call(url, kind, i);
            long start = System.nanoTime();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            nanos[i] = System.nanoTime() - start;
            if (answer.statusCode() != 200 || answer.body().contains("\"isError\":true")) {
                throw new IllegalStateException(answer.statusCode() + " " + answer.body());
            }
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static HttpRequest call(URI url, Kind kind, int id) {
        return HttpRequest.newBuilder(url)
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "tools/call")
                .header("Mcp-Name", kind.tool)
                .POST(HttpRequest.BodyPublishers.ofString("""
                        {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s",\
                        "arguments":%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
                        "io.modelcontextprotocol/clientCapabilities":{}}}}""".formatted(
                                id, kind.tool, kind.arguments.formatted(id % DOCUMENTS))))
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
