package switchboard.backend.weaviate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * One exchange with a real Weaviate (1.40.0-dev, replayed equal on 1.39.0).
 *
 * @param headers of the request
 * @param contentType of the answer, or null if it had no body
 * @param body of the request, missing if it had none
 * @param answer the body of the answer, missing if it had none
 */
record Recording(
        String name,
        String method,
        String path,
        JsonNode headers,
        JsonNode body,
        int status,
        @Nullable String contentType,
        JsonNode answer) {
    private static final Path FILE = Path.of("backends", "weaviate", "fixtures", "recordings.jsonl");
    private static final Map<String, Recording> ALL = Collections.unmodifiableMap(read());

    /** All recordings by name, in the order of the file. */
    static Map<String, Recording> all() {
        return ALL;
    }

    private static Map<String, Recording> read() {
        Map<String, Recording> all = new LinkedHashMap<>();
        try {
            for (String line : Files.readAllLines(FILE)) {
                Recording recording = of(Json.parse(line));
                all.put(recording.name(), recording);
            }
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(FILE + " is damaged", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private static Recording of(JsonNode json) {
        return new Recording(
                json.path("name").asText(),
                json.path("method").asText(),
                json.path("path").asText(),
                json.path("headers"),
                json.path("body"),
                json.path("status").asInt(),
                json.has("contentType") ? json.path("contentType").asText() : null,
                json.path("answer"));
    }
}
