package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestCertificate;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Certificates of the way to an engine that are replaced one after the other under load, as operators do it. */
@ExtendWith(VertxExtension.class)
class LiveTlsTest {
    private static final int CLIENTS = 2;
    private static final int CALLS = 40;

    /** Whose certificate the engine saw last. */
    private final Queue<String> shown = new ConcurrentLinkedQueue<>();

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean done = new AtomicBoolean();
    private final List<Thread> load = new ArrayList<>();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @TempDir
    Path folder;

    private TestCertificate engineOld;
    private TestCertificate engineNew;
    private TestCertificate ownOld;
    private TestCertificate ownNew;
    private Path authorities;
    private Path certificate;
    private Path key;
    private HttpServer engine;
    private TestGateway gateway;

    @BeforeEach
    void start(Vertx vertx) throws IOException {
        engineOld = TestCertificate.make(folder, "engine-old", "dns:localhost,ip:127.0.0.1");
        engineNew = TestCertificate.make(folder, "engine-new", "dns:localhost,ip:127.0.0.1");
        ownOld = TestCertificate.make(folder, "own-old", "dns:gateway.example");
        ownNew = TestCertificate.make(folder, "own-new", "dns:gateway.example");
        authorities = Files.copy(engineOld.certificate(), folder.resolve("authorities.pem"));
        certificate = Files.copy(ownOld.certificate(), folder.resolve("own.pem"));
        key = Files.copy(ownOld.key(), folder.resolve("own.key"));
        engine = vertx.createHttpServer(options(engineOld))
                .requestHandler(this::answer)
                .listen(0)
                .await();
        lines.start();
        ((Logger) LoggerFactory.getLogger("switchboard")).addAppender(lines);
        gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends:
                  weaviate:
                    type: weaviate
                    url: "https://127.0.0.1:%d"
                    connection: {retries: 0, tls: {caFile: "%s", certFile: "%s", keyFile: "%s"}}
                """.formatted(engine.actualPort(), authorities, certificate, key));
    }

    @AfterEach
    void stop() throws InterruptedException {
        done.set(true);
        for (Thread thread : load) {
            thread.join();
        }
        gateway.close();
        ((Logger) LoggerFactory.getLogger("switchboard")).detachAppender(lines);
    }

    /** With {@code own}; it wants to see one of the gateway's two. */
    private HttpServerOptions options(TestCertificate own) {
        return new HttpServerOptions()
                .setHost("127.0.0.1")
                .setSsl(true)
                .setClientAuth(ClientAuth.REQUIRED)
                .setTrustOptions(new PemTrustOptions()
                        .addCertPath(ownOld.certificate().toString())
                        .addCertPath(ownNew.certificate().toString()))
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertPath(own.certificate().toString())
                        .addKeyPath(own.key().toString()));
    }

    /** Every second answer is the last of its connection, so that there are new ones all the time. */
    private void answer(HttpServerRequest request) {
        try {
            X509Certificate other =
                    (X509Certificate) request.connection().peerCertificates().getFirst();
            shown.add(other.getSubjectX500Principal().getName());
        } catch (SSLPeerUnverifiedException e) {
            shown.add("nobody");
        }
        if (asked.incrementAndGet() % 2 == 0) {
            request.response().putHeader("connection", "close");
        }
        request.response().putHeader("content-type", "application/json").end("[]");
    }

    private static ToolResult call(McpTestClient client) {
        return client.call("weaviate__weaviate-tenants-list", "{\"collection_name\": \"A\"}");
    }

    private void load() {
        for (int i = 0; i < CLIENTS; i++) {
            load.add(Thread.ofVirtual().start(() -> {
                McpTestClient client = gateway.modern();
                while (!done.get()) {
                    ToolResult result = call(client);
                    if (result.isError()) {
                        failures.add(result.toString());
                    }
                    answered.incrementAndGet();
                }
            }));
        }
    }

    /** As often as calls that began before this have ended, and many more. */
    private void goesOn() {
        int before = answered.get();
        // Each second call has a handshake of its own, which takes long on a busy machine.
        Eventually.within(
                Duration.ofMinutes(1),
                () -> answered.get() > before + CALLS || !failures.isEmpty(),
                () -> "calls after " + before + ", only " + (answered.get() - before));
        assertEquals(List.of(), List.copyOf(failures));
    }

    /** Two looks after a change it is in force. */
    private void replaced(Path file, String text) throws IOException {
        ReplacedFile.write(file, text);
        for (int look = 0; look < 3; look++) {
            gateway.app().reload();
        }
    }

    private boolean shows(String name) {
        shown.clear();
        assertFalse(call(gateway.modern()).isError());
        return shown.stream().allMatch(("CN=" + name)::equals);
    }

    @Test
    void noCallFailsWhileAuthorityAndOwnCertificateAreReplaced() throws IOException {
        load();
        goesOn();
        assertTrue(shows("own-old"), shown::toString);

        String next = Files.readString(engineNew.certificate());
        replaced(authorities, next + Files.readString(engineOld.certificate()));
        goesOn();
        engine.updateSSLOptions(options(engineNew).getSslOptions(), true).await();
        goesOn();

        replaced(certificate, Files.readString(ownNew.certificate()));
        goesOn();
        assertTrue(shows("own-old"), () -> "half a pair changes nothing: " + shown);
        replaced(key, Files.readString(ownNew.key()));
        goesOn();
        Eventually.that(() -> shows("own-new"), () -> "the new pair: " + shown);

        replaced(authorities, next);
        goesOn();
        replaced(authorities, next.substring(0, 300));
        goesOn();
        String outdated = "switchboard_files_outdated{files=\"secrets\"} 1";
        assertTrue(gateway.management("/metrics").body().contains(outdated));
        done.set(true);

        engine.updateSSLOptions(options(engineOld).getSslOptions(), true).await();
        Eventually.that(
                () -> call(gateway.modern()).isError(), () -> "the authority that was taken out is not trusted");
        said();
    }

    /** Half a pair and a cut file are a line each, and no line has anything of a file. */
    private void said() throws IOException {
        List<String> messages =
                lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertEquals(1, count(messages, key + " is not the key of " + certificate), messages::toString);
        assertEquals(1, count(messages, authorities + " can't be used"), messages::toString);
        for (Path file : List.of(ownOld.key(), ownNew.key(), ownNew.certificate(), engineNew.certificate())) {
            for (String line : Files.readAllLines(file)) {
                assertEquals(0, line.startsWith("-----") ? 0 : count(messages, line), messages::toString);
            }
        }
    }

    private static long count(List<String> messages, String text) {
        return messages.stream().filter(message -> message.contains(text)).count();
    }
}
