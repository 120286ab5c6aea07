package switchboard.auth;

import java.util.Locale;

/**
 * Why credentials were rejected: the HTTP status, and the codes for callers' programs and for metrics. Type and code
 * for keys equal those of Meilisearch's own server.
 */
public enum AuthFailure {
    /** No credentials were sent. */
    MISSING(401, Type.REQUIRED, "missing_authorization_header"),
    /** A scheme other than {@code Bearer}, or {@code DPoP} where access tokens are accepted. */
    UNSUPPORTED(401, Type.REQUIRED, "unsupported_authorization_scheme"),
    /** Two headers with different credentials, or one header twice. */
    AMBIGUOUS(400, Type.INVALID, "ambiguous_credentials"),
    /** Neither a known key nor a token. */
    INVALID(401, Type.FAILED, "invalid_api_key"),
    /** The key has expired. */
    EXPIRED(401, Type.FAILED, "invalid_api_key"),
    /** Not a signed JWT of the accepted form. */
    TOKEN_MALFORMED(401, Type.FAILED, "invalid_token"),
    /** The token's signature algorithm is not allowed. */
    TOKEN_ALGORITHM(401, Type.FAILED, "invalid_token"),
    /** The token's issuer is not configured. */
    TOKEN_ISSUER(401, Type.FAILED, "invalid_token"),
    /** The token is signed with a key that its issuer does not publish. */
    TOKEN_KEY(401, Type.FAILED, "invalid_token"),
    /** The token's signature is wrong. */
    TOKEN_SIGNATURE(401, Type.FAILED, "invalid_token"),
    /** The token has expired, or has no expiry. */
    TOKEN_EXPIRED(401, Type.FAILED, "invalid_token"),
    /** The token is not valid yet. */
    TOKEN_EARLY(401, Type.FAILED, "invalid_token"),
    /** The token is meant for another server (RFC 8707). */
    TOKEN_AUDIENCE(401, Type.FAILED, "invalid_token"),
    /** The token is bound to another key or certificate (RFC 7800), or to none although it must be. */
    TOKEN_BINDING(401, Type.FAILED, "invalid_token"),
    /** The token has {@code authorization_details} (RFC 9396), and no scopes are configured that would limit it. */
    TOKEN_DETAILS(401, Type.FAILED, "invalid_token"),
    /** A token that is bound to a key came without a DPoP proof (RFC 9449), or with several. */
    PROOF_MISSING(401, Type.FAILED, "invalid_dpop_proof"),
    /** The DPoP proof is not one, or is for another request. */
    PROOF_WRONG(401, Type.FAILED, "invalid_dpop_proof"),
    /** The DPoP proof was used before. */
    PROOF_REPLAYED(401, Type.FAILED, "invalid_dpop_proof"),
    /** So many DPoP proofs were used in the last minute that no more can be remembered. */
    PROOF_UNCHECKED(503, Type.UNAVAILABLE, "too_many_proofs"),
    /** A valid token whose bearer belongs to no team, or to several. */
    TOKEN_TEAM(403, Type.UNAUTHORIZED, "no_team"),
    /** The token can't be verified because its issuer's keys are not available now. */
    TOKEN_UNCHECKED(503, Type.UNAVAILABLE, "issuer_unavailable"),
    /** The gateway does not know yet which keys are revoked. */
    NOT_READY(503, Type.UNAVAILABLE, "not_ready"),
    /** Too many failures from the same address. */
    TOO_MANY(429, Type.FAILED, "too_many_failures");

    private final int status;
    private final Type type;
    private final String code;

    AuthFailure(int status, Type type, String code) {
        this.status = status;
        this.type = type;
        this.code = code;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The type of failure, for programs: one of a few words. */
    public String type() {
        return type.word;
    }

    /** The code of the failure, as far as callers may know. */
    public String code() {
        return code;
    }

    /** The exact failure, for metrics and the operator's logs. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    private enum Type {
        REQUIRED("authentication_required"),
        INVALID("invalid_request"),
        FAILED("authentication_failed"),
        UNAUTHORIZED("unauthorized"),
        UNAVAILABLE("unavailable");

        private final String word;

        Type(String word) {
            this.word = word;
        }
    }
}
