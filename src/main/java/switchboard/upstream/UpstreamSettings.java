package switchboard.upstream;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import switchboard.async.ForwardClock;
import switchboard.config.AllowedRange;
import switchboard.config.Default;
import switchboard.config.Doc;
import switchboard.config.PemFile;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.telemetry.OutageLog;

/** The connection of a backend to its engine: the section {@code connection} of a network backend. */
public record UpstreamSettings(
        @Doc("Time limits.") Timeouts timeouts,

        @Doc("Number of connections, and of calls that wait for one.")
        Pool pool,

        @Default("16MiB") @AllowedRange(min = "1KiB", max = "256MiB") @Doc("Largest answer of the engine that is read.")
        Size maxResponseSize,

        @Default("2")
        @AllowedRange(min = "0", max = "10")
        @Doc("How often a read that failed is tried again within its deadline.")
        int retries,

        @Doc("The circuit breaker: when the gateway stops calling a failing engine for a while.")
        Breaker breaker,

        @Doc("For `https` engines.") Tls tls,

        @Doc("An HTTP proxy between the gateway and the engine.") @Nullable
        Proxy proxy) {

    /** The settings of an empty section. */
    public static UpstreamSettings defaults() {
        return new UpstreamSettings(
                new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(30)),
                new Pool(32, 128, Duration.ofSeconds(4)),
                Size.ofMiB(16),
                2,
                new Breaker(50, 20, Duration.ofSeconds(5)),
                new Tls(null, null, null, false),
                null);
    }

    /** The settings for the server of a model: an answer may take {@code timeout}, and is tried once more. */
    public static UpstreamSettings ofModel(Duration timeout) {
        UpstreamSettings usual = defaults();
        return new UpstreamSettings(
                new Timeouts(usual.timeouts().connect(), timeout, timeout),
                usual.pool(),
                usual.maxResponseSize(),
                1,
                usual.breaker(),
                usual.tls(),
                null);
    }

    /** Timeouts. A call's own deadline limits each of them. */
    public record Timeouts(
            @Default("2s") @AllowedRange(min = "1ms", max = "1m") @Doc("Time limit for making a connection.")
            Duration connect,

            @Default("30s")
            @AllowedRange(min = "1ms", max = "1h")
            @Doc("Time limit of one attempt, until the answer is complete.")
            Duration request,

            @Default("30s")
            @AllowedRange(min = "1ms", max = "1h")
            @Doc("Maximum time without a byte from the engine while its answer is awaited.")
            Duration idle) {}

    /** Connections. */
    public record Pool(
            @Default("32") @AllowedRange(min = "1", max = "10000") @Doc("Most connections.")
            int size,

            @Default("128")
            @AllowedRange(min = "0", max = "100000")
            @Doc("Maximum number of calls that wait for a connection; further ones are refused as overloaded.")
            int maxWaiting,

            @Default("4s")
            @AllowedRange(min = "1s", max = "1h")
            @Doc("How long an idle connection is kept; less than the engine's own limit (5 s in Meilisearch), so that"
                    + " nothing is written to a connection that the engine is closing.")
            Duration keepAlive) {}

    /** The circuit breaker: connections refused or lost, timeouts, and statuses 502 to 504 count as failures. */
    public record Breaker(
            @Default("50")
            @AllowedRange(min = "1", max = "100")
            @Doc("Share of failures, in per cent, at which calls stop.")
            int failureRate,

            @Default("20")
            @AllowedRange(min = "2", max = "10000")
            @Doc("How many of the last calls the share is taken of; half of them must have been seen.")
            int window,

            @Default("5s")
            @AllowedRange(min = "1ms", max = "1h")
            @Doc("How long calls are refused before the gateway tries the engine again.")
            Duration openFor) {
        /**
         * A closed breaker. It logs when it opens, and when it closes again.
         *
         * @param name the name of what it protects
         * @param reason why it opens, for the log
         */
        public CircuitBreaker create(String name, Clock clock, Logger log, String reason) {
            CircuitBreaker breaker = CircuitBreaker.of(
                    name,
                    CircuitBreakerConfig.custom()
                            .failureRateThreshold(failureRate)
                            .slidingWindowSize(window)
                            .minimumNumberOfCalls(Math.max(2, window / 2))
                            .waitDurationInOpenState(openFor)
                            .permittedNumberOfCallsInHalfOpenState(2)
                            .clock(new ForwardClock(clock))
                            .build());
            OutageLog outage = new OutageLog(log, name + ", seen by calls,", clock);
            breaker.getEventPublisher().onStateTransition(event -> {
                switch (event.getStateTransition().getToState()) {
                    case OPEN, FORCED_OPEN -> outage.begins(reason);
                    case CLOSED -> outage.ends();
                    case HALF_OPEN, DISABLED, METRICS_ONLY -> {}
                }
            });
            return breaker;
        }

        /** Lets calls through an open breaker again, because the engine answered a check. */
        public static void recovered(CircuitBreaker breaker) {
            if (breaker.getState() == CircuitBreaker.State.OPEN) {
                breaker.transitionToHalfOpenState();
            }
        }

        /** The state as a metric: 0 closed, 1 half open, 2 open. */
        public static double level(CircuitBreaker breaker) {
            return switch (breaker.getState()) {
                case CLOSED, DISABLED, METRICS_ONLY -> 0;
                case HALF_OPEN -> 1;
                case OPEN, FORCED_OPEN -> 2;
            };
        }
    }

    /** TLS to the engine. */
    public record Tls(
            @Doc("PEM file of the certificates to trust instead of the JDK's; read again when it changes.") @Nullable
            PemFile caFile,

            @Doc("PEM file of the certificate shown to the engine; read again when it changes, once its key fits.")
            @Nullable
            PemFile certFile,

            @Doc("PEM file of that certificate's key.") @Nullable
            PemFile keyFile,

            @Default("false") @Doc("Accept any certificate and any host name; for trials only.")
            boolean insecure) {
        public Tls {
            if ((certFile == null) != (keyFile == null)) {
                throw new IllegalArgumentException("certFile and keyFile belong together");
            }
        }
    }

    /** An HTTP proxy; {@code CONNECT} is used for https engines. */
    public record Proxy(
            @Doc("Its name or address.") String host,

            @AllowedRange(min = "1", max = "65535") @Doc("Its port.")
            int port,

            @Doc("For a proxy that needs one.") @Nullable String username,
            @Doc("For a proxy that needs one.") @Nullable Secret password) {}
}
