package switchboard.backend.upstream;

import static java.util.Objects.requireNonNullElse;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a backend talks to its engine: the section {@code connection} of a network backend. A key that is left out has
 * its default.
 *
 * @param timeouts how long things may take
 * @param pool how many connections, and how many calls may wait for one
 * @param maxResponseSize the largest answer that is read, bytes; 16 MiB
 * @param retries how often a call that may be repeated is tried again; 2
 * @param breaker when the engine is given a rest
 * @param tls for {@code https} engines
 * @param proxy an HTTP proxy in between, or null for none
 */
public record UpstreamSettings(
        Timeouts timeouts,
        Pool pool,
        Long maxResponseSize,
        Integer retries,
        Breaker breaker,
        Tls tls,
        @Nullable Proxy proxy) {

    public UpstreamSettings {
        timeouts = requireNonNullElse(timeouts, Timeouts.DEFAULT);
        pool = requireNonNullElse(pool, Pool.DEFAULT);
        maxResponseSize = requireNonNullElse(maxResponseSize, 16L << 20);
        retries = requireNonNullElse(retries, 2);
        breaker = requireNonNullElse(breaker, Breaker.DEFAULT);
        tls = requireNonNullElse(tls, Tls.DEFAULT);
        atLeast("maxResponseSize", maxResponseSize, 1024);
        atLeast("retries", retries, 0);
    }

    /** All defaults. */
    public static UpstreamSettings defaults() {
        return new UpstreamSettings(Timeouts.DEFAULT, Pool.DEFAULT, 16L << 20, 2, Breaker.DEFAULT, Tls.DEFAULT, null);
    }

    /**
     * How long things may take.
     *
     * @param connect until a connection stands; 2 s
     * @param request until an answer is complete, for one attempt; 30 s (a call's own deadline cuts it short)
     * @param idle without a byte from the engine while an answer is awaited; 30 s
     */
    public record Timeouts(Duration connect, Duration request, Duration idle) {
        static final Timeouts DEFAULT =
                new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(30));

        public Timeouts {
            connect = requireNonNullElse(connect, Duration.ofSeconds(2));
            request = requireNonNullElse(request, Duration.ofSeconds(30));
            idle = requireNonNullElse(idle, Duration.ofSeconds(30));
            atLeast("timeouts.connect", connect.toMillis(), 1);
            atLeast("timeouts.request", request.toMillis(), 1);
            atLeast("timeouts.idle", idle.toMillis(), 1);
        }
    }

    /**
     * Connections.
     *
     * @param size connections at most; 32
     * @param maxWaiting calls that may wait for one at most; more are refused as overloaded; 128
     * @param keepAlive for how long an idle connection is kept; 4 s, less than the engines' own limit, so that a
     *     request is not written to a connection that the engine is closing
     */
    public record Pool(Integer size, Integer maxWaiting, Duration keepAlive) {
        static final Pool DEFAULT = new Pool(32, 128, Duration.ofSeconds(4));

        public Pool {
            size = requireNonNullElse(size, 32);
            maxWaiting = requireNonNullElse(maxWaiting, 128);
            keepAlive = requireNonNullElse(keepAlive, Duration.ofSeconds(4));
            atLeast("pool.size", size, 1);
            atLeast("pool.maxWaiting", maxWaiting, 0);
            atLeast("pool.keepAlive", keepAlive.toSeconds(), 1);
        }
    }

    /**
     * The circuit breaker. Connections refused or lost, timeouts, and statuses 502 to 504 count as failures.
     *
     * @param failureRate share of failures, 1 to 100 per cent, at which it opens; 50
     * @param window how many calls the share is taken over; 20, at least half of them seen
     * @param openFor how long calls are refused before one is let through again; 5 s
     */
    public record Breaker(Integer failureRate, Integer window, Duration openFor) {
        static final Breaker DEFAULT = new Breaker(50, 20, Duration.ofSeconds(5));

        public Breaker {
            failureRate = requireNonNullElse(failureRate, 50);
            window = requireNonNullElse(window, 20);
            openFor = requireNonNullElse(openFor, Duration.ofSeconds(5));
            atLeast("breaker.failureRate", failureRate, 1);
            atMost("breaker.failureRate", failureRate, 100);
            atLeast("breaker.window", window, 2);
            atLeast("breaker.openFor", openFor.toMillis(), 1);
        }
    }

    /**
     * TLS.
     *
     * @param caFile PEM certificates to trust instead of the JDK's, or null
     * @param certFile PEM certificate to show the engine, or null
     * @param keyFile PEM key of that certificate, or null
     * @param insecure accept any certificate and host name; false. For trials only
     */
    public record Tls(
            @Nullable Path caFile,
            @Nullable Path certFile,
            @Nullable Path keyFile,
            boolean insecure) {
        static final Tls DEFAULT = new Tls(null, null, null, false);

        public Tls {
            if ((certFile == null) != (keyFile == null)) {
                throw new IllegalArgumentException("tls.certFile and tls.keyFile belong together");
            }
        }
    }

    /**
     * An HTTP proxy ({@code CONNECT} for https engines).
     *
     * @param host its name or address
     * @param port its port
     * @param username for a proxy that wants one, or null
     * @param password for a proxy that wants one, or null
     */
    public record Proxy(
            String host,
            int port,
            @Nullable String username,
            @Nullable String password) {
        public Proxy {
            if (host == null || host.isBlank()) {
                throw new IllegalArgumentException("proxy.host is missing");
            }
            atLeast("proxy.port", port, 1);
            atMost("proxy.port", port, 65_535);
        }

        @Override
        public String toString() {
            return "Proxy[" + host + ":" + port + "]";
        }
    }

    private static void atLeast(String key, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(key + " must be at least " + least + ", not " + value);
        }
    }

    private static void atMost(String key, long value, long most) {
        if (value > most) {
            throw new IllegalArgumentException(key + " must be at most " + most + ", not " + value);
        }
    }
}
