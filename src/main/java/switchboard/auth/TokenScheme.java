package switchboard.auth;

/** How an access token is sent: a scheme of {@code Authorization}. */
public enum TokenScheme {
    /** Whoever has the token may use it (RFC 6750), unless it is bound to a certificate (RFC 8705). */
    BEARER("Bearer"),
    /** With a proof that the sender has the key that it is bound to (RFC 9449). */
    DPOP("DPoP");

    private final String word;

    TokenScheme(String word) {
        this.word = word;
    }

    /** Its name in headers, which is compared without case (RFC 9110 section 11.1). */
    String word() {
        return word;
    }
}
