package switchboard.federation;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.NamedFields;

/**
 * Settings of searches over several backends.
 *
 * @param deadline default time limit for all sources
 * @param candidates how many passages to request from each source, 1 to 100
 * @param maxSources maximum number of sources in one search
 * @param fusion how results are ranked
 * @param sources declarations of sources, by backend id or {@code <backend>:<source>}
 * @param signals what happens to hits with signals
 */
public record FederationSettings(
        Duration deadline,
        int candidates,
        int maxSources,
        FusionMethods fusion,
        Map<String, Declared> sources,
        SignalRules signals) {
    /** The settings of the shipped configuration. */
    public static final FederationSettings DEFAULT = new FederationSettings(
            Duration.ofSeconds(5), 30, 64, FusionMethods.DEFAULT, Map.of(), SignalRules.MARK_ALL);

    /**
     * How results are ranked.
     *
     * @param usual the method of calls that choose none: one of the others
     * @param linear what {@code linear} is in a call
     * @param rrf what {@code rrf} is in a call
     */
    public record FusionMethods(FusionMethod usual, FusionMethod.WeightedSum linear, FusionMethod.ReciprocalRank rrf) {
        static final FusionMethods DEFAULT = new FusionMethods(
                new FusionMethod.WeightedSum(0.7),
                new FusionMethod.WeightedSum(0.7),
                new FusionMethod.ReciprocalRank(60));
    }

    /**
     * A source as the operator declares it. Fields are only needed if they can't be found by their names.
     *
     * @param weight factor for its scores
     * @param description what it contains, or null for the engine's description
     * @param text the field of the text, or null
     * @param title the field of the title, or null
     * @param url the field of the URL, or null
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

    /** The declaration of the source with the label {@code <backend>:<source>}, otherwise that of its backend. */
    Declared declared(String backend, String label) {
        return sources.getOrDefault(label, sources.getOrDefault(backend, Declared.NOTHING));
    }
}
