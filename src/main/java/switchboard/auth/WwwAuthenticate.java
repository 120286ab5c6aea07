package switchboard.auth;

import java.net.URI;
import java.util.Collection;

/** Values of {@code WWW-Authenticate}: RFC 6750 section 3, with the parameters of RFC 9728 section 5.1. */
final class WwwAuthenticate {
    private static final String KEYS = "Bearer realm=\"switchboard\"";

    private WwwAuthenticate() {}

    /** For a gateway that knows keys only; {@code error} is an error code of RFC 6750, or empty. */
    static String keys(String error) {
        return error.isEmpty() ? KEYS : KEYS + ", error=\"" + error + "\"";
    }

    /** For a gateway that accepts tokens: where to learn who issues them, and which scopes to begin with. */
    static String tokens(URI metadata, Collection<String> scopes, String error) {
        return "Bearer resource_metadata=\"" + metadata + "\""
                + (scopes.isEmpty() ? "" : ", scope=\"" + String.join(" ", scopes) + "\"")
                + (error.isEmpty() ? "" : ", error=\"" + error + "\"");
    }

    /** For a good token with too little in it: all the scopes that the operation needs. */
    static String insufficientScope(URI metadata, Collection<String> scopes) {
        return "Bearer error=\"insufficient_scope\", scope=\"" + String.join(" ", scopes) + "\", resource_metadata=\""
                + metadata + "\", error_description=\"The access token does not carry every scope this call needs.\"";
    }
}
