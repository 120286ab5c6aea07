package switchboard.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import switchboard.auth.ApiKey;

/**
 * What a team notices of another one that sends ten times its limit: the 99th percentile of its searches with and without
 * that, in turns. Fails when the median of the ratios is above 1.5. Arguments: rounds (5) and seconds of each half (15).
 */
final class NoisyNeighbour {
    private static final int QUIET_PER_SECOND = 40;
    private static final int LIMIT_PER_SECOND = 20;
    private static final double BOUND = 1.5;

    private static final ApiKey QUIET = ApiKey.generate(new SecureRandom());
    private static final ApiKey NOISY = ApiKey.generate(new SecureRandom());

    static void main(String[] arguments) throws Exception {
        System.exit(measured(arguments) <= BOUND ? 0 : 1);
    }

    /** The median of the rounds' ratios. */
    private static double measured(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        Duration half = Duration.ofSeconds(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 15);
        try (Gateway gateway =
                Gateway.start("""
                    auth: {mode: keys}
                    embedders: {default: {provider: none}}
                    backends: {vectordb: {type: vectordb}}
                    """, """
                    teams:
                      quiet:
                        keys: [{id: quiet, sha256: %s}]
                        grants: ["vectordb:*"]
                        bindings: {vectordb: {owner: quiet}}
                      noisy:
                        keys: [{id: noisy, sha256: %s}]
                        grants: ["vectordb:*"]
                        bindings: {vectordb: {owner: noisy}}
                        limits: {callsPerSecond: %d, burst: %d, concurrentCalls: 4}
                    """.formatted(QUIET.sha256(), NOISY.sha256(), LIMIT_PER_SECOND, LIMIT_PER_SECOND))) {
            fill(gateway.url());
            Load load = new Load();
            System.out.println("warming up");
            load.run(QUIET_PER_SECOND, Duration.ofSeconds(10), i -> search(gateway.url(), QUIET, i))
                    .join();
            List<Double> ratios = new ArrayList<>();
            for (int round = 1; round <= rounds; round++) {
                double alone = load.run(QUIET_PER_SECOND, half, i -> search(gateway.url(), QUIET, i))
                        .join()
                        .percentile(0.99);
                CompletableFuture<Load.Result> noise =
                        load.run(10 * LIMIT_PER_SECOND, half, i -> search(gateway.url(), NOISY, i));
                double beside = load.run(QUIET_PER_SECOND, half, i -> search(gateway.url(), QUIET, i))
                        .join()
                        .percentile(0.99);
                ratios.add(beside / alone);
                System.out.printf(
                        "round %d: p99 %.1f ms alone, %.1f ms beside the noise: %.2f times; the noise got %s%n",
                        round, alone, beside, beside / alone, noise.join().statuses());
            }
            double median = ratios.stream().sorted().toList().get(ratios.size() / 2);
            System.out.printf("median %.2f times, bound %.1f%n", median, BOUND);
            return median;
        }
    }

    private static void fill(URI url) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (ApiKey key : List.of(QUIET, NOISY)) {
                for (int i = 0; i < 100; i++) {
                    HttpResponse<String> answer = null;
                    while (answer == null || answer.statusCode() == 429) { // the noisy team has its limit here, too
                        Thread.sleep(answer == null ? 0 : 500);
                        answer = http.send(
                                call(
                                        url,
                                        key,
                                        i,
                                        "ingest_text",
                                        "{\"source\":\"%d\",\"content\":\"%s\"}"
                                                .formatted(
                                                        i,
                                                        "river stone harbour lantern %d "
                                                                .formatted(i % 7)
                                                                .repeat(50))),
                                HttpResponse.BodyHandlers.ofString());
                    }
                    if (answer.statusCode() != 200 || answer.body().contains("isError")) {
                        throw new IllegalStateException(answer.body());
                    }
                }
            }
        }
    }

    private static HttpRequest search(URI url, ApiKey key, long number) {
        return call(url, key, number, "search", "{\"query\":\"harbour %d\",\"top_k\":10}".formatted(number % 7));
    }

    private static HttpRequest call(URI url, ApiKey key, long number, String tool, String arguments) {
        return Searches.call(url, number, tool, arguments)
                .header("Authorization", "Bearer " + key.text())
                .build();
    }
}
