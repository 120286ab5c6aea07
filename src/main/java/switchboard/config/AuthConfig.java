package switchboard.config;

/** Who may call. */
public record AuthConfig(
        @Default("none") @Doc("`none`: every caller may do everything; accepted on a loopback address only.")
        Mode mode) {
    /** How callers are told apart. */
    public enum Mode {
        /** They are not. */
        NONE
    }
}
