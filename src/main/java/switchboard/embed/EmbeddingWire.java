package switchboard.embed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** The API of a provider of embeddings: its requests and answers. */
sealed interface EmbeddingWire {
    /** The purpose of a text. Some providers distinguish them. */
    enum InputType {
        /** A query. */
        QUERY,
        /** A document. */
        DOCUMENT
    }

    /** The provider's name. */
    String provider();

    /** The path after the base URL. */
    String path();

    /** The request body for {@code texts}. */
    ObjectNode request(List<String> texts, InputType use);

    /** The vectors in an answer, in the order of the texts; fewer or none if the answer is not well-formed. */
    List<float[]> vectors(JsonNode answer);

    /** Reads one vector. */
    private static float[] numbers(JsonNode array) {
        float[] vector = new float[array.size()];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) array.get(i).asDouble();
        }
        return vector;
    }

    private static ObjectNode request(String model, List<String> texts) {
        ObjectNode body = Json.object().put("model", model);
        ArrayNode input = body.putArray("input");
        texts.forEach(input::add);
        return body;
    }

    /** Reads {@code data[].embedding}, ordered by {@code index}. */
    private static List<float[]> indexed(JsonNode answer) {
        JsonNode data = answer.path("data");
        List<float[]> vectors = new ArrayList<>();
        for (int i = 0; i < data.size(); i++) {
            for (JsonNode entry : data) {
                if (entry.path("index").asInt(-1) == i
                        && entry.path("embedding").isArray()) {
                    vectors.add(numbers(entry.path("embedding")));
                }
            }
        }
        return vectors;
    }

    /**
     * {@code POST /embeddings} of OpenAI and compatible servers.
     *
     * @param dimensions how many dimensions to request, or null for the model's default
     */
    record OpenAi(String model, @Nullable Integer dimensions) implements EmbeddingWire {
        @Override
        public String provider() {
            return "openai";
        }

        @Override
        public String path() {
            return "/embeddings";
        }

        @Override
        public ObjectNode request(List<String> texts, InputType use) {
            ObjectNode body = EmbeddingWire.request(model, texts);
            return dimensions == null ? body : body.put("dimensions", dimensions);
        }

        @Override
        public List<float[]> vectors(JsonNode answer) {
            return indexed(answer);
        }
    }

    /**
     * {@code POST /embeddings} of Voyage AI.
     *
     * @param dimensions how many dimensions to request, or null for the model's default
     */
    record Voyage(String model, @Nullable Integer dimensions) implements EmbeddingWire {
        @Override
        public String provider() {
            return "voyage";
        }

        @Override
        public String path() {
            return "/embeddings";
        }

        @Override
        public ObjectNode request(List<String> texts, InputType use) {
            ObjectNode body = EmbeddingWire.request(model, texts)
                    .put(
                            "input_type",
                            switch (use) {
                                case QUERY -> "query";
                                case DOCUMENT -> "document";
                            });
            return dimensions == null ? body : body.put("output_dimension", dimensions);
        }

        @Override
        public List<float[]> vectors(JsonNode answer) {
            return indexed(answer);
        }
    }

    /** {@code POST /api/embed} of Ollama. */
    record Ollama(String model) implements EmbeddingWire {
        @Override
        public String provider() {
            return "ollama";
        }

        @Override
        public String path() {
            return "/api/embed";
        }

        @Override
        public ObjectNode request(List<String> texts, InputType use) {
            return EmbeddingWire.request(model, texts);
        }

        @Override
        public List<float[]> vectors(JsonNode answer) {
            List<float[]> vectors = new ArrayList<>();
            answer.path("embeddings").forEach(vector -> vectors.add(numbers(vector)));
            return vectors;
        }
    }
}
