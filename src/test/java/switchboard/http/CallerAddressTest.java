package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Principal;
import switchboard.testing.RawHttp;
import switchboard.text.CidrBlock;

/** Whose address counts behind proxies: the last one that no trusted proxy has. */
class CallerAddressTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            203.0.113.7                          | 203.0.113.7
            198.51.100.1, 203.0.113.7            | 203.0.113.7
            203.0.113.7, 10.1.2.3                | 203.0.113.7
            2001:db8:0:0:0:0:0:7                 | 2001:db8:0:0:0:0:0:7
            10.1.2.3                             | 10.1.2.3
            203.0.113.7, unknown                 | 127.0.0.1
            203.0.113.7, not an address, 10.1.2.3| 10.1.2.3
            203.0.113.7:4711                     | 127.0.0.1
            ''                                   | 127.0.0.1
            """)
    void theLastAddressThatIsNoTrustedProxysCounts(String forwarded, String caller) throws Exception {
        assertEquals(caller, seen(List.of("127.0.0.0/8", "10.0.0.0/8"), "X-Forwarded-For: " + forwarded + "\n"));
    }

    @Test
    void severalHeadersAreOneList() throws Exception {
        assertEquals(
                "203.0.113.7",
                seen(List.of("127.0.0.1"), "X-Forwarded-For: 198.51.100.1\nX-Forwarded-For: 203.0.113.7\n"));
    }

    @Test
    void anybodyElsesHeaderCountsForNothing() throws Exception {
        assertEquals("127.0.0.1", seen(List.of(), "X-Forwarded-For: 203.0.113.7\n"));
        assertEquals("127.0.0.1", seen(List.of("10.0.0.0/8", "::/0"), "X-Forwarded-For: 203.0.113.7\n"));
    }

    private static String seen(List<String> proxies, String headers) throws InterruptedException {
        BlockingQueue<String> addresses = new LinkedBlockingQueue<>();
        HttpSettings settings = new HttpSettings(
                "127.0.0.1",
                0,
                null,
                Set.of(),
                HttpLimits.DEFAULT,
                Duration.ZERO,
                null,
                proxies.stream().map(CidrBlock::parse).toList());
        try (ScriptedServer server = new ScriptedServer(
                        settings,
                        credentials -> {
                            addresses.add(credentials.address());
                            return Future.succeededFuture(new AuthOutcome.Authenticated(Principal.anonymous()));
                        },
                        (inboundMessage, sink) -> {
                            addresses.add(inboundMessage.address());
                            ScriptedServer.OK.accept(inboundMessage, sink);
                        });
                RawHttp client = new RawHttp(server.port())) {
            assertEquals(200, client.post("/mcp", headers, PING).status());
            String first = addresses.take();
            assertEquals(first, addresses.take());
            return first;
        }
    }
}
