package switchboard.auth;

import java.net.URI;
import java.util.Collection;

/** Values of {@code WWW-Authenticate}: RFC 6750 section 3 and RFC 9449 section 7.1, with the parameters of RFC 9728 section 5.1. */
final class WwwAuthenticate {
    private static final String KEYS = "Bearer realm=\"switchboard\"";

    private WwwAuthenticate() {}

    /** For a gateway that accepts keys only. {@code error} is an error code of RFC 6750, or empty. */
    static String keys(String error) {
        return error.isEmpty() ? KEYS : KEYS + ", error=\"" + error + "\"";
    }

    /** For a gateway that accepts tokens: the URL of the metadata, and the scopes to request first. */
    static String tokens(URI metadata, Collection<String> scopes, String error) {
        return "Bearer " + how(metadata, scopes) + (error.isEmpty() ? "" : ", error=\"" + error + "\"");
    }

    /** The challenge beside it: tokens that are bound to a key are accepted with proofs. */
    static String proofs(String error) {
        return "DPoP " + (error.isEmpty() ? "" : "error=\"" + error + "\", ") + "algs=\""
                + String.join(" ", DpopProof.ALGORITHMS) + "\"";
    }

    /** The only challenge of a gateway that accepts no other tokens. */
    static String proofsOnly(URI metadata, Collection<String> scopes, String error) {
        return proofs(error) + ", " + how(metadata, scopes);
    }

    private static String how(URI metadata, Collection<String> scopes) {
        return "resource_metadata=\"" + metadata + "\""
                + (scopes.isEmpty() ? "" : ", scope=\"" + String.join(" ", scopes) + "\"");
    }

    /** For a valid token with too few scopes: all the scopes that the operation needs. */
    static String insufficientScope(TokenGrant token, Collection<String> scopes) {
        return token.scheme().word() + " error=\"insufficient_scope\", scope=\"" + String.join(" ", scopes)
                + "\", resource_metadata=\""
                + token.metadata()
                + "\", error_description=\"The access token does not have all scopes that this call needs.\"";
    }
}
