package switchboard.embed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** What a provider of embeddings wants to read and what it answers. */
sealed interface EmbeddingWire {
    /** What a text is for; some providers treat the two differently. */
    enum Use {
        /** It is searched for. */
        QUERY,
        /** It is to be found. */
        DOCUMENT
    }

    /** The provider's name. */
    String provider();

    /** What follows the base URL. */
    String path();

    /** The request's body for {@code texts}. */
    ObjectNode request(List<String> texts, Use use);

    /** The vectors in an answer, in the order of the texts; fewer or none if it is not of the right form. */
    List<float[]> vectors(JsonNode answer);

    /** The numbers of one vector. */
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

    /** {@code data[].embedding}, each with the index of its text. */
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
     * {@code POST /embeddings} of OpenAI and its imitators.
     *
     * @param dimensions how many numbers to ask for, or null for the model's own number
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
        public ObjectNode request(List<String> texts, Use use) {
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
     * @param dimensions how many numbers to ask for, or null for the model's own number
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
        public ObjectNode request(List<String> texts, Use use) {
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
        public ObjectNode request(List<String> texts, Use use) {
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
