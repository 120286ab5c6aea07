package switchboard.auth;

import org.jspecify.annotations.Nullable;

/**
 * What a caller showed to prove who it is, as it came, and where. The values are secrets: they are in no log and not in
 * {@link #toString()}.
 *
 * @param address the address that the request came from, without its port
 * @param view the view that it is for, {@code ""} for the default one; need not exist
 * @param authorization the {@code Authorization} header, or null
 * @param apiKey the {@code X-API-Key} header, or null
 * @param repeated whether one of the two came more than once; what was taken of it is then not known to be what counts
 */
public record Credentials(
        String address,
        String view,
        @Nullable String authorization,
        @Nullable String apiKey,
        boolean repeated) {
    /** What was shown once. */
    public Credentials(String address, String view, @Nullable String authorization, @Nullable String apiKey) {
        this(address, view, authorization, apiKey, false);
    }

    /** Which of the two there are, never their values. */
    @Override
    public String toString() {
        return "Credentials[address=" + address + ", view=" + view + ", authorization="
                + (authorization == null ? "absent" : "present") + ", apiKey=" + (apiKey == null ? "absent" : "present")
                + "]";
    }
}
