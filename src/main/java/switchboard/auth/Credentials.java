package switchboard.auth;

import org.jspecify.annotations.Nullable;

/**
 * What a caller showed to prove who it is, as it came. The values are secrets: they are in no log and not in {@link
 * #toString()}.
 *
 * @param authorization the {@code Authorization} header, or null
 * @param apiKey the {@code X-API-Key} header, or null
 */
public record Credentials(
        @Nullable String authorization, @Nullable String apiKey) {
    /** Nothing shown. */
    public static final Credentials NONE = new Credentials(null, null);

    /** Which of the two there are, never their values. */
    @Override
    public String toString() {
        return "Credentials[authorization=" + (authorization == null ? "absent" : "present") + ", apiKey="
                + (apiKey == null ? "absent" : "present") + "]";
    }
}
