package switchboard.protocol.method;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.protocol.RequestStateKeys;

/**
 * Signs the state that a backend wants to get back with a client's answers, because until then it is in the client's
 * hands: bound to who called, to the same parameters, and to an hour. Processes with the same key take each
 * other's; a client with the state of another key starts its call over. A key that was replaced opens for that hour what it
 * signed, and signs nothing more. Thread-safe.
 */
final class RequestStateSigner {
    private static final Duration VALID = Duration.ofHours(1);
    /** What may differ between the first call and the one with the answers. */
    private static final List<String> NOT_BOUND = List.of("_meta", "inputResponses", "requestState");

    private final RequestStateKeys keys;
    private final InstantSource clock;

    /**
     * What was sealed.
     *
     * @param backend whose state it is
     * @param state the state
     */
    record Sealed(String backend, String state) {}

    RequestStateSigner(RequestStateKeys keys, InstantSource clock) {
        this.keys = keys;
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
        return base64.encodeToString(bytes) + "."
                + base64.encodeToString(mac(keys.current(), bytes, principal, params));
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
            if (keys.since(clock.instant().minus(VALID)).stream()
                    .noneMatch(key -> MessageDigest.isEqual(signature, mac(key, bytes, principal, params)))) {
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

    private static byte[] mac(SecretKey key, byte[] content, Principal principal, ObjectNode params) {
        ObjectNode bound = Json.object().put("team", principal.team()).put("id", principal.id());
        bound.set("params", params.deepCopy().without(NOT_BOUND));
        try {
            Mac mac = Mac.getInstance(RequestStateKeys.ALGORITHM);
            mac.init(key);
            mac.update(content);
            // The order of keys is not part of the parameters.
            return mac.doFinal(Json.mapper()
                    .writer()
                    .with(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
                    .writeValueAsBytes(bound));
        } catch (GeneralSecurityException | JsonProcessingException e) {
            throw new IllegalStateException(
                    "every JDK has " + RequestStateKeys.ALGORITHM + ", and a JSON tree is always writable", e);
        }
    }
}
