package switchboard.console;

import java.time.Clock;
import java.util.function.Function;
import switchboard.auth.Principal;

/**
 * The calls that people of the console may watch.
 *
 * @param source the calls of this gateway, or of all
 * @param usage what was counted of those of this gateway
 * @param audience what somebody sees of them
 * @param clock the clock of their times
 * @param clustered whether there are other gateways, with calls of their own
 */
public record WatchedCalls(
        CallSource source,
        CallUsage usage,
        Function<Principal, CallAudience> audience,
        Clock clock,
        boolean clustered) {
    /** The last calls that are known now. */
    public RecentCalls recent() {
        return source.now();
    }
}
