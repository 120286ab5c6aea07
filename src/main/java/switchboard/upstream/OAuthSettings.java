package switchboard.upstream;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import switchboard.config.ConfidentialUrl;
import switchboard.config.Default;
import switchboard.config.Doc;
import switchboard.config.Secret;

/** The section {@code oauth}: tokens of an authorization server for the requests to another server. */
public record OAuthSettings(
        @Doc("The URL of its token endpoint.") URI tokenUrl,

        @Doc("The gateway's client id.") String clientId,
        @Doc("The gateway's client secret.") Secret clientSecret,

        @Default("gateway")
        @Doc(
                "Who the server is called as. `gateway`: all callers are the gateway's client. `caller`: each call has a token that"
                        + " the authorization server gives in exchange (RFC 8693) for the caller's access token, which itself is never"
                        + " passed on; callers without an access token are refused.")
        CalledAs as,

        @Doc("The scope to request, if any.") @Nullable String scope,

        @Doc("The audience that the token is for, as the authorization server names it, if it wants that.") @Nullable
        String audience,

        @Doc("The resource (RFC 8707) that the token is for; by default the server's `url`, or none with `audience`.")
        @Nullable
        URI resource,

        @Doc(
                "With `as: gateway`: a token to exchange (RFC 8693) for one of the server's, instead of the client's own credentials"
                        + " alone. Never a caller's token.")
        @Nullable
        Secret subjectToken,

        @Doc(
                "With `as: caller`: the issuers (`iss`) whose tokens may be sent to `tokenUrl`; by default those with the same scheme, host"
                        + " and port.")
        List<String> issuers,

        @Doc(
                "With `as: caller`: the page on which people agree that the gateway acts for them, an https URL. They are sent there when"
                        + " the authorization server says that this is missing, and to the page that it names if there is none here.")
        @Nullable
        URI consentUrl) {
    public OAuthSettings {
        issuers = List.copyOf(issuers);
        switch (as) {
            case GATEWAY -> {
                if (!issuers.isEmpty() || consentUrl != null) {
                    throw new IllegalArgumentException("issuers and consentUrl are for as: caller");
                }
            }
            case CALLER -> {
                if (subjectToken != null) {
                    throw new IllegalArgumentException(
                            "subjectToken is for as: gateway; with as: caller the caller's own"
                                    + " token is exchanged");
                }
                if (!ConfidentialUrl.is(tokenUrl)) {
                    throw new IllegalArgumentException(
                            "tokenUrl gets the callers' tokens, so it must be an https URL, or http on this machine");
                }
                if (consentUrl != null && !ConfidentialUrl.is(consentUrl)) {
                    throw new IllegalArgumentException("consentUrl must be an https URL, or http on this machine");
                }
            }
        }
    }

    /** Who a server is called as. */
    public enum CalledAs {
        GATEWAY,
        CALLER
    }

    /** Whether a token of {@code issuer} may be sent to the token endpoint. */
    boolean trusts(String issuer) {
        if (!issuers.isEmpty()) {
            return issuers.contains(issuer);
        }
        try {
            return origin(URI.create(issuer)).equals(origin(tokenUrl));
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static String origin(URI url) {
        String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        int port = url.getPort() < 0 ? scheme.equals("https") ? 443 : 80 : url.getPort();
        return scheme + "://" + String.valueOf(url.getHost()).toLowerCase(Locale.ROOT) + ":" + port;
    }
}
