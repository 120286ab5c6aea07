package switchboard.backend;

/**
 * Whether a backend's engine answers.
 *
 * @param ok whether it does
 * @param detail what it said about itself, or what is wrong; safe to show to operators
 */
public record Health(boolean ok, String detail) {
    /** It answers. */
    public static Health up() {
        return new Health(true, "up");
    }

    /** It does not, because of {@code reason}. */
    public static Health down(String reason) {
        return new Health(false, reason);
    }
}
