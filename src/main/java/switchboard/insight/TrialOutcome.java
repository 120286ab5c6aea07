package switchboard.insight;

import java.util.Locale;
import switchboard.eval.SignTest;

/**
 * What reading says of two rankings that were mixed.
 *
 * @param searches how many were mixed
 * @param compared searches after which something was read, with each query of a key once, and as many of a key as count
 * @param keys how many keys have preferred one of them
 * @param won queries after which more was read of what the proposed ranking had put there
 * @param lost queries after which more was read of what the ranking in use had put there
 * @param tied the other queries after which something was read
 */
public record TrialOutcome(int searches, int compared, int keys, int won, int lost, int tied) {
    /** One or two keys could say anything. */
    static final int FEWEST_KEYS = 3;

    /** With fewer queries that one of the rankings has won nothing is said. */
    static final int FEWEST_DECIDED = 10;

    private static final double LEVEL = 0.05;

    /** Which ranking people prefer, if that can be said. */
    public enum TrialVerdict {
        /** Too few queries or keys. */
        NOT_ENOUGH,
        /** The difference may be chance. */
        ALIKE,
        /** The proposed ranking is preferred. */
        BETTER,
        /** The ranking in use is preferred. */
        WORSE
    }

    /** How likely such a difference is if nobody prefers either: the two-sided sign test over queries. */
    public double p() {
        return new SignTest(won, lost).p();
    }

    /** Which ranking people prefer, at the level 0.05. */
    public TrialVerdict verdict() {
        if (keys < FEWEST_KEYS || won + lost < FEWEST_DECIDED) {
            return TrialVerdict.NOT_ENOUGH;
        }
        if (p() > LEVEL) {
            return TrialVerdict.ALIKE;
        }
        return won > lost ? TrialVerdict.BETTER : TrialVerdict.WORSE;
    }

    /** In plain words. */
    public String words() {
        return String.format(
                Locale.ROOT,
                "%d searches mixed, %d compared, of %d keys; of the queries the proposal has won %d, what is in use %d,"
                        + " and %d are ties (sign test p %.3f): %s",
                searches,
                compared,
                keys,
                won,
                lost,
                tied,
                p(),
                conclusion());
    }

    /** What the figures say, in plain words. */
    public String conclusion() {
        return switch (verdict()) {
            case NOT_ENOUGH ->
                String.format(
                        Locale.ROOT,
                        "not enough yet; at least %d queries with a winner and %d keys are needed",
                        FEWEST_DECIDED,
                        FEWEST_KEYS);
            case ALIKE -> "no difference that may not be chance";
            case BETTER -> "the proposal is better";
            case WORSE -> "the proposal is worse than what is in use";
        };
    }
}
