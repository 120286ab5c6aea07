package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import switchboard.call.Json;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;

/** Vectors of the configured embedder. An object's vector is that of its text properties, in the order of their names. */
final class EmbedderVectors {
    private final Embedder embedder;

    EmbedderVectors(Embedder embedder) {
        this.embedder = embedder;
    }

    /** The vector of a query. */
    Future<JsonNode> ofQuery(String text) {
        return embedder.embedQuery(text).map(Json::array);
    }

    /** The vectors of objects with these properties, in order; given up once {@code cancelled}. */
    Future<List<JsonNode>> ofObjects(List<ObjectNode> properties, BooleanSupplier cancelled) {
        List<String> texts = properties.stream().map(EmbedderVectors::text).toList();
        EmbedListener listener = new EmbedListener() {
            @Override
            public boolean cancelled() {
                return cancelled.getAsBoolean();
            }
        };
        return embedder.embedDocuments(texts, listener)
                .map(vectors -> vectors.stream().<JsonNode>map(Json::array).toList());
    }

    private static String text(ObjectNode properties) {
        Map<String, JsonNode> sorted = new TreeMap<>();
        properties.properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        StringJoiner text = new StringJoiner("\n");
        for (JsonNode value : sorted.values()) {
            if (value.isTextual()) {
                text.add(value.asText());
            }
            for (JsonNode element : value) {
                if (element.isTextual()) {
                    text.add(element.asText());
                }
            }
        }
        return text.toString();
    }
}
