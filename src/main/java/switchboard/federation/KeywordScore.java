package switchboard.federation;

import java.util.List;
import switchboard.call.TermStatistics;

/** Scores passages by their words, so that passages of different engines can be compared. */
@FunctionalInterface
public interface KeywordScore {
    /**
     * A score of 0 to 1 for each of {@code passages}, in their order.
     *
     * @param more of the query's words in the collections that say so
     */
    double[] of(String query, List<String> passages, TermStatistics more);
}
