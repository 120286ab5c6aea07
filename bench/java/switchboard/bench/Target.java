package switchboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/**
 * A request that is sent again and again.
 *
 * @param body what is posted
 * @param expected what the answer must hold to be the right one
 */
record Target(URI url, Map<String, String> headers, String body, String expected) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** It for the JDK's client. */
    HttpRequest httpRequest() {
        HttpRequest.Builder request = HttpRequest.newBuilder(url).POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return request.build();
    }

    /** Sends it once; returns the answer's bytes, or fails if it is not what it should be. */
    byte[] verify(HttpClient http) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = http.send(httpRequest(), HttpResponse.BodyHandlers.ofByteArray());
        String text = new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8);
        if (answer.statusCode() != 200 || !text.contains(expected)) {
            throw new IOException(url + " answered " + answer.statusCode() + " " + text + ", expected " + expected);
        }
        JsonNode answered = JSON.readTree(text);
        for (JsonNode one : answered.isArray() ? answered : List.of(answered)) {
            JsonNode result = one.path("result");
            if (!result.isObject() || result.path("isError").asBoolean()) {
                throw new IOException(url + " answered " + text);
            }
        }
        return answer.body();
    }
}
