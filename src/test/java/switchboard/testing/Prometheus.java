package switchboard.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** A real Prometheus, of the Debian package, that scrapes one gateway every second and evaluates rules as often. */
public final class Prometheus implements AutoCloseable {
    private static final Path INSTALLED = Path.of("/usr/bin");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final Path folder;
    private final int port;

    private Prometheus(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    /** Starts one that scrapes {@code management} and evaluates the file {@code rules}. */
    public static Prometheus start(URI management, Path rules) {
        try {
            Path folder = Files.createTempDirectory("switchboard-prometheus-");
            Path configuration = Files.writeString(
                    folder.resolve("prometheus.yml"), """
                    global: {scrape_interval: 1s, evaluation_interval: 1s}
                    rule_files: ["%s"]
                    scrape_configs:
                      - job_name: switchboard
                        static_configs: [{targets: ["%s"]}]
                    """.formatted(rules.toAbsolutePath(), management.getAuthority()));
            int port = Programs.freePort();
            Process process = new ProcessBuilder(
                            program("prometheus"),
                            "--config.file=" + configuration,
                            "--storage.tsdb.path=" + folder.resolve("data"),
                            "--enable-feature=exemplar-storage",
                            "--web.listen-address=127.0.0.1:" + port)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            Prometheus prometheus = new Prometheus(process, folder, port);
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> !prometheus.series("up == 1").isEmpty(),
                    () -> "Prometheus scrapes the gateway\n" + prometheus.log());
            return prometheus;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What {@code promtool} prints; fails the test if it finds a fault. */
    public static String promtool(String... arguments) {
        return promtoolOn(null, arguments);
    }

    /** The same with {@code input} on its standard input. */
    public static String promtoolOn(@Nullable String input, String... arguments) {
        List<String> command = new ArrayList<>(List.of(program("promtool")));
        command.addAll(List.of(arguments));
        return Programs.run(command, input);
    }

    private static String program(String name) {
        try {
            Path installed = INSTALLED.resolve(name);
            Path program = Files.isExecutable(installed)
                    ? installed
                    : DebianPackage.unpacked("prometheus", "")
                            .resolve("usr/bin")
                            .resolve(name);
            return program.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The series that {@code query} has now; fails if Prometheus does not understand it. */
    public JsonNode query(String query) {
        return result("query", query, "");
    }

    /** The series of {@code query} between two times, in seconds since 1970, in steps of so many seconds. */
    public JsonNode range(String query, long from, long to, int step) {
        return result("query_range", query, "&start=" + from + "&end=" + to + "&step=" + step);
    }

    private JsonNode result(String what, String query, String parameters) {
        JsonNode answer = get(what + "?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + parameters);
        if (!answer.path("status").asText().equals("success")) {
            throw new AssertionError(query + ": " + answer);
        }
        return answer.path("data").path("result");
    }

    /** The groups of rules with the state of each. */
    public JsonNode rules() {
        return get("rules").path("data").path("groups");
    }

    /** The exemplars of the series that {@code selector} names, of the last hour. */
    public JsonNode exemplars(String selector) {
        long now = System.currentTimeMillis() / 1000;
        return get("query_exemplars?query=" + URLEncoder.encode(selector, StandardCharsets.UTF_8) + "&start="
                        + (now - 3600) + "&end=" + (now + 60))
                .path("data");
    }

    /** What it scrapes, with the last error of each. */
    public JsonNode targets() {
        return get("targets").path("data").path("activeTargets");
    }

    private JsonNode series(String query) {
        try {
            return query(query);
        } catch (UncheckedIOException | AssertionError _) { // it has not opened its port, or not its data, yet
            return Json.object();
        }
    }

    private JsonNode get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/" + path))
                .timeout(Duration.ofSeconds(30))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            return Json.parse(answer.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        http.close();
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            Programs.delete(folder);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
