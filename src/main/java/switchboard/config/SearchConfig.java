package switchboard.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Searches over all backends: {@code search_everywhere} and what belongs to it. */
public record SearchConfig(
        @Default("5s")
        @AllowedRange(min = "50ms", max = "60s")
        @Doc("How long the sources are waited for, unless the call says otherwise.")
        Duration deadline,

        @Default("50") @AllowedRange(min = "1", max = "100") @Doc("How many passages each source is asked for.")
        int candidates,

        @Default("64") @AllowedRange(min = "1", max = "1000") @Doc("How many sources one search may have.")
        int maxSources,

        @Doc("How what the sources found becomes one order.")
        Fusion fusion,

        @Doc(
                "What is known of sources beyond what their engines say: by `<backend>:<source>`, or by `<backend>` for all"
                        + " its sources that are not named themselves.")
        Map<String, SourceConfig> sources) {
    public SearchConfig {
        sources = Collections.unmodifiableMap(new LinkedHashMap<>(sources));
    }

    /** How one order is made. */
    public record Fusion(
            @Default("linear")
            @Doc(
                    "`linear`: cosine of the passage's vector and the query's, and keyword score, added with weights. `rrf`:"
                            + " reciprocal rank fusion, which looks at places only.")
            Method method,

            @Default("0.7")
            @AllowedRange(min = "0", max = "1")
            @Doc("The cosine's weight with `linear`; keywords have the rest.")
            double similarity,

            @Default("60")
            @AllowedRange(min = "1", max = "1000")
            @Doc("How slowly the worth of a place falls with `rrf`: it is 1 / (constant + place).")
            int constant) {
        /** What places or scores are worth. */
        public enum Method {
            /** A weighted sum of scores. */
            LINEAR,
            /** A sum over places. */
            RRF
        }
    }

    /** A source. */
    public record SourceConfig(
            @Default("1") @AllowedRange(min = "0", max = "100") @Doc("What its scores are multiplied by.")
            double weight,

            @Doc("What it holds, in words an agent can choose by.") @Nullable
            String description,

            @Doc("The field that holds a document's text, where it is not found by its name.") @Nullable
            String text,

            @Doc("The field that holds a document's title.") @Nullable
            String title,

            @Doc("The field that holds the address a document came from.") @Nullable
            String url,

            @Doc("Which of `embedders:` made the vectors of its documents, where it is not the backend's own; the"
                    + " backend's tools keep to it, too.")
            @Nullable
            String embedder) {}
}
