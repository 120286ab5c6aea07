package switchboard.relay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.Optional;
import switchboard.call.Json;

/**
 * How other processes reach the owner of a backend's data. Stored beside the data in a file that only its user can
 * read: whoever can read it can read the data, too.
 *
 * @param url on loopback; its path names type and id of the backend
 * @param token the secret that a call must send
 * @param certificate the owner's certificate, PEM; token and calls are only sent to a server that has its key
 */
record OwnerAddress(URI url, String token, String certificate) {
    private static final String URL = "url";
    private static final String TOKEN = "token";
    private static final String CERTIFICATE = "certificate";

    /** Parses an address; empty if it is not valid. */
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

    /** The text to store. */
    String text() {
        return Json.text(
                Json.object().put(URL, url.toString()).put(TOKEN, token).put(CERTIFICATE, certificate));
    }

    /** Does not contain the token. */
    @Override
    public String toString() {
        return url.toString();
    }
}
