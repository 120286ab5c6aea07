package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.testing.Eventually;
import switchboard.testing.KeptClients;
import switchboard.testing.TestCertificate;
import switchboard.testing.TestGateway;
import switchboard.testing.TlsClients;

/** The endpoint over TLS: both versions of HTTP, new certificates while it runs, certificates of clients. */
class TlsTest {
    private static final String HERE = "dns:localhost,ip:127.0.0.1";
    private static final String LIST = """
            {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{\
            "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}}}}""";

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void eachVersionOfHttpHasAnswersAndRefusals(HttpClient.Version version) throws Exception {
        TestCertificate server = TestCertificate.make(folder, "server", HERE);
        try (TestGateway gateway = start(server, null);
                HttpClient http = TlsClients.client(version, server, null);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            HttpResponse<String> listed = post(http, gateway.url(), "application/json", LIST);
            assertEquals(200, listed.statusCode(), listed::body);
            assertEquals(version, listed.version());
            assertTrue(listed.body().contains("ingest_text"), listed::body);
            // A body that is refused unread leaves the other calls of its connection alone.
            List<Future<Integer>> mixed = IntStream.range(0, 10)
                    .mapToObj(n -> callers.submit(() -> n % 2 == 0
                            ? post(http, gateway.url(), "application/json", LIST)
                                    .statusCode()
                            : post(http, gateway.url(), "text/plain", "x".repeat(500_000))
                                    .statusCode()))
                    .toList();
            for (int n = 0; n < mixed.size(); n++) {
                assertEquals(n % 2 == 0 ? 200 : 415, mixed.get(n).get());
            }
        }
    }

