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
 * A JWT in compact form (RFC 7515 section 7.1), read but not verified.
 *
 * @param algorithm its header's {@code alg}
 * @param kid its header's {@code kid}, or null
 * @param claims its claims, to be believed only after its signature was checked
 */
record UnverifiedJwt(String algorithm, @Nullable String kid, JsonNode claims) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*");
    private static final Set<String> DATES = Set.of("exp", "nbf", "iat");
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

    /** Whether {@code text} could be a token rather than a key. */
    static boolean looksLikeOne(String text) {
        return FORM.matcher(text).matches();
    }

    /**
     * Reads a token. Empty if it is none, has no signature, is not said to be an access token (RFC 9068 section 4), or
     * demands that extensions be understood.
     */
    static Optional<UnverifiedJwt> read(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 3 || parts[2].isEmpty()) {
            return Optional.empty();
        }
        try {
            JsonNode header = part(parts[0]);
            JsonNode claims = part(parts[1]);
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
                            claims))
                    : Optional.empty();
        } catch (JsonProcessingException | IllegalArgumentException | java.io.UncheckedIOException _) {
            return Optional.empty();
        }
    }

    /** The claims only by name. */
    @Override
    public String toString() {
        return "UnverifiedJwt[" + algorithm + "]";
    }

    private static JsonNode part(String base64) throws JsonProcessingException {
        return Json.parse(Base64.getUrlDecoder().decode(base64));
    }
}
