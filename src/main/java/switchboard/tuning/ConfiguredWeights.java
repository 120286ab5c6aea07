package switchboard.tuning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import switchboard.call.Json;

/**
 * The weights of the configuration, which factors of proposals are multiplied with.
 *
 * @param similarity the cosine's weight
 * @param sources weights by {@code <backend>:<source>}, or by {@code <backend>} of all its other sources; those without an effect are
 *     left out, so that configurations with the same effect are equal
 */
public record ConfiguredWeights(double similarity, SortedMap<String, Double> sources) {
    /** Weights as they are declared. */
    public ConfiguredWeights {
        SortedMap<String, Double> declared = new TreeMap<>(sources);
        SortedMap<String, Double> telling = new TreeMap<>(sources);
        telling.entrySet().removeIf(one -> one.getValue() == inherited(declared, one.getKey()));
        sources = Collections.unmodifiableSortedMap(telling);
    }

    private static double inherited(Map<String, Double> declared, String name) {
        int colon = name.indexOf(':');
        return colon < 0 ? 1 : declared.getOrDefault(name.substring(0, colon), 1.0);
    }

    ObjectNode json() {
        ObjectNode json = Json.object().put("similarity", similarity);
        ObjectNode weights = json.putObject("sources");
        sources.forEach(weights::put);
        return json;
    }

    static ConfiguredWeights of(JsonNode json) throws DamagedTuningException {
        SortedMap<String, Double> weights = new TreeMap<>();
        for (var one : json.path("sources").properties()) {
            weights.put(one.getKey(), number(one.getValue()));
        }
        return new ConfiguredWeights(number(json.path("similarity")), weights);
    }

    private static double number(JsonNode value) throws DamagedTuningException {
        if (!value.isNumber()) {
            throw new DamagedTuningException("a weight of the configuration is no number");
        }
        return value.asDouble();
    }
}
