package switchboard.config;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sign-in to the console with OpenID Connect: authorization code flow with PKCE. */
public record OpenIdConfig(
        @Doc(
                "The name of one of `auth.tokens.issuers`, whose `issuer` has `/.well-known/openid-configuration`. Its rules"
                        + " give the team of a person by the claims of the ID token.")
        String issuer,

        @Doc(
                "The client that is registered there for the console, with the redirect URI `<URL of the console>/openid`.")
        String clientId,

        @Nullable @Doc("Its secret, if it has one.") Secret clientSecret,

        @Doc(
                "The scopes to ask for; `openid` is always one of them. With `auth.tokens.scopes`, those that the issuer grants limit what a person may do.")
        List<String> scopes) {
    private static final String OPENID = "openid";

    public OpenIdConfig {
        scopes = scopes.contains(OPENID)
                ? List.copyOf(scopes)
                : Stream.concat(Stream.of(OPENID), scopes.stream()).toList();
    }
}
