package switchboard.federation;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    private static final Future<SourceDirectory.Resolved> NOT_SEARCHED =
            Future.succeededFuture(new SourceDirectory.Resolved(List.of(), List.of()));

    /** A method of fusion. */
    enum FusionName {
        /** Weighted scores. */
        @JsonProperty("linear")
        LINEAR,
        /** Ranks. */
        @JsonProperty("rrf")
        RRF
    }

    /** How the hits of this call are merged: the method chosen, or the configured one, with its constants and for this mode. */
    FusionMethod method(FederationSettings.FusionMethods configured) {
        FusionMethod chosen =
                switch (fusion) {
                    case null -> configured.usual();
                    case LINEAR -> configured.linear();
                    case RRF -> configured.rrf();
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

    /**
     * Completes once all weights are known to be of sources that are searched; fails with {@code INVALID_ARGUMENT} if some are
     * not. Waits only for backends that weights name.
     */
    Future<Void> check(Map<String, Future<SourceDirectory.Resolved>> listed) {
        if (weights == null || listed.isEmpty()) {
            return Future.succeededFuture();
        }
        List<String> names = new ArrayList<>();
        weights.fieldNames().forEachRemaining(names::add);
        return Future.join(names.stream().map(name -> listing(name, listed)).toList())
                .compose(_ -> refused(names.stream()
                        .filter(name -> !listing(name, listed).result().mayHave(name))
                        .toList()));
    }

    /** The sources of the backend that {@code name} names, up to its first colon. */
    private static Future<SourceDirectory.Resolved> listing(
            String name, Map<String, Future<SourceDirectory.Resolved>> listed) {
        int colon = name.indexOf(':');
        return listed.getOrDefault(colon < 0 ? name : name.substring(0, colon), NOT_SEARCHED);
    }

    private static Future<Void> refused(List<String> unknown) {
        return unknown.isEmpty()
                ? Future.succeededFuture()
                : Future.failedFuture(new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "weights names what is no source of this search: "
                                + unknown.stream().map(UnknownFields::quoted).collect(Collectors.joining(", "))
                                + ". Write <backend>:<source> or <backend>, as list_sources does."));
    }
}
