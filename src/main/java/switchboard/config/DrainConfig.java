package switchboard.config;

import java.time.Duration;

/** How a server that is told to stop lets go of its callers. */
public record DrainConfig(
        @Default("0s")
        @AllowedRange(min = "0s", max = "30s")
        @Doc("How long calls are still taken after `/health/ready` has turned false, for load balancers to notice.")
        Duration delay,

        @Default("10s")
        @AllowedRange(min = "0s", max = "30s")
        @Doc("How long calls under way may go on after that; then their connections are closed.")
        Duration grace) {}
