package switchboard.config;

import java.nio.file.Path;

/** Who may call. */
public record AuthConfig(
        @Default("none")
        @Doc("`none`: every caller may do everything; accepted on a loopback address only. `keys`: callers show an API"
                + " key of a team in the teams file.")
        Mode mode,

        @Default("teams.yaml") @Doc("The teams, relative to this file's folder; read again when it changes.")
        Path teamsFile,

        @Doc("Callers without a key, where `mode` is `keys`.")
        AnonymousConfig anonymous) {
    /** How callers are told apart. */
    public enum Mode {
        /** They are not. */
        NONE,
        /** By API keys. */
        KEYS
    }
}
