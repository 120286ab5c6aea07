package switchboard.protocol.method;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
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
 * Signs the state that a client holds for a backend until it sends its answers. The signature is bound to the caller,
 * to the same parameters, and to one hour. Processes with the same key accept each other's; with another key, the
 * client starts its call again. A replaced key still verifies for that hour but signs nothing more. Thread-safe.
 */
final class RequestStateSigner {
    private static final Duration VALID = Duration.ofHours(1);
    /** Parameters that may differ between the first call and the one with the answers. */
    private static final List<String> NOT_BOUND = List.of("_meta", "inputResponses", "requestState");

    private final RequestStateKeys keys;
    private final InstantSource clock;

    /**
     * The content of a signed state.
     *
     * @param backend the backend that it belongs to
     * @param state the backend's state
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

    /** Verifies a text of {@link #close} for the same caller and parameters; empty if it is not valid. */
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
            return mac.doFinal(Json.sortedBytes(bound));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + RequestStateKeys.ALGORITHM, e);
        }
    }
}
