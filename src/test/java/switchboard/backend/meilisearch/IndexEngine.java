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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import switchboard.call.Json;
import switchboard.testing.LoadedEngine;

/**
 * Meilisearch for tests over several engines: {@link RankedMeilisearch}, or where {@code MEILI_URL} (and {@code
 * MEILI_MASTER_KEY}) say so a real one. Filled through the same requests.
 */
public final class IndexEngine implements LoadedEngine {
    private final HttpClient http = HttpClient.newHttpClient();
    private final String prefix = "sb" + UUID.randomUUID().toString().substring(0, 8) + "_";
    private final List<String> made = new ArrayList<>();
    private final Optional<RankedMeilisearch> stub;
    private final URI url;

    /** An empty one. */
    public IndexEngine() {
        String real = System.getenv("MEILI_URL");
        stub = real == null || real.isBlank() ? Optional.of(new RankedMeilisearch()) : Optional.empty();
        url = stub.map(RankedMeilisearch::url).orElseGet(() -> URI.create(String.valueOf(real)));
    }

    @Override
    public URI url() {
        return url;
    }

    @Override
    public String settings() {
        boolean keyless = stub.isPresent() || System.getenv("MEILI_MASTER_KEY") == null;
        return "url: \"" + url + "\"" + (keyless ? "" : ", apiKey: \"${env:MEILI_MASTER_KEY}\"");
    }

    @Override
    public void load(String collection, Map<String, String> fields, List<Document> documents) {
        String uid = name(collection);
        made.add(uid);
        finish(send("POST", "/indexes", Json.object().put("uid", uid).put("primaryKey", "number")));
        ObjectNode settings = Json.object();
        fields.keySet().forEach(settings.putArray("filterableAttributes")::add);
        settings.putObject("embedders")
                .putObject("own")
                .put("source", "userProvided")
                .put("dimensions", documents.getFirst().vector().length);
        finish(send("PATCH", "/indexes/" + uid + "/settings", settings));
        ArrayNode all = Json.array();
        for (Document document : documents) {
            ObjectNode stored = document.fields().deepCopy().put("number", document.id());
            stored.putObject("_vectors").set("own", Json.mapper().valueToTree(document.vector()));
            all.add(stored);
        }
        finish(send("POST", "/indexes/" + uid + "/documents", all));
    }

    @Override
    public String name(String collection) {
        return prefix + collection;
    }

    private void finish(JsonNode task) {
        JsonNode state = task;
        while (!state.path("status").asText().equals("succeeded")) {
            if (state.path("status").asText().equals("failed")) {
                throw new AssertionError(state.toString());
            }
            Thread.onSpinWait();
            state = send("GET", "/tasks/" + task.path("taskUid").asText(), Json.object());
        }
    }

    private JsonNode send(String method, String path, JsonNode body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Bearer " + System.getenv().getOrDefault("MEILI_MASTER_KEY", "none"))
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
            return Json.parse(response.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new AssertionError("no Meilisearch at " + url, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        stub.ifPresentOrElse(
                RankedMeilisearch::close,
                () -> made.forEach(uid -> finish(send("DELETE", "/indexes/" + uid, Json.object()))));
        http.close();
    }
}
