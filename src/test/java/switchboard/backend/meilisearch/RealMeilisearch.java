package switchboard.backend.meilisearch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import switchboard.call.Json;

/** A running Meilisearch, with indexes and keys of its own for the time of a suite; other data is left alone. */
final class RealMeilisearch implements EngineFixture {
    private static final Path DATA = Path.of("backends/meilisearch/fixtures/data.json");

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI url;
    private final String master;
    private final String prefix = "sb" + UUID.randomUUID().toString().substring(0, 8) + "_";
    private final Map<String, JsonNode> keys = new HashMap<>();
    private final List<String> indexes = new ArrayList<>();

    RealMeilisearch(URI url, String master) {
        this.url = url;
        this.master = master;
        try {
            JsonNode data = Json.parse(Files.readAllBytes(DATA));
            data.path("indexes").properties().forEach(index -> create(index.getKey(), index.getValue()));
            data.path("keys").properties().forEach(key -> keys.put(key.getKey(), createKey(key.getValue())));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void create(String name, JsonNode index) {
        String uid = uid(name);
        indexes.add(uid);
        ObjectNode creation = Json.object().put("uid", uid);
        if (index.has("primaryKey")) {
            creation.set("primaryKey", index.path("primaryKey"));
        }
        finish(send("POST", "/indexes", creation));
        finish(send("PATCH", "/indexes/" + uid + "/settings", index.path("settings")));
        if (!index.path("documents").isEmpty()) {
            finish(send("POST", "/indexes/" + uid + "/documents", index.path("documents")));
        }
    }

    private JsonNode createKey(JsonNode key) {
        ObjectNode creation = Json.object().put("name", prefix).putNull("expiresAt");
        creation.set("actions", key.path("actions"));
        ArrayNode patterns = creation.putArray("indexes");
        key.path("indexes").forEach(pattern -> patterns.add(prefix + pattern.asText()));
        return send("POST", "/keys", creation);
    }

    private void finish(JsonNode task) {
        String path = "/tasks/" + task.path("taskUid").asText();
        JsonNode state = send("GET", path, Json.object());
        while (state.path("status").asText().equals("enqueued")
                || state.path("status").asText().equals("processing")) {
            Thread.onSpinWait();
            state = send("GET", path, Json.object());
        }
        if (!state.path("status").asText().equals("succeeded")) {
            throw new AssertionError(state.toString());
        }
    }

    private JsonNode send(String method, String path, JsonNode body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Bearer " + master)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        method.equals("GET") || method.equals("DELETE")
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body)))
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw new AssertionError(method + " " + path + ": " + response.statusCode() + " " + response.body());
            }
            return response.body().isEmpty() ? Json.object() : Json.parse(response.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new AssertionError("no Meilisearch at MEILI_URL", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public URI url() {
        return url;
    }

    @Override
    public String key(String name) {
        return keys.getOrDefault(name, Json.object().put("key", name))
                .path("key")
                .asText();
    }

    @Override
    public String keyUid(String name) {
        return keys.getOrDefault(name, Json.object().put("uid", name))
                .path("uid")
                .asText();
    }

    @Override
    public String uid(String name) {
        return prefix + name;
    }

    @Override
    public boolean stubbed() {
        return false;
    }

    @Override
    public void expect(Recording... exchanges) {}

    @Override
    public void verify() {}

    @Override
    public void close() {
        indexes.forEach(uid -> finish(send("DELETE", "/indexes/" + uid, Json.object())));
        keys.values().forEach(key -> send("DELETE", "/keys/" + key.path("uid").asText(), Json.object()));
        http.close();
    }
}
