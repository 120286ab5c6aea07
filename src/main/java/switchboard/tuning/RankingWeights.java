package switchboard.tuning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * How searches of a team rank, where that differs from the configuration.
 *
 * @param sources factors for the configured weights, by {@code <backend>:<source>}, 0.01 to 100; 1 for those that are missing
 * @param similarity the cosine's weight, 0 to 1, or null for the configured one
 */
public record RankingWeights(
        SortedMap<String, Double> sources, @Nullable Double similarity) {
    /** As the configuration says. */
    public static final RankingWeights CONFIGURED = new RankingWeights(new TreeMap<>(), null);

    private static final double LEAST = 0.01;
    private static final double MOST = 100;

    /** Weights. Factors of 1 are left out, so that weights with the same effect are equal. */
    public RankingWeights {
        SortedMap<String, Double> copy = new TreeMap<>(sources);
        copy.values().removeIf(factor -> factor == 1);
        sources = Collections.unmodifiableSortedMap(copy);
    }

    /** The factor of {@code source}. */
    public double factor(String source) {
        return sources.getOrDefault(source, 1.0);
    }

    /** The same with a factor times {@code change} for {@code source}, within what is allowed. */
    RankingWeights times(String source, double change) {
        SortedMap<String, Double> changed = new TreeMap<>(sources);
        double factor = Math.clamp(factor(source) * change, LEAST, MOST);
        changed.put(source, Math.round(factor * 1e4) / 1e4);
        return new RankingWeights(changed, similarity);
    }

    RankingWeights withSimilarity(@Nullable Double other) {
        return new RankingWeights(sources, other);
    }

    /** As a proposal has it: {@code sources}, and {@code similarity} if it is not the configured one. */
    public ObjectNode json() {
        ObjectNode json = Json.object();
        ObjectNode factors = json.putObject("sources");
        sources.forEach(factors::put);
        if (similarity != null) {
            json.put("similarity", similarity);
        }
        return json;
    }

    /**
     * The weights of {@code json}.
     *
     * @throws DamagedTuningException if it is no such object, or a number is not in its range
     */
    static RankingWeights of(JsonNode json) throws DamagedTuningException {
        SortedMap<String, Double> factors = new TreeMap<>();
        JsonNode sources = json.path("sources");
        if (!sources.isObject()) {
            throw new DamagedTuningException("it has no weights of sources");
        }
        for (var one : sources.properties()) {
            factors.put(one.getKey(), number(one.getValue(), one.getKey(), LEAST, MOST));
        }
        return new RankingWeights(
                factors, json.has("similarity") ? number(json.path("similarity"), "similarity", 0, 1) : null);
    }

    private static double number(JsonNode value, String name, double least, double most) throws DamagedTuningException {
        double number = value.asDouble();
        if (!value.isNumber() || !(number >= least && number <= most)) {
            throw new DamagedTuningException(name + " is no number from " + least + " to " + most);
        }
        return number;
    }
}
