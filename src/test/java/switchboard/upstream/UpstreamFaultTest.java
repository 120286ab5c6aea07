package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import switchboard.upstream.UpstreamFault.Cause;

class UpstreamFaultTest {
    private static Set<Cause> causes(java.util.function.Predicate<UpstreamFault> wanted) {
        return Arrays.stream(Cause.values())
                .filter(cause -> wanted.test(new UpstreamFault(cause, true)))
                .collect(Collectors.toSet());
    }

    /** One that took too long would take too long again, and an engine that is slow must not get more to do. */
    @Test
    void onlyWhatPassesIsTriedAgain() {
        assertEquals(
                Set.of(Cause.REFUSED, Cause.CONNECT_TIMEOUT, Cause.PROXY, Cause.LOST), causes(UpstreamFault::passing));
    }

    @Test
    void onlyAChangeThatWasSentMayHaveBeenMade() {
        UpstreamFault sent = new UpstreamFault(Cause.LOST, true);
        assertEquals(
                "unknown",
                sent.toFailed("engine", false).details().path("outcome").asText());
        assertNull(sent.toFailed("engine", true).details());
        assertNull(
                new UpstreamFault(Cause.LOST, false).toFailed("engine", false).details());
        assertEquals(
                UpstreamClient.TOO_LARGE,
                new UpstreamFault(Cause.TOO_LARGE, true).toFailed("e", true).code());
        assertNull(sent.toFailed("engine", true).code());
    }

    @Test
    void whetherItWasSentDecidesWhatAFailureOfTheClientMeans() {
        assertEquals("timeout", UpstreamFault.of(new TimeoutException(), true).label());
        assertEquals(
                "connect_timeout",
                UpstreamFault.of(new TimeoutException(), false).label());
        assertEquals("lost", UpstreamFault.of(new IllegalStateException(), true).label());
        assertEquals(
                "closed", UpstreamFault.of(new IllegalStateException(), false).label());
        assertEquals("lost", UpstreamFault.of(new IOException(), true).label());
        assertEquals("refused", UpstreamFault.of(new IOException(), false).label());
        assertEquals(
                "tls",
                UpstreamFault.of(new DecoderException(new SSLException("x")), true)
                        .label());
        assertEquals(
                "malformed", UpstreamFault.of(new DecoderException("x"), true).label());
        UpstreamFault fault = new UpstreamFault(Cause.CLOSED, false);
        assertSame(fault, UpstreamFault.of(fault, true));
    }

    @Test
    void whatTheGatewayDecidedSpeaksNotAgainstTheEngine() {
        assertEquals(Set.of(Cause.TOO_LARGE, Cause.CLOSED, Cause.CANCELLED), causes(fault -> !fault.enginesFault()));
    }
}
