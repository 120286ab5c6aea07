package switchboard.backend.agentroot;

/**
 * Reciprocal rank fusion as agentroot documents it: rank {@code r} gives {@code 2 / (60 + r)} by words and {@code 1 / (60 + r)}
 * by vectors, plus 0.05 within the first three of either, else 0.02 within the first ten.
 */
final class RankFusion {
    /** The maximum score: first in both lists. */
    static final double MAX = 3.0 / 61 + 0.1;

    /** The weight of a rank by words. */
    static final double WORDS = 2;

    /** The weight of a rank by vectors. */
    static final double VECTORS = 1;

    private RankFusion() {}

    /** The score that rank {@code rank}, from 1, in one list adds. */
    static double score(double weight, int rank) {
        double bonus = rank <= 3 ? 0.05 : rank <= 10 ? 0.02 : 0;
        return weight / (60 + rank) + bonus;
    }
}
