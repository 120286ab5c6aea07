package switchboard.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings of {@code search_everywhere} and the other tools that search all backends. */
public record SearchConfig(
        @Default("5s")
        @AllowedRange(min = "50ms", max = "60s")
        @Doc("Time limit for all sources, unless the call sets another.")
        Duration deadline,

        @Default("50") @AllowedRange(min = "1", max = "100") @Doc("How many passages are requested from each source.")
        int candidates,

        @Default("64") @AllowedRange(min = "1", max = "1000") @Doc("Maximum number of sources in one search.")
        int maxSources,

        @Doc("How the results of the sources are ranked.") Fusion fusion,

        @Doc("Declarations of sources: by `<backend>:<source>`, or by `<backend>` for all"
                + " its sources without a declaration of their own.")
        Map<String, SourceConfig> sources) {
    public SearchConfig {
        sources = Collections.unmodifiableMap(new LinkedHashMap<>(sources));
    }

    /** How the results of several sources are ranked. */
    public record Fusion(
            @Default("linear")
            @Doc(
                    "`linear`: cosine of the passage's vector and the query's, and keyword score, added with weights. `rrf`:"
                            + " reciprocal rank fusion, which uses ranks only.")
            Method method,

            @Default("0.7")
            @AllowedRange(min = "0", max = "1")
            @Doc("The cosine's weight with `linear`; keywords have the rest.")
            double similarity,

            @Default("60")
            @AllowedRange(min = "1", max = "1000")
            @Doc("The constant of `rrf`: a rank is worth 1 / (constant + rank).")
            int constant) {
        /** The fusion method. */
        public enum Method {
            /** A weighted sum of scores. */
            LINEAR,
            /** Reciprocal rank fusion, which uses ranks only. */
            RRF
        }
    }

    /** A source. */
    public record SourceConfig(
            @Default("1") @AllowedRange(min = "0", max = "100") @Doc("Factor for its scores.")
            double weight,

            @Doc("What it contains, for agents that choose sources.") @Nullable
            String description,

            @Doc("The field with a document's text, if it can't be found by its name.") @Nullable
            String text,

            @Doc("The field with a document's title.") @Nullable
            String title,

            @Doc("The field with a document's URL.") @Nullable
            String url,

            @Doc("The entry of `embedders:` that made the vectors of its documents, if it is not the backend's own; the"
                    + " backend's tools use it, too.")
            @Nullable
            String embedder) {}
}
