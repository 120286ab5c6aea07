package switchboard.auth;

import org.jspecify.annotations.Nullable;

/**
 * The credentials of a request, as received. The values are secrets: they never appear in logs or in {@link
 * #toString()}.
 *
 * @param address the caller's address, without the port
 * @param view the requested view, {@code ""} for the default one; may not exist
 * @param authorization the {@code Authorization} header, or null
 * @param apiKey the {@code X-API-Key} header, or null
 * @param repeated whether one of the two headers came more than once, so that it is unclear which value counts
 * @param possession what the request shows of the keys that its sender has
 */
public record Credentials(
        String address,
        String view,
        @Nullable String authorization,
        @Nullable String apiKey,
        boolean repeated,
        Possession possession) {
    /** Credentials of a sender who shows no keys. */
    public Credentials(
            String address, String view, @Nullable String authorization, @Nullable String apiKey, boolean repeated) {
        this(address, view, authorization, apiKey, repeated, Possession.NONE);
    }

    /** The same without repeated headers. */
    public Credentials(String address, String view, @Nullable String authorization, @Nullable String apiKey) {
        this(address, view, authorization, apiKey, false);
    }

    /** Says which headers are present, never their values. */
    @Override
    public String toString() {
        return "Credentials[address=" + address + ", view=" + view + ", authorization="
                + (authorization == null ? "absent" : "present") + ", apiKey=" + (apiKey == null ? "absent" : "present")
                + "]";
    }
}
