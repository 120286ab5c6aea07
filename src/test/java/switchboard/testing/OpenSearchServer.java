package switchboard.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import switchboard.call.Json;

/**
 * A real OpenSearch for tests, without its plugin for vectors: one node for each process that runs tests, on free loopback
 * ports, in a process of its own. Maven gets its libraries on first use, into a folder of the user's cache.
 */
public final class OpenSearchServer implements BeforeAllCallback {
    private static final Path PINS = Path.of("src/test/opensearch/pom.xml");
    private static final Pattern LISTENS = Pattern.compile("HttpServerTransport\\] publish_address \\{([0-9.:]+)\\}");
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(OpenSearchServer.class);

    private @Nullable Server server;

    @Override
    public void beforeAll(ExtensionContext context) {
        server = context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE)
                .getOrComputeIfAbsent(Server.class, _ -> Server.start(), Server.class);
    }

    /** Where it listens. */
    public URI url() {
        return running().url();
    }

    /** Sends a request with a body in JSON, or none, which must succeed. */
    public JsonNode send(String method, String path, String body) {
        HttpResponse<String> response = running().request(method, path, body);
        if (response.statusCode() >= 300) {
            throw new AssertionError(method + " " + path + ": " + response.statusCode() + " " + response.body());
        }
        try {
            return Json.parse(response.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(response.body(), e);
        }
    }

    private Server running() {
        if (server == null) {
            throw new IllegalStateException("the server starts before the class's tests");
        }
        return server;
    }

    /** The process; closed by JUnit when the last test is done. */
    private static final class Server implements AutoCloseable {
        private final Process process;
        private final Path folder;
        private final HttpClient http = HttpClient.newHttpClient();

        private Server(Process process, Path folder) {
            this.process = process;
            this.folder = folder;
        }

        /** It takes the first free port from 9201 on. */
        URI url() {
            Matcher line = LISTENS.matcher(log());
            if (!line.find()) {
                throw new AssertionError("OpenSearch does not listen:\n" + log());
            }
            return URI.create("http://" + line.group(1));
        }

        /** Starts one after the other: each looks for a port that is free and takes it some seconds later. */
        static Server start() {
            try {
                Path libraries = ToolCache.folder("opensearch", Files.readAllBytes(PINS), Server::install, _ -> {});
                return OneAtATime.with(libraries.resolveSibling("opensearch-start.lock"), () -> start(libraries));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static Server start(Path libraries) throws IOException {
            Path folder = Files.createTempDirectory("switchboard-opensearch-");
            Process process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx384m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            libraries.resolve("*").toString(),
                            "org.codelibs.opensearch.runner.OpenSearchRunner",
                            "-basePath",
                            folder.resolve("data").toString(),
                            "-numOfNode",
                            "1",
                            "-clusterName",
                            "switchboard-" + UUID.randomUUID()))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            Server server = new Server(process, folder);
            Eventually.within(Eventually.OF_A_PROCESS, server::ready, server::log);
            return server;
        }

        private static void install(Path folder) {
            Programs.run(
                    List.of(
                            "mvn",
                            "-B",
                            "-ntp",
                            "-q",
                            "-f",
                            PINS.toString(),
                            "dependency:copy-dependencies",
                            "-DoutputDirectory=" + folder.toAbsolutePath()),
                    null);
        }

        private boolean ready() {
            if (!process.isAlive()) {
                throw new AssertionError("OpenSearch ended with " + process.exitValue() + ":\n" + log());
            }
            if (!LISTENS.matcher(log()).find()) {
                return false;
            }
            try {
                return http.send(
                                        HttpRequest.newBuilder(url().resolve(
                                                                "/_cluster/health?wait_for_status=yellow&timeout=1s"))
                                                .build(),
                                        HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        == 200;
            } catch (IOException _) {
                return false; // not yet
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }

        private String log() {
            try {
                return Files.readString(folder.resolve("log"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        HttpResponse<String> request(String method, String path, String body) {
            try {
                return http.send(
                        HttpRequest.newBuilder(url().resolve(path))
                                .header(
                                        "Content-Type",
                                        path.contains("_bulk") ? "application/x-ndjson" : "application/json")
                                .method(
                                        method,
                                        body.isEmpty()
                                                ? HttpRequest.BodyPublishers.noBody()
                                                : HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
            } catch (IOException e) {
                throw new AssertionError("OpenSearch does not answer:\n" + log(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() throws IOException {
            http.close();
            Programs.end(process);
            Programs.delete(folder);
        }
    }
}
