package switchboard.federation;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.NamedFields;

/**
 * How several backends are searched together.
 *
 * @param deadline how long the sources are waited for unless the call says otherwise
 * @param candidates how many passages each source is asked for, 1 to 100
 * @param maxSources how many sources one search may have
 * @param fusion how one order is made
 * @param sources what is declared of sources, by backend id or {@code <backend>:<source>}
 */
public record FederationSettings(
        Duration deadline, int candidates, int maxSources, FusionMethod fusion, Map<String, Declared> sources) {
    /** What the shipped configuration has. */
    public static final FederationSettings DEFAULT =
            new FederationSettings(Duration.ofSeconds(5), 30, 64, new FusionMethod.WeightedSum(0.7), Map.of());

    /**
     * A source as the operator declares it. Fields are named where they can't be told from their names.
     *
     * @param weight what its scores are multiplied by
     * @param description what it holds, or null for what its engine says
     * @param text the field of the text, or null
     * @param title the field of the title, or null
     * @param url the field of the address, or null
     */
    public record Declared(
            double weight,
            @Nullable String description,
            @Nullable String text,
            @Nullable String title,
            @Nullable String url) {
        static final Declared NOTHING = new Declared(1, null, null, null, null);

        NamedFields fields() {
            return new NamedFields(text, title, url);
        }
    }

    public FederationSettings {
        sources = Map.copyOf(sources);
    }

    Declared declared(SearchSource source) {
        return declared(source.backend(), source.label());
    }

    /** What is declared of the source with the label {@code <backend>:<source>}, else of the backend. */
    Declared declared(String backend, String label) {
        return sources.getOrDefault(label, sources.getOrDefault(backend, Declared.NOTHING));
    }
}
