package switchboard.auth;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks DPoP proofs of requests with a token that is bound to a key (RFC 9449 sections 4.3 and 7). Nonces are not used.
 * Thread-safe.
 */
public final class DpopProofs {
    /** How far in the future a proof may be issued. */
    private static final Duration AHEAD = Duration.ofSeconds(10);

    private static final int LONGEST_ID = 256;
    private static final int MOST_SEEN = 100_000;
    private static final int MOST_SEEN_OF_BEARER = 10_000;
    private static final String NEW_PROOF = "Make a new DPoP proof for each request (RFC 9449 section 4.2).";

    private final Vertx vertx;
    private final Clock clock;
    private final Duration age;
    private final SeenProofs seen;

    /**
     * Accepts proofs for {@code age} after they were issued; each of them once.
     *
     * @param clock shows when that is
     */
    public DpopProofs(Vertx vertx, Clock clock, Duration age) {
        this(vertx, clock, age, new SeenProofs(MOST_SEEN, MOST_SEEN_OF_BEARER));
    }

    DpopProofs(Vertx vertx, Clock clock, Duration age, SeenProofs seen) {
        this.vertx = vertx;
        this.clock = clock;
        this.age = age;
        this.seen = seen;
    }

    /**
     * Checks the proof of the request that shows {@code token}, an accepted token. The signature of a proof is only verified
     * if the issuer of the token has named its key.
     *
     * @param thumbprint that of the key to which the token is bound
     * @param bearer whom the token is about: one may use a part of the memory for proofs, with whichever keys
     * @return the problem, if there is one. Never fails.
     */
    Future<Optional<AuthOutcome.Rejected>> problem(
            ShownToken token, String thumbprint, String bearer, ProtectedResource resource) {
        AuthErrors errors = new AuthErrors(resource);
        List<String> sent = token.possession().proofs();
        if (sent.size() != 1) {
            return found(errors.refuse(
                    AuthFailure.PROOF_MISSING,
                    token,
                    "The access token is bound to a key, so its request needs exactly one DPoP header; this one has "
                            + sent.size() + ".",
                    NEW_PROOF));
        }
        Optional<DpopProof> read = DpopProof.read(sent.getFirst());
        if (read.isEmpty()) {
            return found(wrong(
                    errors,
                    token,
                    "The DPoP header is not a proof: a JWT of the type dpop+jwt with its public key (jwk), signed with one of "
                            + String.join(", ", DpopProof.ALGORITHMS) + "."));
        }
        DpopProof proof = read.get();
        if (!Thumbprint.same(thumbprint, proof.thumbprint())) {
            return found(errors.refuse(
                    AuthFailure.TOKEN_BINDING,
                    token,
                    "The access token is bound to another key than that of the DPoP proof.",
                    "Sign the proof with the key that you requested the token with."));
        }
        return proof.verify(vertx)
                .compose(
                        _ -> Future.succeededFuture(claims(errors, token, proof, bearer, resource)),
                        _ -> found(wrong(errors, token, "The signature of the DPoP proof is wrong.")));
    }

    private Optional<AuthOutcome.Rejected> claims(
            AuthErrors errors, ShownToken token, DpopProof proof, String bearer, ProtectedResource resource) {
        Instant now = clock.instant();
        JsonNode claims = proof.jwt().claims();
        Instant issued = UnverifiedJwt.instant(claims.get("iat"));
        if (issued == null
                || issued.isAfter(now.plus(AHEAD))
                || issued.plus(age).isBefore(now)) {
            return Optional.of(wrong(
                    errors,
                    token,
                    "The DPoP proof was not made in the last " + age.toSeconds() + " s (iat); it is " + now
                            + " here."));
        }
        return request(token, claims, resource, now)
                .map(message -> wrong(errors, token, message))
                .or(() -> used(errors, token, proof, bearer, now, issued.plus(age)));
    }

    /** What the claims {@code claims} have that does not fit the request. */
    private static Optional<String> request(
            ShownToken token, JsonNode claims, ProtectedResource resource, Instant now) {
        String method = token.possession().method();
        if (!method.equals(text(claims, "htm"))) {
            return Optional.of("The DPoP proof is not for the method " + method + " (htm).");
        }
        Optional<String> target = resource.target(token.possession().path());
        Optional<String> named = Optional.ofNullable(text(claims, "htu")).flatMap(TargetUri::normalized);
        if (target.isEmpty() || !target.equals(named)) {
            return Optional.of("The DPoP proof is not for " + target.orElse("this URL") + " (htu).");
        }
        String hash = text(claims, "ath");
        if (hash == null || !Thumbprint.same(Thumbprint.of(token.text()), hash)) {
            return Optional.of("The DPoP proof is not for this access token (ath).");
        }
        String id = text(claims, "jti");
        if (id == null || id.isEmpty() || id.length() > LONGEST_ID) {
            return Optional.of(
                    "The DPoP proof needs an identifier of 1 to " + LONGEST_ID + " characters of its own (jti).");
        }
        boolean over = claims.has("exp") && !now.isBefore(time(claims, "exp"));
        boolean early = claims.has("nbf") && time(claims, "nbf").isAfter(now.plus(AHEAD));
        return over || early
                ? Optional.of("The DPoP proof has expired, or is not valid yet (exp, nbf).")
                : Optional.empty();
    }

    private Optional<AuthOutcome.Rejected> used(
            AuthErrors errors, ShownToken token, DpopProof proof, String bearer, Instant now, Instant until) {
        String id = proof.jwt().claims().path("jti").asText();
        return switch (seen.use(bearer, proof.thumbprint() + " " + id, now, until)) {
            case NEW -> Optional.empty();
            case BEFORE ->
                Optional.of(errors.refuse(
                        AuthFailure.PROOF_REPLAYED, token, "The DPoP proof was used before (jti).", NEW_PROOF));
            case NO_ROOM ->
                Optional.of(AuthErrors.later(
                        AuthFailure.PROOF_UNCHECKED,
                        "More requests with DPoP proofs have come than can be remembered, in all or with your tokens.",
                        "Try again later, with fewer requests.",
                        Duration.ofSeconds(1)));
        };
    }

    private static AuthOutcome.Rejected wrong(AuthErrors errors, ShownToken token, String message) {
        return errors.refuse(AuthFailure.PROOF_WRONG, token, message, NEW_PROOF);
    }

    private static Future<Optional<AuthOutcome.Rejected>> found(AuthOutcome.Rejected problem) {
        return Future.succeededFuture(Optional.of(problem));
    }

    private static @Nullable String text(JsonNode claims, String name) {
        JsonNode value = claims.path(name);
        return value.isTextual() ? value.asText() : null;
    }

    /** A time that is a number, but perhaps no NumericDate: then one at which the proof is not valid. */
    private static Instant time(JsonNode claims, String name) {
        Instant when = UnverifiedJwt.instant(claims.get(name));
        return when != null ? when : name.equals("exp") ? Instant.MIN : Instant.MAX;
    }
}
