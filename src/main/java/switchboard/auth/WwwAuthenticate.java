package switchboard.auth;

import java.net.URI;
import java.util.Collection;

/** Values of {@code WWW-Authenticate}: RFC 6750 section 3, with the parameters of RFC 9728 section 5.1. */
final class WwwAuthenticate {
    private static final String KEYS = "Bearer realm=\"switchboard\"";

    private WwwAuthenticate() {}

    /** For a gateway that accepts keys only. {@code error} is an error code of RFC 6750, or empty. */
    static String keys(String error) {
        return error.isEmpty() ? KEYS : KEYS + ", error=\"" + error + "\"";
    }

    /** For a gateway that accepts tokens: the URL of the metadata, and the scopes to request first. */
    static String tokens(URI metadata, Collection<String> scopes, String error) {
        return "Bearer resource_metadata=\"" + metadata + "\""
                + (scopes.isEmpty() ? "" : ", scope=\"" + String.join(" ", scopes) + "\"")
                + (error.isEmpty() ? "" : ", error=\"" + error + "\"");
    }

    /** For a valid token with too few scopes: all the scopes that the operation needs. */
    static String insufficientScope(URI metadata, Collection<String> scopes) {
        return "Bearer error=\"insufficient_scope\", scope=\"" + String.join(" ", scopes) + "\", resource_metadata=\""
                + metadata
                + "\", error_description=\"The access token does not have all scopes that this call needs.\"";
    }
}
