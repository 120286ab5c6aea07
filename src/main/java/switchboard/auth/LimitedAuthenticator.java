package switchboard.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.vertx.core.Future;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.LongSupplier;

/**
 * Answers 429 to an address that fails too often. Valid credentials are always accepted: behind a proxy or a NAT, one
 * caller's failures must not lock out others, and keys are too long to be guessed. A request without credentials is
 * not a failure, because OAuth clients start that way. Remembers a bounded number of addresses; for IPv6 the /64
 * network, which one caller usually controls.
 */
public final class LimitedAuthenticator implements Authenticator {
    private static final int MOST_ADDRESSES = 10_000;
    private static final int NETWORK_BYTES = 8;

    private final Authenticator authenticator;
    private final int perMinute;
    private final TimeMeter time;
    private final Cache<String, Bucket> buckets;

    /**
     * Limits failures to {@code perMinute} for each address.
     *
     * @param nanos a steady clock in nanoseconds
     */
    public LimitedAuthenticator(Authenticator authenticator, int perMinute, LongSupplier nanos) {
        this.authenticator = authenticator;
        this.perMinute = perMinute;
        this.time = new MonotonicTimeMeter(nanos);
        this.buckets = Caffeine.newBuilder()
                .maximumSize(MOST_ADDRESSES)
                .expireAfterAccess(Duration.ofMinutes(2))
                .ticker(time::currentTimeNanos)
                .executor(Runnable::run)
                .build();
    }

    @Override
    public Future<AuthOutcome> authenticate(Credentials credentials) {
        return authenticator.authenticate(credentials).map(outcome -> switch (outcome) {
            case AuthOutcome.Authenticated good -> good;
            case AuthOutcome.Rejected refused ->
                counts(refused.failure()) ? limited(credentials.address(), refused) : refused;
        });
    }

    /** How many addresses are remembered, for tests. */
    long remembered() {
        // Iterating skips expired entries; the size of the cache includes them until they are removed.
        long count = 0;
        for (String _ : buckets.asMap().keySet()) {
            count++;
        }
        return count;
    }

    private static boolean counts(AuthFailure failure) {
        return switch (failure) {
            case MISSING, TOKEN_UNCHECKED, PROOF_UNCHECKED -> false;
            default -> true;
        };
    }

    private AuthOutcome limited(String address, AuthOutcome.Rejected refused) {
        ConsumptionProbe probe = buckets.get(network(address), _ -> bucket()).tryConsumeAndReturnRemaining(1);
        return probe.isConsumed()
                ? refused
                : AuthErrors.later(
                        AuthFailure.TOO_MANY,
                        "Too many failed authentications from your address.",
                        "Correct the credentials before you try again.",
                        Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    private Bucket bucket() {
        return Bucket.builder()
                .addLimit(Bandwidth.builder()
                        .capacity(perMinute)
                        .refillGreedy(perMinute, Duration.ofMinutes(1))
                        .build())
                .withCustomTimePrecision(time)
                .build();
    }

    private static String network(String address) {
        InetAddress literal;
        try {
            literal = InetAddress.ofLiteral(address);
        } catch (IllegalArgumentException _) {
            return address;
        }
        return literal instanceof Inet6Address
                ? HexFormat.of().formatHex(Arrays.copyOf(literal.getAddress(), NETWORK_BYTES))
                : address;
    }
}
