package switchboard.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.util.X509CertUtils;
import io.vertx.core.Future;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the sender of a token is the client that it was issued to, as the claim {@code cnf} says (RFC 7800): by a key
 * ({@code jkt}, RFC 9449) or a certificate ({@code x5t#S256}, RFC 8705). If it names both, both are checked. A token that is
 * bound in any other way is refused. Thread-safe.
 */
final class TokenConfirmation {
    private static final String KEY = "jkt";
    private static final String CERTIFICATE = "x5t#S256";
    private static final Set<String> KNOWN = Set.of(KEY, CERTIFICATE);
    private static final String AS_DPOP =
            "Send it as \"Authorization: DPoP <token>\", with a proof in the header DPoP.";

    private final ProtectedResource resource;
    private final AuthErrors errors;
    private final DpopProofs proofs;

    TokenConfirmation(ProtectedResource resource, DpopProofs proofs) {
        this.resource = resource;
        this.errors = new AuthErrors(resource);
        this.proofs = proofs;
    }

    /**
     * Checks the claims {@code claims} of a token with a valid signature.
     *
     * @param bearer the id of the caller that the token is about
     * @return the problem, if there is one. Never fails.
     */
    Future<Optional<AuthOutcome.Rejected>> problem(JsonNode claims, ShownToken token, String bearer) {
        JsonNode cnf = claims.path("cnf");
        Optional<AuthOutcome.Rejected> problem = claims.has("cnf") && !known(cnf)
                ? refused(
                        token,
                        "The access token is bound to its client in a way that can't be checked here (cnf).",
                        "Get one that is bound by cnf.jkt or by cnf.x5t#S256.")
                : scheme(cnf, token).or(() -> required(cnf, token)).or(() -> certificate(cnf, token));
        return problem.isPresent() || !cnf.has(KEY)
                ? Future.succeededFuture(problem)
                : proofs.problem(token, cnf.path(KEY).asText(), bearer, resource);
    }

    private static boolean known(JsonNode cnf) {
        return cnf.isObject()
                && !cnf.isEmpty()
                && cnf.propertyStream()
                        .allMatch(method -> KNOWN.contains(method.getKey())
                                && method.getValue().isTextual());
    }

    private Optional<AuthOutcome.Rejected> scheme(JsonNode cnf, ShownToken token) {
        return switch (token.scheme()) {
            case BEARER ->
                cnf.has(KEY)
                        ? refused(
                                token, "The access token is bound to a key (cnf.jkt) and was sent as Bearer.", AS_DPOP)
                        : Optional.empty();
            case DPOP ->
                cnf.has(KEY)
                        ? Optional.empty()
                        : refused(
                                token,
                                "The access token is not bound to a key (cnf.jkt) and was sent as DPoP.",
                                "Request it with a DPoP proof.");
        };
    }

    private Optional<AuthOutcome.Rejected> required(JsonNode cnf, ShownToken token) {
        return switch (resource.binding().required()) {
            case OPTIONAL -> Optional.empty();
            case BOUND ->
                cnf.isEmpty()
                        ? refused(
                                token,
                                "The access token is not bound to its client (cnf).",
                                resource.binding().certificates()
                                        ? "Request it with a DPoP proof, or over TLS with your certificate."
                                        : "Request it with a DPoP proof.")
                        : Optional.empty();
            case DPOP ->
                cnf.has(KEY)
                        ? Optional.empty()
                        : refused(
                                token,
                                "The access token is not bound to a key (cnf.jkt).",
                                "Request it with a DPoP proof.");
        };
    }

    private Optional<AuthOutcome.Rejected> certificate(JsonNode cnf, ShownToken token) {
        if (!cnf.has(CERTIFICATE)
                || fits(token.possession().certificate(), cnf.path(CERTIFICATE).asText())) {
            return Optional.empty();
        }
        return resource.binding().certificates()
                ? refused(
                        token,
                        "The access token is bound to another certificate (cnf.x5t#S256) than that of this connection.",
                        "Connect with the certificate that you requested the token with, without a proxy that ends TLS.")
                : refused(
                        token,
                        "The access token is bound to a certificate (cnf.x5t#S256), and this server asks for none.",
                        "Get one that is bound to a key (DPoP)"
                                + (resource.binding().required() == TokenBinding.Required.OPTIONAL
                                        ? " or to nothing"
                                        : "")
                                + ", or ask the operator to set server.tls.clientAuthorities.");
    }

    private static boolean fits(@Nullable X509Certificate certificate, String thumbprint) {
        return certificate != null
                && Thumbprint.same(
                        X509CertUtils.computeSHA256Thumbprint(certificate).toString(), thumbprint);
    }

    private Optional<AuthOutcome.Rejected> refused(ShownToken token, String message, String fix) {
        return Optional.of(errors.refuse(AuthFailure.TOKEN_BINDING, token, message, fix));
    }
}
