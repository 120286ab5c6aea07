package switchboard.auth;

/**
 * How access tokens are bound to the clients that they were issued to (RFC 7800), so that a stolen one is of no use.
 *
 * @param required which tokens are accepted
 * @param certificates whether the server asks clients for certificates, to which tokens can be bound (RFC 8705)
 */
public record TokenBinding(Required required, boolean certificates) {
    /** Tokens need not be bound; clients are not asked for certificates. */
    public static final TokenBinding OPTIONAL = new TokenBinding(Required.OPTIONAL, false);

    /** Which tokens are accepted. */
    public enum Required {
        /** All; bound ones only from their clients. */
        OPTIONAL,
        /** Those that are bound to a key or a certificate. */
        BOUND,
        /** Those that are bound to a key, by DPoP. */
        DPOP
    }
}
