package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which hosts and origins may mean this server. The server's port is 8080. */
class OriginGuardTest {
    private static final int PORT = 8080;

    private static OriginGuard guard(String host) {
        return new OriginGuard(new HttpSettings(
                host,
                PORT,
                URI.create("https://mcp.example.org/"),
                Set.of("https://app.example.org", "http://[2001:db8::1]:3000"),
                HttpLimits.DEFAULT,
                Duration.ZERO,
                null,
                List.of()));
    }

    private static @Nullable HostAndPort host(String text) {
        return HostAndPort.parseAuthority(text, -1);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8080, true",
        "LocalHost:8080, true",
        "127.0.0.1:8080, true",
        "[::1]:8080, true",
        "localhost:8081, false",
        "localhost, false",
        "127.0.0.2:8080, false",
        "evil.example:8080, false",
        "mcp.example.org, true",
        "MCP.example.org:443, true",
        "mcp.example.org:80, false",
        "mcp.example.org:8080, false",
        "app.example.org, true",
        "[2001:db8::1]:3000, true",
        "[2001:db8::1]:3001, false"
    })
    void aLoopbackServerIsOnlyWhatItIsCalled(String host, boolean allowed) {
        for (String bound : List.of("127.0.0.1", "localhost", "::1", "[::1]", "127.9.9.9", "LOCALHOST")) {
            assertEquals(allowed, guard(bound).hostAllowed(host(host), PORT), bound);
            assertFalse(guard(bound).hostAllowed(null, PORT));
        }
    }

    @Test
    void withoutAPortAHostIsOnTheUsualOne() {
        assertTrue(OriginGuard.of("127.0.0.1").hostAllowed(host("localhost"), 80));
        assertFalse(OriginGuard.of("127.0.0.1").hostAllowed(host("localhost"), 443));
        assertFalse(OriginGuard.of("127.0.0.1").hostAllowed(host("mcp.example.org"), 80));
    }

    @Test
    void aServerForOthersDoesNotKnowAllOfItsNames() {
        for (String bound : List.of("0.0.0.0", "::", "192.0.2.1", "mcp.example.org", "128.0.0.1")) {
            assertTrue(guard(bound).hostAllowed(host("any.example:1"), PORT), bound);
            assertTrue(guard(bound).hostAllowed(null, PORT), bound);
            assertTrue(guard(bound).nameAllowed(host("any.example:1")), bound);
            assertFalse(guard(bound).originAllowed("http://localhost:" + PORT, PORT), bound);
        }
    }

    @Test
    void aForwardedPortMayBeAnyAndTheNameMayNot() {
        OriginGuard guard = guard("127.0.0.1");
        for (String host : List.of("localhost:1", "127.0.0.1", "[::1]:9", "LOCALHOST:70")) {
            assertTrue(guard.nameAllowed(host(host)), host);
        }
        assertTrue(guard.nameAllowed(null), "a request of HTTP/1.0");
        assertFalse(guard.nameAllowed(host("evil.example:8080")));
        assertFalse(guard.nameAllowed(host("mcp.example.org")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost:8080",
                "HTTP://LOCALHOST:8080",
                "http://127.0.0.1:8080",
                "http://[::1]:8080",
                "https://mcp.example.org",
                "https://MCP.example.org:443",
                "https://app.example.org",
                "http://[2001:db8::1]:3000"
            })
    void pagesOfTheServerAndOfTheAllowedOriginsMayCall(String origin) {
        assertTrue(guard("127.0.0.1").originAllowed(origin, PORT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost:8081",
                "http://localhost",
                "https://localhost:8080",
                "http://evil.example:8080",
                "http://mcp.example.org",
                "https://mcp.example.org:8443",
                "https://app.example.org.evil.example",
                "null",
                "",
                "localhost:8080",
                "//localhost:8080",
                "http:localhost:8080",
                "http://",
                "::"
            })
    void otherPagesMayNot(String origin) {
        assertFalse(guard("127.0.0.1").originAllowed(origin, PORT));
    }

    @Test
    void whatIsNoPageMayCall() {
        assertTrue(guard("127.0.0.1").originAllowed(null, PORT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"app.example.org", "//app.example.org", "https:app.example.org", "https:///mcp"})
    void anAllowedOriginHasASchemeAndAHost(String origin) {
        HttpSettings settings = new HttpSettings(
                "127.0.0.1", 0, null, Set.of(origin), HttpLimits.DEFAULT, Duration.ZERO, null, List.of());
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new OriginGuard(settings));
        assertEquals("\"" + origin + "\" is not of the form https://host[:port]", refused.getMessage());
    }
}
