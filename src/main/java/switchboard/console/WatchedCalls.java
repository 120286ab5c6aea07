package switchboard.console;

import java.time.Clock;
import java.util.function.Function;
import switchboard.auth.Principal;

/**
 * The calls that people of the console may watch.
 *
 * @param recent the calls of this gateway
 * @param usage what was counted of them
 * @param audience what somebody sees of them
 * @param clock the clock of their times
 * @param clustered whether there are other gateways, with calls of their own
 */
public record WatchedCalls(
        RecentCalls recent,
        CallUsage usage,
        Function<Principal, CallAudience> audience,
        Clock clock,
        boolean clustered) {}
