package switchboard.auth;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetBasedJWKSource;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.concurrent.BlockingExecutor;

/**
 * The keys of one issuer, read when they are first needed and again when they are old or when a token names one that is not
 * among them. Nimbus keeps them, lets at most two reads through in each {@link #PAUSE}, has all who need the same read wait for
 * it, and keeps the keys during an issuer's outage. It blocks, so it runs on an executor; a known key needs no executor. Thread-safe.
 */
public final class IssuerKeys {
    /** How long after two reads the next one may be. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    /** How long is waited for a read that is under way, in milliseconds: a little longer than it may take. */
    private static final long PATIENCE_MS = 6_000;

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

    private final Vertx vertx;
    private final String issuer;
    private final JwksSource source;
    private final Trust trust;
    private final BlockingExecutor executor;
    private final Clock clock;
    private volatile JWKSetSource<SecurityContext> kept;
    private volatile @Nullable LoadedKeys loaded;

    private record LoadedKeys(VerifyingKeys keys, Instant at) {
        boolean has(String algorithm, @Nullable String kid, Instant now, Duration age) {
            return now.isBefore(at.plus(age)) && keys.has(algorithm, kid);
        }
    }

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

    /** The keys of the issuer that logs call {@code issuer}; nothing is read yet. */
    public IssuerKeys(
            Vertx vertx, String issuer, JwksSource source, Trust trust, BlockingExecutor executor, Clock clock) {
        this.vertx = vertx;
        this.issuer = issuer;
        this.source = source;
        this.trust = trust;
        this.executor = executor;
        this.clock = clock;
        this.kept = bounded();
    }

    /** A cache for the key set that is read next. */
    private JWKSetSource<SecurityContext> bounded() {
        return ((JWKSetBasedJWKSource<SecurityContext>) JWKSourceBuilder.create(new JwkSetLoader())
                        .cache(trust.refresh().toMillis(), PATIENCE_MS)
                        .refreshAheadCache(false) // it needs more than 36 s, and reads on threads of its own
                        .rateLimited(Math.min(PAUSE.toMillis(), trust.refresh().toMillis() - 1))
                        .outageTolerant(trust.outage().toMillis())
                        .build())
                .getJWKSetSource();
    }

    /**
     * The keys that should include one for {@code algorithm} and {@code kid}.
     *
     * @return fails if there are none that may be used. Completes on the caller's context.
     */
    Future<VerifyingKeys> forKey(String algorithm, @Nullable String kid) {
        LoadedKeys last = loaded;
        return last != null && last.has(algorithm, kid, clock.instant(), trust.refresh())
                ? Future.succeededFuture(last.keys())
                : executor.run(() -> kept(algorithm, kid));
    }

    /** Reads the keys now, however often they have been read; those of before stay if that fails. */
    public void refresh() {
        executor.run(() -> {
                    JWKSetSource<SecurityContext> next = bounded();
                    JWKSet set = next.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), clock.millis(), null);
                    kept = next;
                    return set;
                })
                .onFailure(failure -> LOG.debug("the keys of issuer {} stay as they are", issuer, failure));
    }

    /** Blocks while they are read. */
    private VerifyingKeys kept(String algorithm, @Nullable String kid) throws KeySourceException {
        JWKSet set = kept.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), clock.millis(), null);
        LoadedKeys last = Objects.requireNonNull(loaded, "a set that is kept has been read");
        if (last.has(algorithm, kid, clock.instant(), trust.outage())) {
            return last.keys();
        }
        try {
            kept.getJWKSet(JWKSetCacheRefreshEvaluator.referenceComparison(set), clock.millis(), null);
            return Objects.requireNonNull(loaded).keys();
        } catch (KeySourceException e) {
            if (clock.instant().isBefore(last.at().plus(trust.outage()))) {
                return last.keys();
            }
            throw e;
        }
    }

    /** Loads the key set for Nimbus when its cached one is too old. */
    private final class JwkSetLoader implements JWKSetSource<SecurityContext> {
        @Override
        public JWKSet getJWKSet(
                JWKSetCacheRefreshEvaluator evaluator, long currentTime, @Nullable SecurityContext context)
                throws KeySourceException {
            try {
                JWKSet set = VerifyingKeys.parse(source.read());
                loaded = new LoadedKeys(VerifyingKeys.of(vertx, set, trust.algorithms()), clock.instant());
                return set;
            } catch (IOException | IllegalArgumentException e) {
                LOG.warn(
                        "can't read the keys of issuer {}; {}: {}",
                        issuer,
                        loaded == null ? "its tokens are refused until this succeeds" : "the previous keys stay in use",
                        e.toString());
                throw new JWKSetUnavailableException("can't read the keys of issuer " + issuer, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JWKSetUnavailableException("the gateway stops", e);
            }
        }

        @Override
        public void close() {}
    }
}
