package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.config.PemFile;
import switchboard.config.Secret;
import switchboard.config.SecretFiles;
import switchboard.testing.Eventually;
import switchboard.testing.KeptClients;
import switchboard.testing.TestCertificate;

/** The way to an engine: TLS with each of its options, an HTTP proxy, and both. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class UpstreamRouteTest extends UpstreamFixture {
    private static final UpstreamSettings.Tls PLAIN = new UpstreamSettings.Tls(null, null, null, false);
    private static final UpstreamSettings.Tls INSECURE = new UpstreamSettings.Tls(null, null, null, true);
    private static Vertx servers;
    private static TestCertificate here;
    private static TestCertificate elsewhere;
    private static TestCertificate gateway;

    private final List<String> proxied = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void certificates(Vertx vertx, @TempDir Path folder) {
        servers = vertx;
        here = TestCertificate.make(folder, "here", "dns:localhost,ip:127.0.0.1");
        elsewhere = TestCertificate.make(folder, "elsewhere", "dns:engine.example");
        gateway = TestCertificate.make(folder, "gateway", "dns:gateway.example");
    }

    @Test
    void aCertificateIsTrustedIfItsIssuerIs() {
        URI engine = engine(here, null);
        refusedBecauseOfTls(engine, PLAIN);
        refusedBecauseOfTls(engine, new UpstreamSettings.Tls(PemFile.of(elsewhere.certificate()), null, null, false));
        answers(engine, new UpstreamSettings.Tls(PemFile.of(here.certificate()), null, null, false));
    }

    @Test
    void aCertificateForAnotherHostIsRefusedUnlessNothingIsChecked() {
        URI engine = engine(elsewhere, null);
        refusedBecauseOfTls(engine, new UpstreamSettings.Tls(PemFile.of(elsewhere.certificate()), null, null, false));
        answers(engine, INSECURE);
    }

    @Test
    void theGatewayShowsItsOwnCertificateWhereItHasOne() {
        URI engine = engine(here, gateway);
        answers(
                engine,
                new UpstreamSettings.Tls(
                        PemFile.of(here.certificate()),
                        PemFile.of(gateway.certificate()),
                        PemFile.of(gateway.key()),
                        false));
        ToolReply.Failed failed =
                failure(ask(engine, new UpstreamSettings.Tls(PemFile.of(here.certificate()), null, null, false), null));
        assertEquals(FailureKind.UNAVAILABLE, failed.kind());
    }

    @Test
    void newConnectionsHaveTheFilesOfNowAndHalfAPairChangesNothing(@TempDir Path files) throws IOException {
        Path authority = Files.copy(here.certificate(), files.resolve("ca.pem"));
        Path certificate = Files.copy(gateway.certificate(), files.resolve("own.pem"));
        Path key = Files.copy(gateway.key(), files.resolve("own.key"));
        UpstreamSettings.Tls tls =
                new UpstreamSettings.Tls(PemFile.of(authority), PemFile.of(certificate), PemFile.of(key), false);
        TestCertificate next = TestCertificate.make(files, "next", "dns:localhost,ip:127.0.0.1");
        TestCertificate nextGateway = TestCertificate.make(files, "next-gateway", "dns:gateway.example");
        HttpServer engine = started(here, gateway, 0);
        UpstreamClient client = client(URI.create("https://127.0.0.1:" + engine.actualPort()), settings(tls, null));
        assertEquals(
                "[\"direct\"]", client.send(READ, new FakeCall(LONG)).await().text());

        Files.copy(nextGateway.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
        look(tls);
        engine.close().await();
        engine = started(here, gateway, engine.actualPort());
        answered(client); // the certificate waits for its key
        Files.writeString(authority, "-----BEGIN CERTIFICATE-----\ncut");
        look(tls);
        engine.close().await();
        engine = started(here, gateway, engine.actualPort());
        answered(client);

        Files.copy(nextGateway.key(), key, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(next.certificate(), authority, StandardCopyOption.REPLACE_EXISTING);
        look(tls);
        engine.close().await();
        engine = started(next, nextGateway, engine.actualPort());
        answered(client);
        engine.close().await();
        engine = started(here, gateway, engine.actualPort());
        ToolReply.Failed failed = failure(client.send(READ, new FakeCall(LONG)));
        assertEquals(FailureKind.UNAVAILABLE, failed.kind());
    }

    /** Once what was taken is in use, which is a moment after the first request. */
    private static void answered(UpstreamClient client) {
        Eventually.that(
                () -> client.send(READ, new FakeCall(LONG))
                        .map(UpstreamResponse::text)
                        .otherwise("")
                        .await()
                        .equals("[\"direct\"]"),
                () -> "an answer");
    }

    /** As the gateway does once a second: two looks find a change, and one that can't be used is tried again. */
    private void look(UpstreamSettings.Tls tls) {
        for (int i = 0; i < 3; i++) {
            SecretFiles.of(tls).forEach(file -> file.look(clock.instant()));
        }
    }

    @Test
    void plainHttpOnAnHttpsPortIsNoDefect() {
        URI engine = engine(here, null);
        ToolReply.Failed failed = failure(ask(URI.create("http://127.0.0.1:" + engine.getPort()), PLAIN, null));
        assertEquals(FailureKind.UNAVAILABLE, failed.kind());
    }

    @Test
    void theProxyIsGivenTheNameOfAnHttpEngineAndItsOwnCredential() {
        UpstreamSettings.Proxy proxy = proxy("operator", Secret.of("pass"));
        UpstreamResponse answer =
                ask(URI.create("http://engine.invalid:7700/base"), PLAIN, proxy).await();
        assertEquals("[\"proxied\"]", answer.text());
        String basic = Base64.getEncoder().encodeToString("operator:pass".getBytes(StandardCharsets.UTF_8));
        assertEquals(List.of("GET http://engine.invalid:7700/base/thing?key=1 Basic " + basic), proxied);
    }

    @Test
    void anHttpsEngineIsReachedThroughATunnelAndItsCertificateIsChecked() {
        URI engine = engine(here, null);
        UpstreamSettings.Proxy proxy = proxy(null, null);
        UpstreamSettings.Tls trusting = new UpstreamSettings.Tls(PemFile.of(here.certificate()), null, null, false);
        assertEquals("[\"direct\"]", ask(engine, trusting, proxy).await().text());
        assertEquals(List.of("CONNECT 127.0.0.1:" + engine.getPort() + " null"), proxied);
        assertEquals(FailureKind.UNAVAILABLE, failure(ask(engine, PLAIN, proxy)).kind());
    }

    @Test
    void aProxyThatRefusesIsSaidToBeTheProxy() {
        HttpServer refusing = servers.createHttpServer(new HttpServerOptions().setHost("127.0.0.1"))
                .requestHandler(request -> request.response().setStatusCode(407).end("credentials, please"))
                .listen(0)
                .await();
        UpstreamSettings.Proxy proxy = new UpstreamSettings.Proxy("127.0.0.1", refusing.actualPort(), null, null);
        ToolReply.Failed tunnel = failure(ask(URI.create("https://engine.invalid"), PLAIN, proxy));
        assertEquals(FailureKind.UNAVAILABLE, tunnel.kind());
        assertTrue(tunnel.message().contains("proxy"), tunnel.message());
        assertFalse(tunnel.message().contains("credentials, please"), tunnel.message());
        ToolReply.Failed plain =
                ask(URI.create("http://engine.invalid"), PLAIN, proxy).await().unexplained();
        assertEquals(FailureKind.DENIED_UPSTREAM, plain.kind());
    }

    /** Where no port is written, which the proxy sees. */
    @Test
    void anEngineWithoutAPortHasTheUsualOneOfItsScheme() {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer refusing = servers.createHttpServer(new HttpServerOptions().setHost("127.0.0.1"))
                .requestHandler(request -> {
                    asked.add(request.method() + " " + request.uri());
                    request.response().setStatusCode(502).end();
                })
                .listen(0)
                .await();
        UpstreamSettings.Proxy proxy = new UpstreamSettings.Proxy("127.0.0.1", refusing.actualPort(), null, null);
        failure(ask(URI.create("HTTPS://engine.invalid"), PLAIN, proxy));
        failure(ask(URI.create("https://engine.invalid:8443"), PLAIN, proxy));
        assertEquals(
                502,
                ask(URI.create("http://engine.invalid"), PLAIN, proxy).await().status());
        assertEquals(
                List.of(
                        "CONNECT engine.invalid:443",
                        "CONNECT engine.invalid:8443",
                        "GET http://engine.invalid/thing?key=1"),
                asked);
    }

    private void answers(URI engine, UpstreamSettings.Tls tls) {
        assertEquals("[\"direct\"]", ask(engine, tls, null).await().text());
    }

    private void refusedBecauseOfTls(URI engine, UpstreamSettings.Tls tls) {
        ToolReply.Failed failed = failure(ask(engine, tls, null));
        assertEquals(FailureKind.UNAVAILABLE, failed.kind());
        assertTrue(failed.message().contains("does not trust"), failed.message());
    }

    private io.vertx.core.Future<UpstreamResponse> ask(
            URI engine, UpstreamSettings.Tls tls, UpstreamSettings.@Nullable Proxy proxy) {
        return client(engine, settings(tls, proxy)).send(READ, new FakeCall(LONG));
    }

    private static UpstreamSettings settings(UpstreamSettings.Tls tls, UpstreamSettings.@Nullable Proxy proxy) {
        UpstreamSettings d = UpstreamSettings.defaults();
        return new UpstreamSettings(d.timeouts(), d.pool(), d.maxResponseSize(), 0, d.breaker(), tls, proxy);
    }

    /** An engine with {@code certificate}, which wants to see {@code client}'s if there is one. */
    private static URI engine(TestCertificate certificate, @Nullable TestCertificate client) {
        return URI.create("https://127.0.0.1:" + started(certificate, client, 0).actualPort());
    }

    private static HttpServer started(TestCertificate certificate, @Nullable TestCertificate client, int port) {
        HttpServerOptions options =
                new HttpServerOptions().setHost("127.0.0.1").setSsl(true).setKeyCertOptions(pem(certificate));
        if (client != null) {
            options.setClientAuth(ClientAuth.REQUIRED)
                    .setTrustOptions(new PemTrustOptions()
                            .addCertPath(client.certificate().toString()));
        }
        return servers.createHttpServer(options)
                .requestHandler(request -> json(request, "[\"direct\"]"))
                .listen(port)
                .await();
    }

    private static PemKeyCertOptions pem(TestCertificate certificate) {
        return new PemKeyCertOptions()
                .addCertPath(certificate.certificate().toString())
                .addKeyPath(certificate.key().toString());
    }

    private static void json(HttpServerRequest request, String body) {
        request.response().putHeader("content-type", "application/json").end(body);
    }

    /** A proxy that answers plain requests itself and opens tunnels. */
    private UpstreamSettings.Proxy proxy(@Nullable String username, @Nullable Secret password) {
        HttpServer server = servers.createHttpServer(new HttpServerOptions().setHost("127.0.0.1"))
                .requestHandler(request -> {
                    proxied.add(
                            request.method() + " " + request.uri() + " " + request.getHeader("Proxy-Authorization"));
                    if (request.method().equals(HttpMethod.CONNECT)) {
                        tunnel(request);
                    } else {
                        json(request, "[\"proxied\"]");
                    }
                })
                .listen(0)
                .await();
        return new UpstreamSettings.Proxy("127.0.0.1", server.actualPort(), username, password);
    }

    private static void tunnel(HttpServerRequest request) {
        String[] target = request.uri().split(":");
        KeptClients.net(servers)
                .connect(Integer.parseInt(target[1]), target[0])
                .onSuccess(engine -> request.toNetSocket().onSuccess(client -> {
                    pump(client, engine);
                    pump(engine, client);
                }));
    }

    private static void pump(NetSocket from, NetSocket to) {
        from.handler((Buffer bytes) -> to.write(bytes));
        from.closeHandler(_ -> to.close());
    }
}
