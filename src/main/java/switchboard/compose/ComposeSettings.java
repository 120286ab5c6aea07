package switchboard.compose;

import java.time.Duration;
import java.util.Map;

/**
 * How several backends are searched together.
 *
 * @param deadline how long the sources are waited for unless the call says otherwise
 * @param candidates how many passages each source is asked for, 1 to 100
 * @param maxSources how many sources one search may have
 * @param weights by backend id or {@code <backend>:<source>}, what the source's scores are multiplied by; 1 if not named
 */
public record ComposeSettings(Duration deadline, int candidates, int maxSources, Map<String, Double> weights) {
    /** What the shipped configuration has. */
    public static final ComposeSettings DEFAULT = new ComposeSettings(Duration.ofSeconds(5), 30, 64, Map.of());

    public ComposeSettings {
        weights = Map.copyOf(weights);
    }

    double weight(Source source) {
        return weights.getOrDefault(source.label(), weights.getOrDefault(source.backend(), 1.0));
    }
}
