package switchboard.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Searches by keyword of a hundred documents in an embedded store, for benchmarks of what is around them. */
final class Searches {
    /** The configuration of the gateway. */
    static final String YAML = """
        embedders: {default: {provider: none}}
        audit: {to: none}
        backends: {vectordb: {type: vectordb}}
        """;

    private static final int DOCUMENTS = 100;

    private Searches() {}

    /** Puts the documents there. */
    static void fill(URI url) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (int i = 0; i < DOCUMENTS; i++) {
                HttpResponse<String> answer = http.send(
                        call(
                                        url,
                                        i,
                                        "ingest_text",
                                        "{\"source\":\"%d\",\"content\":\"%s\"}"
                                                .formatted(
                                                        i,
                                                        "river stone harbour lantern %d "
                                                                .formatted(i % 7)
                                                                .repeat(50)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200 || answer.body().contains("isError")) {
                    throw new IllegalStateException(answer.body());
                }
            }
        }
    }

    /** The {@code number}th search. */
    static HttpRequest search(URI url, long number) {
        return call(url, number, "vectordb__search", "{\"query\":\"harbour %d\",\"top_k\":10}".formatted(number % 7))
                .build();
    }

    /** A call of {@code tool}. */
    static HttpRequest.Builder call(URI url, long number, String tool, String arguments) {
        return HttpRequest.newBuilder(url)
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString("""
                    {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":%s}}\
                    """.formatted(number, tool, arguments)));
    }
}
