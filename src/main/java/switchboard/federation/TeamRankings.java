package switchboard.federation;

import java.util.Map;
import java.util.OptionalDouble;

/** How the searches of each team rank, where an operator has approved that they differ from the configuration. Thread-safe. */
@FunctionalInterface
public interface TeamRankings {
    /** All as the configuration says. */
    TeamRankings NONE = _ -> TeamRanking.CONFIGURED;

    /**
     * The ranking of a team's searches.
     *
     * @param factors for the configured weights of sources, by {@code <backend>:<source>}; 1 for those that are missing
     * @param similarity the cosine's weight, 0 to 1; empty for the configured one
     */
    record TeamRanking(Map<String, Double> factors, OptionalDouble similarity) {
        /** As the configuration says. */
        public static final TeamRanking CONFIGURED = new TeamRanking(Map.of(), OptionalDouble.empty());

        public TeamRanking {
            factors = Map.copyOf(factors);
        }

        /** The weight of the source {@code label} whose configured one is {@code configured}. */
        double weight(String label, double configured) {
            return configured * factors.getOrDefault(label, 1.0);
        }

        /** The method of calls that choose none; what they can choose stays as it is. */
        FederationSettings.FusionMethods methods(FederationSettings.FusionMethods configured) {
            return similarity.isPresent() && configured.usual() instanceof FusionMethod.WeightedSum
                    ? new FederationSettings.FusionMethods(
                            new FusionMethod.WeightedSum(similarity.getAsDouble()),
                            configured.linear(),
                            configured.rrf())
                    : configured;
        }
    }

    /** The ranking of the searches of {@code team}. Does not block. */
    TeamRanking of(String team);
}
