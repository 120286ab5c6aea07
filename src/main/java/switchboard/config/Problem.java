package switchboard.config;

/**
 * Something that keeps a configuration from being used.
 *
 * @param where {@code file:line}, the name of a flag, or a key
 * @param message what is wrong and what would be right
 */
public record Problem(String where, String message) {
    @Override
    public String toString() {
        return where + ": " + message;
    }
}
