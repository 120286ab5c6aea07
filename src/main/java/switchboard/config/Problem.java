package switchboard.config;

/**
 * A problem in a configuration.
 *
 * @param where {@code file:line}, the name of an option, or a key
 * @param message what is wrong and what would be right
 */
public record Problem(String where, String message) {
    @Override
    public String toString() {
        return where + ": " + message;
    }
}
