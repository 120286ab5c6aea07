package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.config.PemFile;
import switchboard.config.Secret;

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
}
