package switchboard.relay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.Optional;
import switchboard.call.Json;

/**
 * Where the owner of a backend's data takes calls for it. Kept beside the data in a file that only its user can read:
 * whoever can read that file can read the data, too.
 *
 * @param url on loopback; its path names type and id of the backend
 * @param token what a call must bring
 * @param certificate of the owner, PEM; whoever answers without its key is somebody else, and gets neither token nor call
 */
record OwnerAddress(URI url, String token, String certificate) {
    private static final String URL = "url";
    private static final String TOKEN = "token";
    private static final String CERTIFICATE = "certificate";

    /** The address in {@code text}; empty if it is none. */
    static Optional<OwnerAddress> parse(String text) {
        try {
            JsonNode json = Json.parse(text);
            return json.path(URL).isTextual()
                            && json.path(TOKEN).isTextual()
                            && json.path(CERTIFICATE).isTextual()
                    ? Optional.of(new OwnerAddress(
                            URI.create(json.path(URL).textValue()),
                            json.path(TOKEN).textValue(),
                            json.path(CERTIFICATE).textValue()))
                    : Optional.empty();
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** What is kept. */
    String text() {
        return Json.text(
                Json.object().put(URL, url.toString()).put(TOKEN, token).put(CERTIFICATE, certificate));
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return url.toString();
    }
}
