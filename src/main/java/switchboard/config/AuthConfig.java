package switchboard.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Who may call. */
public record AuthConfig(
        @Default("none")
        @Doc("`none`: every caller may do everything; accepted on a loopback address only. `keys`: callers show an API"
                + " key of a team in the teams file, or an access token.")
        Mode mode,

        @Default("teams.yaml") @Doc("The teams, relative to this file's folder; read again when it changes.")
        Path teamsFile,

        @Doc("Callers without a key, where `mode` is `keys`.")
        AnonymousConfig anonymous,

        @Doc("OAuth access tokens, accepted beside keys where `mode` is `keys`.")
        TokensConfig tokens,

        @Default("60")
        @AllowedRange(min = "1", max = "100000")
        @Doc("Failed authentications from one address in a minute, after which further ones are answered 429.")
        int failuresPerMinute) {
    /** How callers are told apart. */
    public enum Mode {
        /** They are not. */
        NONE,
        /** By API keys. */
        KEYS
    }

    /** The same with the files it names found from {@code folder}. */
    AuthConfig in(Path folder) {
        Map<String, IssuerConfig> found = new LinkedHashMap<>();
        tokens.issuers().forEach((name, issuer) -> found.put(name, issuer.in(folder)));
        TokensConfig here =
                new TokensConfig(found, tokens.algorithms(), tokens.clockSkew(), tokens.scopes(), tokens.baseScopes());
        return new AuthConfig(mode, folder.resolve(teamsFile), anonymous, here, failuresPerMinute);
    }
}
