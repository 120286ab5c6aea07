package switchboard.config;

import java.time.Duration;

/** How the server stops. */
public record DrainConfig(
        @Default("0s")
        @AllowedRange(min = "0s", max = "30s")
        @Doc("How long calls are still accepted after `/health/ready` has turned false, so that load balancers notice.")
        Duration delay,

        @Default("10s")
        @AllowedRange(min = "0s", max = "30s")
        @Doc("How long calls under way may continue after that; then their connections are closed.")
        Duration grace) {}
