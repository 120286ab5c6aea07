package switchboard.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
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
 * @param header its header, an object with the text {@code alg}
 * @param claims its claims, an object; must not be trusted before the signature was verified
 * @param signatureBytes length of its signature in bytes
 */
record UnverifiedJwt(JsonNode header, JsonNode claims, int signatureBytes) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*");
    private static final Set<String> DATES = Set.of("exp", "nbf", "iat");
    private static final Set<String> ACCESS_TOKENS = Set.of("jwt", "at+jwt", "application/at+jwt");
    private static final String PROOF = "dpop+jwt";

    /** Whether {@code text} may be a token rather than a key. */
    static boolean looksLikeOne(String text) {
        return FORM.matcher(text).matches();
    }

    /**
     * Parses an access token (RFC 9068 section 4: {@code typ} is {@code at+jwt}, and here also {@code JWT} or missing). Empty
     * if it is not one, has no signature, has critical extensions ({@code crit}), or is a second spelling of another token
     * (RFC 4648 section 3.5: bits of a last character that mean nothing).
     */
    static Optional<UnverifiedJwt> accessToken(String text) {
        return read(text)
                .filter(jwt -> ACCESS_TOKENS.contains(
                        jwt.header().path("typ").asText("jwt").toLowerCase(Locale.ROOT)));
    }

    /** The same for a DPoP proof (RFC 9449 section 4.2), whose {@code typ} nothing else has. */
    static Optional<UnverifiedJwt> proof(String text) {
        return read(text).filter(jwt -> jwt.header().path("typ").asText().equals(PROOF));
    }

    /** {@code alg} of its header. */
    String algorithm() {
        return header.path("alg").asText();
    }

    /** {@code kid} of its header, or null. */
    @Nullable
    String kid() {
        return header.has("kid") ? header.path("kid").asText() : null;
    }

    /** A NumericDate (RFC 7519 section 2), or null if it is not one. */
    static @Nullable Instant instant(@Nullable JsonNode seconds) {
        return seconds != null && seconds.isNumber() && Math.abs(seconds.asDouble()) < 1e11
                ? Instant.ofEpochSecond(seconds.asLong())
                : null;
    }

    private static Optional<UnverifiedJwt> read(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 3 || parts[2].isEmpty()) {
            return Optional.empty();
        }
        try {
            JsonNode header = Json.parse(decoded(parts[0]));
            JsonNode claims = Json.parse(decoded(parts[1]));
            byte[] signature = decoded(parts[2]);
            boolean readable = header.isObject()
                    && claims.isObject()
                    && header.path("alg").isTextual()
                    && (!header.has("kid") || header.path("kid").isTextual())
                    && !header.has("crit")
                    && !header.has("b64")
                    && DATES.stream()
                            .allMatch(date ->
                                    !claims.has(date) || claims.path(date).isNumber());
            return readable ? Optional.of(new UnverifiedJwt(header, claims, signature.length)) : Optional.empty();
        } catch (JsonProcessingException | IllegalArgumentException | java.io.UncheckedIOException _) {
            return Optional.empty();
        }
    }

    /** Contains no claims, which are personal data. */
    @Override
    public String toString() {
        return "UnverifiedJwt[" + algorithm() + "]";
    }

    private static byte[] decoded(String base64) {
        byte[] bytes = Base64.getUrlDecoder().decode(base64);
        if (!Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(base64)) {
            throw new IllegalArgumentException("not the base64url of its bytes");
        }
        return bytes;
    }
}
