package switchboard.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Settings for authentication. */
public record AuthConfig(
        @Default("none")
        @Doc("`none`: every caller may do everything; allowed on a loopback address only. `keys`: callers send an API"
                + " key of a team in the teams file, or an access token.")
        Mode mode,

        @Default("teams.yaml") @Doc("The teams file, relative to this file's folder; reloaded when it changes.")
        Path teamsFile,

        @Doc("Callers without a key, if `mode` is `keys`.") AnonymousConfig anonymous,

        @Doc("OAuth access tokens, accepted in addition to keys if `mode` is `keys`.")
        TokensConfig tokens,

        @Default("60")
        @AllowedRange(min = "1", max = "100000")
        @Doc("Failed authentications allowed from one address per minute; further ones are answered 429.")
        int failuresPerMinute) {
    /** How callers are authenticated. */
    public enum Mode {
        /** Callers need no credentials. */
        NONE,
        /** By API keys. */
        KEYS
    }

    /** The same, with relative file paths resolved against {@code folder}. */
    AuthConfig in(Path folder) {
        Map<String, IssuerConfig> found = new LinkedHashMap<>();
        tokens.issuers().forEach((name, issuer) -> found.put(name, issuer.in(folder)));
        TokensConfig here = new TokensConfig(
                found,
                tokens.algorithms(),
                tokens.clockSkew(),
                tokens.scopes(),
                tokens.baseScopes(),
                tokens.binding(),
                tokens.proofAge());
        return new AuthConfig(mode, folder.resolve(teamsFile), anonymous, here, failuresPerMinute);
    }
}
