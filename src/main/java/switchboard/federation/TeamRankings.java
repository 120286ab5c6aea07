package switchboard.federation;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** How the searches of each team rank, where an operator has approved that they differ from the configuration. Thread-safe. */
@FunctionalInterface
public interface TeamRankings {
    /** All as the configuration says. */
    TeamRankings NONE = _ -> TeamRanking.CONFIGURED;

    /**
     * The ranking of a team's searches.
     *
     * @param factors for the configured weights of sources, by {@code <backend>:<source>}; 1 for those that are missing. They
     *     were found for weighted sums, and only count there
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

        /** What counts in a call whose hits are merged by {@code method}, which it has {@code chosen} or not. */
        TeamRanking in(FusionMethod method, boolean chosen) {
            return chosen || !(method instanceof FusionMethod.WeightedSum) ? CONFIGURED : this;
        }

        /** What the weight of the source {@code label} is in {@code other}, if it is {@code weight} here. */
        double weightIn(TeamRanking other, String label, double weight) {
            return weight * other.factors.getOrDefault(label, 1.0) / factors.getOrDefault(label, 1.0);
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

    /**
     * A trial of another ranking.
     *
     * @param id its name in the search log
     * @param proposed the other ranking
     * @param share the part of the team's searches that mix both rankings, above 0 to 1
     */
    record RankingTrial(String id, TeamRanking proposed, double share) {}

    /** The ranking of the searches of {@code team}. Does not block. */
    TeamRanking of(String team);

    /** The trial that runs for {@code team}; empty if there is none. Does not block. */
    default Optional<RankingTrial> trial(String team) {
        return Optional.empty();
    }
}
