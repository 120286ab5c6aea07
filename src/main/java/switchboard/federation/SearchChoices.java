package switchboard.federation;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.SourceQuery.SearchMode;
import switchboard.call.ToolException;
import switchboard.call.UnknownFields;

/**
 * How one call of {@code search_everywhere} ranks, where that differs from the configuration.
 *
 * @param mode what is searched by, and counts in the ranking
 * @param fusion the method, or null for the configured one
 * @param weights factors for the scores of sources, by {@code <backend>:<source>} or {@code <backend>}, or null
 */
record SearchChoices(
        SearchMode mode,
        @Nullable FusionName fusion,
        @Nullable ObjectNode weights) {
    /** The constant of ranks and the weight of cosines where another method is configured. */
    private static final FusionMethod.ReciprocalRank BY_RANK = new FusionMethod.ReciprocalRank(60);

    private static final FusionMethod.WeightedSum BY_SCORE = new FusionMethod.WeightedSum(0.7);

    /** A method of fusion. */
    enum FusionName {
        /** Weighted scores. */
        @JsonProperty("linear")
        LINEAR,
        /** Ranks. */
        @JsonProperty("rrf")
        RRF
    }

    /** The method of fusion, where {@code configured} is the usual one. */
    FusionMethod method(FusionMethod configured) {
        FusionMethod chosen =
                switch (fusion) {
                    case null -> configured;
                    case LINEAR -> configured instanceof FusionMethod.WeightedSum ? configured : BY_SCORE;
                    case RRF -> configured instanceof FusionMethod.ReciprocalRank ? configured : BY_RANK;
                };
        return chosen instanceof FusionMethod.WeightedSum
                ? switch (mode) {
                    case HYBRID -> chosen;
                    case KEYWORD -> new FusionMethod.WeightedSum(0);
                    case VECTOR -> new FusionMethod.WeightedSum(1);
                }
                : chosen;
    }

    /** The weight of a source whose configured one is {@code usual}. */
    double weight(SearchSource source, double usual) {
        if (weights == null) {
            return usual;
        }
        return weights.path(source.label())
                .asDouble(weights.path(source.backend()).asDouble(usual));
    }

    /** Checks that all weights are of sources that were asked. */
    void check(List<SourceStatus> asked) {
        if (weights == null) {
            return;
        }
        List<String> unknown = new ArrayList<>();
        weights.fieldNames().forEachRemaining(name -> {
            if (asked.stream().noneMatch(status -> concerns(name, status.source()))) {
                unknown.add(name);
            }
        });
        if (!unknown.isEmpty()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "weights names what is no source of this search: "
                            + unknown.stream().map(UnknownFields::quoted).collect(Collectors.joining(", "))
                            + ". Write <backend>:<source> or <backend>, as list_sources does.");
        }
    }

    /** Whether {@code name} is that source or its backend, or {@code source} is a backend that listed none. */
    private static boolean concerns(String name, String source) {
        return name.equals(source) || source.startsWith(name + ":") || name.startsWith(source + ":");
    }
}
