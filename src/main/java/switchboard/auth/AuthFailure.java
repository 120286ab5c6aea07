package switchboard.auth;

import java.util.Locale;

/**
 * Why credentials were refused: the HTTP status, and the words that callers' programs and metrics go by. Type and code
 * of keys are those that callers of Meilisearch's own server know.
 */
public enum AuthFailure {
    /** Nothing was shown. */
    MISSING(401, Type.REQUIRED, "missing_authorization_header"),
    /** Another scheme than {@code Bearer}. */
    UNSUPPORTED(401, Type.REQUIRED, "unsupported_authorization_scheme"),
    /** Two headers that show different things, or one twice. */
    AMBIGUOUS(400, Type.INVALID, "ambiguous_credentials"),
    /** Neither a known key nor a token. */
    INVALID(401, Type.FAILED, "invalid_api_key"),
    /** A key past its time. */
    EXPIRED(401, Type.FAILED, "invalid_api_key"),
    /** A token that is not a signed JWT of the form that is accepted. */
    TOKEN_MALFORMED(401, Type.FAILED, "invalid_token"),
    /** A token signed with an algorithm that is not allowed. */
    TOKEN_ALGORITHM(401, Type.FAILED, "invalid_token"),
    /** A token of an issuer that is not configured. */
    TOKEN_ISSUER(401, Type.FAILED, "invalid_token"),
    /** A token signed with a key that its issuer does not publish. */
    TOKEN_KEY(401, Type.FAILED, "invalid_token"),
    /** A token whose signature is wrong. */
    TOKEN_SIGNATURE(401, Type.FAILED, "invalid_token"),
    /** A token past its time, or without one. */
    TOKEN_EXPIRED(401, Type.FAILED, "invalid_token"),
    /** A token before its time. */
    TOKEN_EARLY(401, Type.FAILED, "invalid_token"),
    /** A token that is meant for another server (RFC 8707). */
    TOKEN_AUDIENCE(401, Type.FAILED, "invalid_token"),
    /** A good token of somebody who is a member of no team here, or of several. */
    TOKEN_TEAM(403, Type.UNAUTHORIZED, "no_team"),
    /** A token that can't be checked, because its issuer's keys can't be had now. */
    TOKEN_UNCHECKED(503, Type.UNAVAILABLE, "issuer_unavailable"),
    /** Refused as one of too many failures from the same address. */
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

    /** What kind of failure it is, for programs: one word of a handful. */
    public String type() {
        return type.word;
    }

    /** Which failure it is, as far as callers may know. */
    public String code() {
        return code;
    }

    /** Which failure it is, for metrics and logs of the operator. */
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