    /** Sixty lists are far more than a socket takes at once: most of their streams begin while it is full. */
    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void manyLargeAnswersAtOnceAllArrive(HttpClient.Version version) throws Exception {
        TestCertificate server = TestCertificate.make(folder, "server", HERE);
        try (TestGateway gateway = start(server, null);
                HttpClient http = TlsClients.client(version, server, null)) {
            String listed = post(http, gateway.url(), "application/json", LIST).body();
            List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 60)
                    .mapToObj(_ -> http.sendAsync(
                            request(gateway.url(), "application/json", LIST), HttpResponse.BodyHandlers.ofString()))
                    .toList();
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                assertEquals(listed, answer.get(30, TimeUnit.SECONDS).body());
            }
        }
    }

    /** Most of the answer is not written yet when the gateway has waited long enough for the rest of the body. */
    @Test
    void aRefusalIsReadToItsEndByASlowReaderOfHttp2() throws Exception {
        TestCertificate server = TestCertificate.make(folder, "server", HERE);
        Vertx vertx = Vertx.vertx();
        try (TestGateway gateway = start(server, null)) {
            HttpClientOptions options = new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2)
                    .setUseAlpn(true)
                    .setSsl(true)
                    .setTrustOptions(new PemTrustOptions()
                            .addCertPath(server.certificate().toString()))
                    .setInitialSettings(new Http2Settings().setInitialWindowSize(8));
            String refusal = KeptClients.http(vertx, options)
                    .request(new RequestOptions()
                            .setMethod(HttpMethod.POST)
                            .setAbsoluteURI(gateway.url().toString())
                            .putHeader("content-type", "text/plain"))
                    .compose(request -> {
                        request.exceptionHandler(_ -> {});
                        request.setChunked(true).write("the beginning of a body");
                        return request.response();
                    })
                    .compose(answer -> {
                        assertEquals(415, answer.statusCode());
                        io.vertx.core.Future<Buffer> body = answer.body();
                        answer.pause();
                        vertx.setTimer(2_500, _ -> answer.resume());
                        return body;
                    })
                    .map(Buffer::toString)
                    .await(60, TimeUnit.SECONDS);
            assertTrue(refusal.contains("application/json") && refusal.endsWith("}"), refusal);
        } finally {
            vertx.close().await(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aNewCertificateIsTakenIntoUseAndAHalfWrittenOneIsNot() throws Exception {
        TestCertificate first = TestCertificate.make(folder, "first", HERE);
        TestCertificate second = TestCertificate.make(folder, "second", HERE);
        TestCertificate files = new TestCertificate(folder.resolve("tls.crt"), folder.resolve("tls.key"));
        Files.copy(first.certificate(), files.certificate());
        Files.copy(first.key(), files.key());
        try (TestGateway gateway = start(files, null)) {
            assertEquals(serial(first), shown(gateway.url(), first, second));
            put(second.certificate(), files.certificate());
            assertTrue(metrics(gateway).contains("switchboard_tls_certificate_expiry_timestamp_seconds"));
            assertEquals(serial(first), shown(gateway.url(), first, second), "its key is not there yet");
            put(second.key(), files.key());
            BigInteger expected = serial(second);
            Eventually.that(() -> shown(gateway.url(), first, second).equals(expected), () -> "the new one is in use");
        }
    }

    @Test
    void whereClientsMustHaveCertificatesOthersGetNoConnection() throws Exception {
        TestCertificate server = TestCertificate.make(folder, "server", HERE);
        TestCertificate known = TestCertificate.make(folder, "known", "dns:client.example");
        TestCertificate unknown = TestCertificate.make(folder, "unknown", "dns:client.example");
        try (TestGateway gateway = start(server, known);
                HttpClient good = TlsClients.client(HttpClient.Version.HTTP_2, server, known);
                HttpClient bad = TlsClients.client(HttpClient.Version.HTTP_2, server, unknown);
                HttpClient none = TlsClients.client(HttpClient.Version.HTTP_2, server, null)) {
            assertEquals(
                    200, post(good, gateway.url(), "application/json", LIST).statusCode());
            for (HttpClient other : List.of(bad, none)) {
                assertThrows(UncheckedIOException.class, () -> post(other, gateway.url(), "application/json", LIST));
            }
        }
    }

    @Test
    void aCertificateThatCannotBeReadIsSaidAtTheStart() {
        TestCertificate nothing = new TestCertificate(folder.resolve("no.crt"), folder.resolve("no.key"));
        BootException refused = assertThrows(BootException.class, () -> start(nothing, null));
        assertTrue(String.valueOf(refused.getMessage()).contains("server.tls can't be used: "), refused::getMessage);
    }

    private TestGateway start(TestCertificate server, @Nullable TestCertificate clients) {
        String authorities = clients == null ? "" : ", clientAuthorities: \"" + clients.certificate() + "\"";
        return TestGateway.start(
                """
                server: {tls: {certificate: "%s", key: "%s"%s}}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(server.certificate(), server.key(), authorities), folder.resolve("data"));
    }

    private static HttpRequest request(URI url, String type, String body) {
        return HttpRequest.newBuilder(url)
                .header("Content-Type", type)
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "tools/list")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static HttpResponse<String> post(HttpClient http, URI url, String type, String body) {
        try {
            return http.send(request(url, type, body), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** The serial number of the certificate that a new connection is shown. */
    private static BigInteger shown(URI url, TestCertificate... trusted) {
        try (HttpClient http = HttpClient.newBuilder()
                .sslContext(TlsClients.context(null, trusted))
                .build()) {
            Certificate[] chain = post(http, url, "application/json", LIST)
                    .sslSession()
                    .orElseThrow()
                    .getPeerCertificates();
            return ((X509Certificate) chain[0]).getSerialNumber();
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static String metrics(TestGateway gateway) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI metrics = gateway.app().managementUrl().resolve("/metrics");
            return http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static BigInteger serial(TestCertificate pair) throws IOException, GeneralSecurityException {
        return TlsClients.certificate(pair).getSerialNumber();
    }

    private static void put(Path from, Path to) throws IOException {
        Path draft = Files.copy(from, to.resolveSibling("draft"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(draft, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
