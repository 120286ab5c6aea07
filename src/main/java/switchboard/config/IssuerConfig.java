package switchboard.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An issuer of access tokens. */
public record IssuerConfig(
        @Doc("Its identifier: the `iss` of its tokens, exactly.")
        String issuer,

        @Doc("The URL of its keys (a JWK set); https, except on this machine.") @Nullable
        URI jwks,

        @Doc("Or a file with them, relative to this file's folder.") @Nullable
        Path jwksFile,

        @Default("10m")
        @AllowedRange(min = "30s", max = "1d")
        @Doc(
                "Interval at which keys are loaded again. A token with an unknown key loads them at once, at most twice in 30 s.")
        Duration refresh,

        @Default("1d")
        @AllowedRange(min = "1m", max = "30d")
        @Doc("How long known keys are used while the issuer can't be reached.")
        Duration outage,

        @Doc(
                "Audiences accepted in addition to `server.publicUrl` and the view's own URL, for issuers that can't use those.")
        Set<String> audiences,

        @Doc("The team of all bearers of this issuer's tokens.") @Nullable
        String team,

        @Doc("Or the claim that says which team: its name, or a JSON pointer such as `/realm/groups`.") @Nullable
        String teamClaim,

        @Doc("The team for each value of that claim. If it is missing, the values are names of teams.")
        Map<String, String> teams,

        @Default("scope") @Doc("The claim with the scopes: its name, or a JSON pointer.")
        String scopeClaim,

        @Doc("The claims that backends may see, such as `department`: names, or JSON pointers. Teams'"
                + " `bindings` use them as `{claim:<name>}`, declared queries of PostgreSQL with `from: claim:<name>`."
                + " Nothing else of a token is passed on.")
        Set<String> carry) {
    public IssuerConfig {
        carry = Set.copyOf(carry);
        audiences = Set.copyOf(audiences);
        teams = Map.copyOf(teams);
        if ((jwks == null) == (jwksFile == null)) {
            throw new IllegalArgumentException("issuer " + issuer + " needs jwks or jwksFile, and not both");
        }
        if ((team == null) == (teamClaim == null)) {
            throw new IllegalArgumentException("issuer " + issuer + " needs team or teamClaim, and not both");
        }
        if (team != null && !teams.isEmpty()) {
            throw new IllegalArgumentException(
                    "issuer " + issuer + ": teams needs teamClaim and can't be used with team");
        }
        if (jwks != null
                && !"https".equalsIgnoreCase(jwks.getScheme())
                && !("http".equalsIgnoreCase(jwks.getScheme()) && ConfigChecks.isLoopback(jwks.getHost()))) {
            throw new IllegalArgumentException("issuer " + issuer + ": jwks must be an https URL");
        }
    }

    /** The same, with its file path resolved against {@code folder}. */
    IssuerConfig in(Path folder) {
        return jwksFile == null
                ? this
                : new IssuerConfig(
                        issuer,
                        jwks,
                        folder.resolve(jwksFile),
                        refresh,
                        outage,
                        audiences,
                        team,
                        teamClaim,
                        teams,
                        scopeClaim,
                        carry);
    }
}
