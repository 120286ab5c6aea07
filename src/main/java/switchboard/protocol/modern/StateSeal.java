package switchboard.protocol.modern;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import switchboard.auth.Principal;
import switchboard.call.Json;

/**
 * Signs the state that a backend wants to get back with a client's answers, because until then it is in the client's
 * hands: bound to who called, to the same parameters, and to an hour. The key is this process's own; a client whose
 * state another process gave out starts its call over. Thread-safe.
 */
final class StateSeal {
    private static final String MAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final Duration VALID = Duration.ofHours(1);
    /** What may differ between the first call and the one with the answers. */
    private static final List<String> NOT_BOUND = List.of("_meta", "inputResponses", "requestState");

    private final SecretKeySpec key;
    private final InstantSource clock;

    /**
     * What was sealed.
     *
     * @param backend whose state it is
     * @param state the state
     */
    record Sealed(String backend, String state) {}

    /** A seal with a key of its own. */
    StateSeal(InstantSource clock) {
        byte[] bits = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bits);
        this.key = new SecretKeySpec(bits, MAC);
        this.clock = clock;
    }

    /** {@code sealed} as the client of a call by {@code principal} with {@code params} gets it. */
    String close(Sealed sealed, Principal principal, ObjectNode params) {
        ObjectNode content = Json.object()
                .put("backend", sealed.backend())
                .put("state", sealed.state())
                .put("until", clock.instant().plus(VALID).getEpochSecond());
        byte[] bytes = Json.bytes(content);
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        return base64.encodeToString(bytes) + "." + base64.encodeToString(mac(bytes, principal, params));
    }

    /** What {@link #close} sealed for the same caller and parameters, or empty where that can't be. */
    Optional<Sealed> open(String text, Principal principal, ObjectNode params) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 2) {
            return Optional.empty();
        }
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(parts[0]);
            byte[] signature = Base64.getUrlDecoder().decode(parts[1]);
            if (!MessageDigest.isEqual(signature, mac(bytes, principal, params))) {
                return Optional.empty();
            }
            JsonNode content = Json.parse(bytes);
            return content.path("until").asLong() < clock.instant().getEpochSecond()
                    ? Optional.empty()
                    : Optional.of(new Sealed(
                            content.path("backend").asText(),
                            content.path("state").asText()));
        } catch (IllegalArgumentException | JsonProcessingException | UncheckedIOException _) {
            return Optional.empty();
        }
    }

    private byte[] mac(byte[] content, Principal principal, ObjectNode params) {
        ObjectNode bound = Json.object().put("team", principal.team()).put("id", principal.id());
        bound.set("params", params.deepCopy().without(NOT_BOUND));
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            mac.update(content);
            // The order of keys is not part of the parameters.
            return mac.doFinal(Json.mapper()
                    .writer()
                    .with(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
                    .writeValueAsBytes(bound));
        } catch (GeneralSecurityException | JsonProcessingException e) {
            throw new IllegalStateException("every JDK has " + MAC + ", and a JSON tree is always writable", e);
        }
    }
}
