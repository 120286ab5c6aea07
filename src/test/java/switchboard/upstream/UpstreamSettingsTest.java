package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.call.Secrets;
import switchboard.config.PemFile;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.testing.FaultServer;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class UpstreamSettingsTest extends UpstreamFixture {
    @Test
    void aSegmentIsNeverADotOrEmpty() {
        for (String text : List.of("", ".", "..")) {
            assertThrows(IllegalArgumentException.class, () -> UpstreamRequest.segment(text));
        }
        assertEquals("...", UpstreamRequest.segment("..."));
        assertEquals("%00%0D%0A", UpstreamRequest.segment("\0\r\n"));
    }

    @Test
    void textOfTheEngineLosesCredentialsAndUrls() {
        UpstreamClient client = client(URI.create("http://127.0.0.1:1"), UpstreamSettings.defaults());
        assertEquals(
                "key *** at `<url>` failed, *** too",
                client.scrub("key s3cret-token at `https://u:p@host:1/x?token=1` failed, Bearer s3cret-token too"));
    }

    @Test
    void unusableSettingsAreRefusedWithTheReason() {
        for (String url : List.of("ftp://host", "host:7700", "http:///x", "http://u:p@host", "http://host/?key=1")) {
            assertThrows(IllegalArgumentException.class, () -> client(URI.create(url), UpstreamSettings.defaults()));
        }
        UpstreamSettings defaults = UpstreamSettings.defaults();
        UpstreamSettings noCa = new UpstreamSettings(
                defaults.timeouts(),
                defaults.pool(),
                defaults.maxResponseSize(),
                0,
                defaults.breaker(),
                new UpstreamSettings.Tls(PemFile.of(Path.of("/no/such/file.pem")), null, null, false),
                new UpstreamSettings.Proxy("proxy", 3128, "user", Secret.of("pass")));
        String message = assertThrows(IllegalArgumentException.class, () -> client(URI.create("https://host"), noCa))
                .getMessage();
        assertTrue(String.valueOf(message).contains("caFile"), message);
        assertFalse(noCa.toString().contains("pass\""));
        assertThrows(
                IllegalArgumentException.class,
                () -> UpstreamClient.create(
                        "engine",
                        URI.create("http://host"),
                        UpstreamSettings.defaults(),
                        Map.of("Authorization", "Bearer a\r\nb"),
                        services().upstream()));
    }

    @Test
    void whatIsWrongWithAUrlIsSaid() {
        String form = "url must be http://host[:port][/path] or https://..., not one without scheme or host";
        String bare = "url must not hold a user, a query or a fragment; credentials have keys of their own";
        assertEquals(form, refusal("ftp://host"));
        assertEquals(form, refusal("//host"));
        assertEquals(form, refusal("http:///x"));
        assertEquals(bare, refusal("http://u:p@host"));
        assertEquals(bare, refusal("http://host?q"));
        assertEquals(bare, refusal("http://host/#f"));
        client(URI.create("HTTP://host"), UpstreamSettings.defaults());
        client(URI.create("https://host:1/a/b/"), UpstreamSettings.defaults());
    }

    private String refusal(String url) {
        return assertThrows(IllegalArgumentException.class, () -> client(URI.create(url), UpstreamSettings.defaults()))
                .getMessage();
    }

    @Test
    void aCertificateAndItsKeyBelongTogether() {
        PemFile file = PemFile.of(Path.of("any.pem"));
        assertThrows(IllegalArgumentException.class, () -> new UpstreamSettings.Tls(null, file, null, false));
        assertThrows(IllegalArgumentException.class, () -> new UpstreamSettings.Tls(null, null, file, false));
        assertEquals(file, new UpstreamSettings.Tls(null, file, file, false).keyFile());
    }

    @Test
    void theSettingsOfAnEmptySectionAreTheDocumentedOnes() {
        assertEquals(
                new UpstreamSettings(
                        new UpstreamSettings.Timeouts(
                                Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(30)),
                        new UpstreamSettings.Pool(32, 128, Duration.ofSeconds(4)),
                        Size.ofMiB(16),
                        2,
                        new UpstreamSettings.Breaker(50, 20, Duration.ofSeconds(5)),
                        new UpstreamSettings.Tls(null, null, null, false),
                        null),
                UpstreamSettings.defaults());
    }

    /** A credential that changes is used at once, and the one before is still kept out of texts. */
    @Test
    void aCredentialThatChangesIsSentAsItIsNowAndScrubbedAsItWas() {
        AtomicReference<String> current = new AtomicReference<>("first-secret");
        LiveSecrets secrets = new LiveSecrets(List.of(Secret.of("any").as(_ -> current.get()), Secret.of("fixed-one")));
        Secrets first = secrets.current();
        assertEquals("*** ***", first.scrub("first-secret fixed-one"));
        assertSame(first, secrets.current(), "nothing has changed");
        current.set("second-secret");
        Secrets second = secrets.current();
        assertEquals("*** ***", second.scrub("second-secret fixed-one"));
        assertSame(second, secrets.current());
        try (FaultServer server = new FaultServer(FaultServer.json("{}"))) {
            UpstreamClient client = UpstreamClient.withSecrets(
                    "engine",
                    URI.create(server.url() + "///"),
                    UpstreamSettings.defaults(),
                    Map.of("X-Key", Secret.of("any").as(_ -> current.get())),
                    services().upstream());
            client.send(READ, new FakeCall(LONG)).await();
            current.set("third-secret");
            client.send(WRITE, new FakeCall(LONG)).await();
            assertTrue(server.requests().get(0).contains("X-Key: second-secret\r\n"));
            assertFalse(server.requests().get(0).contains("content-type"), "there is no body");
            assertTrue(server.requests().get(1).contains("X-Key: third-secret\r\n"));
            assertTrue(server.requests().get(1).contains("content-type: application/json\r\n"));
            assertEquals("{}", server.bodies().get(1));
            assertEquals("a *** b", client.scrub("a third-secret b"));
            client.close().await();
        }
    }

    @Test
    void aHeaderThatCanNotBeSentIsNamedWithoutItsValue() {
        for (String value : List.of("a\nb", "ä", "\u007f")) {
            String message = assertThrows(
                            IllegalArgumentException.class,
                            () -> UpstreamClient.create(
                                    "engine",
                                    URI.create("http://host"),
                                    UpstreamSettings.defaults(),
                                    Map.of("X-Key", value),
                                    services().upstream()))
                    .getMessage();
            assertEquals(
                    "the value for header X-Key holds characters that no header can carry (a line break?)", message);
        }
    }
}
