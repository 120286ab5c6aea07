package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
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
    void whatTheGatewayDecidedSpeaksNotAgainstTheEngine() {
        assertEquals(
                Set.of(Cause.BUSY, Cause.TOO_LARGE, Cause.CLOSED, Cause.CANCELLED),
                causes(fault -> !fault.enginesFault()));
    }
}
