package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.List;
import java.util.Map;
import switchboard.call.Json;
import switchboard.testing.LoadedEngine;

/** Weaviate for tests over several engines: the stub with a ranking of its own, or the real one of {@link TestEngine}. */
public final class CollectionEngine implements LoadedEngine {
    private static final int BATCH = 100;

    private final TestEngine engine = new TestEngine();

    /** An empty one. */
    public CollectionEngine() {
        engine.stub().ifPresent(stub -> stub.searches().rankAnything());
    }

    @Override
    public URI url() {
        return engine.url();
    }

    @Override
    public String settings() {
        String key = System.getenv("WEAVIATE_API_KEY");
        return "url: \"" + url() + "\""
                + (engine.stub().isPresent() || key == null ? "" : ", apiKey: \"${env:WEAVIATE_API_KEY}\"");
    }

    @Override
    public void load(String collection, Map<String, String> fields, List<Document> documents) {
        engine.collection(
                collection,
                TestEngine.properties(fields.entrySet().stream()
                        .map(field -> field.getKey() + ":" + field.getValue())
                        .toArray(String[]::new)));
        put(collection, documents, Json.object());
    }

    /** Makes a collection of text fields, of which {@code whole} is not cut into words, and fills it. */
    public void loadWhole(String collection, String whole, List<String> fields, List<Document> documents) {
        String properties = TestEngine.properties(
                fields.stream().map(field -> field + ":text").toArray(String[]::new));
        engine.collection(
                collection,
                properties.substring(0, properties.length() - 1) + ",{\"name\":\"" + whole
                        + "\",\"dataType\":[\"text\"],\"tokenization\":\"field\"}]");
        put(collection, documents, Json.object());
    }

    /** Makes a collection of text fields with a tenant for each key, and fills them. */
    public void loadTenants(String collection, List<String> fields, Map<String, List<Document>> tenants) {
        engine.collection(
                collection,
                TestEngine.properties(
                                fields.stream().map(field -> field + ":text").toArray(String[]::new))
                        + ",\"multiTenancyConfig\":{\"enabled\":true}");
        ArrayNode names = Json.array();
        tenants.keySet().forEach(tenant -> names.addObject().put("name", tenant).put("activityStatus", "HOT"));
        engine.request("POST", "/v1/schema/" + name(collection) + "/tenants", names.toString());
        tenants.forEach(
                (tenant, documents) -> put(collection, documents, Json.object().put("tenant", tenant)));
    }

    private void put(String collection, List<Document> documents, ObjectNode more) {
        for (int from = 0; from < documents.size(); from += BATCH) {
            ArrayNode objects = Json.array();
            documents.subList(from, Math.min(documents.size(), from + BATCH)).forEach(document -> {
                ObjectNode object = objects.addObject().put("id", TestEngine.id(7, document.id()));
                object.setAll(more);
                object.set("properties", document.fields());
                object.set("vector", Json.mapper().valueToTree(document.vector()));
            });
            engine.put(collection, objects.toString());
        }
    }

    @Override
    public String name(String collection) {
        return engine.name(collection);
    }

    @Override
    public void close() {
        engine.close();
    }
}
