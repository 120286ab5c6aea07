package switchboard.auth;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one issuer. They are loaded on first use, and again when they are old or a token names an unknown key,
 * at most once in {@link #PAUSE}, however many such tokens come. While the issuer can't be reached, the last keys are
 * used for some time. Thread-safe.
 */
public final class IssuerKeys {
    /** The minimum time between two attempts to load the keys. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

    private final Vertx vertx;
    private final String issuer;
    private final JwksSource source;
    private final Trust trust;
    private final Clock clock;
    private @Nullable LoadedKeys loaded;
    private @Nullable Instant attempted;
    private @Nullable Future<VerifyingKeys> running;

    private record LoadedKeys(VerifyingKeys keys, Instant at) {}

    /**
     * How long keys are used.
     *
     * @param algorithms the allowed signature algorithms (RFC 7518)
     * @param refresh interval of loading them again
     * @param outage how long they are used if that fails
     */
    public record Trust(Set<String> algorithms, Duration refresh, Duration outage) {
        public Trust {
            algorithms = Set.copyOf(algorithms);
        }
    }

    /** The keys of the issuer, which logs call {@code issuer}. Nothing is loaded yet. */
    public IssuerKeys(Vertx vertx, String issuer, JwksSource source, Trust trust, Clock clock) {
        this.vertx = vertx;
        this.issuer = issuer;
        this.source = source;
        this.trust = trust;
        this.clock = clock;
    }

    /**
     * The keys that should include one for {@code algorithm} and {@code kid}.
     *
     * @return fails if there are no usable keys. Completes on any thread.
     */
    synchronized Future<VerifyingKeys> forKey(String algorithm, @Nullable String kid) {
        Instant now = clock.instant();
        LoadedKeys last = loaded;
        if (last == null || !now.isBefore(last.at().plus(trust.outage()))) {
            return read(now);
        }
        boolean known = last.keys().has(algorithm, kid);
        if (known && now.isBefore(last.at().plus(trust.refresh()))) {
            return Future.succeededFuture(last.keys());
        }
        Future<VerifyingKeys> fresh = read(now);
        return known ? Future.succeededFuture(last.keys()) : fresh.otherwise(last.keys());
    }

    /** Loads the keys now, unless that is under way. */
    public synchronized void refresh() {
        attempted = null;
        read(clock.instant());
    }

    private Future<VerifyingKeys> read(Instant now) {
        if (running != null) {
            return running;
        }
        if (attempted != null && now.isBefore(attempted.plus(PAUSE))) {
            return Future.failedFuture(new IllegalStateException("the keys could not be read a moment ago"));
        }
        attempted = now;
        Future<VerifyingKeys> reading =
                source.read().map(document -> VerifyingKeys.of(vertx, document, trust.algorithms()));
        running = reading;
        reading.onComplete(keys -> done(keys, now), failure -> failed(failure));
        return reading;
    }

    private synchronized void done(VerifyingKeys keys, Instant at) {
        running = null;
        loaded = new LoadedKeys(keys, at);
    }

    private synchronized void failed(Throwable failure) {
        running = null;
        LOG.warn(
                "can't read the keys of issuer {}; {}: {}",
                issuer,
                loaded == null ? "its tokens are refused until that works" : "those of before are still used",
                failure.toString());
    }
}
