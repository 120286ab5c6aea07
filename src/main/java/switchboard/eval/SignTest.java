package switchboard.eval;

/**
 * Whether one of two is preferred beyond chance: the exact two-sided sign test. Ties are left out of it, as usual.
 *
 * @param wins how often one was preferred
 * @param losses how often the other one was
 */
public record SignTest(int wins, int losses) {
    /** How likely a difference as large as this one or larger is if neither is preferred; 1 without any wins. */
    public double p() {
        int trials = wins + losses;
        double logWays = 0;
        double tail = 0;
        for (int i = 0; i <= Math.min(wins, losses); i++) {
            tail += Math.exp(logWays - trials * Math.log(2));
            logWays += Math.log((double) (trials - i) / (i + 1));
        }
        return Math.min(1, 2 * tail);
    }
}
