package switchboard.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * A JWT in compact form (RFC 7515 section 7.1), parsed but not verified.
 *
 * @param algorithm {@code alg} of its header
 * @param kid {@code kid} of its header, or null
 * @param claims its claims; must not be trusted before the signature was verified
 * @param signatureBytes length of its signature in bytes
 */
record UnverifiedJwt(String algorithm, @Nullable String kid, JsonNode claims, int signatureBytes) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*");
    private static final Set<String> DATES = Set.of("exp", "nbf", "iat");
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

    /** Whether {@code text} may be a token rather than a key. */
    static boolean looksLikeOne(String text) {
        return FORM.matcher(text).matches();
    }

    /**
     * Parses a token. Empty if it is not a JWT, has no signature, is not an access token (RFC 9068 section 4), has
     * critical extensions ({@code crit}), or is a second spelling of another token (RFC 4648 section 3.5: bits of a last
     * character that mean nothing).
     */
    static Optional<UnverifiedJwt> read(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 3 || parts[2].isEmpty()) {
            return Optional.empty();
        }
        try {
            JsonNode header = Json.parse(decoded(parts[0]));
            JsonNode claims = Json.parse(decoded(parts[1]));
            byte[] signature = decoded(parts[2]);
            String type = header.path("typ").asText("jwt").toLowerCase(Locale.ROOT);
            boolean readable = header.isObject()
                    && claims.isObject()
                    && header.path("alg").isTextual()
                    && (!header.has("kid") || header.path("kid").isTextual())
                    && !header.has("crit")
                    && !header.has("b64")
                    && DATES.stream()
                            .allMatch(date ->
                                    !claims.has(date) || claims.path(date).isNumber())
                    && TYPES.contains(type);
            return readable
                    ? Optional.of(new UnverifiedJwt(
                            header.path("alg").asText(),
                            header.has("kid") ? header.path("kid").asText() : null,
                            claims,
                            signature.length))
                    : Optional.empty();
        } catch (JsonProcessingException | IllegalArgumentException | java.io.UncheckedIOException _) {
            return Optional.empty();
        }
    }

    /** Contains only the names of the claims. */
    @Override
    public String toString() {
        return "UnverifiedJwt[" + algorithm + "]";
    }

    private static byte[] decoded(String base64) {
        byte[] bytes = Base64.getUrlDecoder().decode(base64);
        if (!Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(base64)) {
            throw new IllegalArgumentException("not the base64url of its bytes");
        }
        return bytes;
    }
}
