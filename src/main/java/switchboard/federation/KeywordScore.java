package switchboard.federation;

import java.util.List;
import switchboard.call.TermStatistics;

/** Scores passages by keyword, so that passages of different engines can be compared. */
@FunctionalInterface
public interface KeywordScore {
    /**
     * A score from 0 to 1 for each of {@code passages}, in their order.
     *
     * @param more statistics of the query's words in collections that report them
     */
    double[] of(String query, List<String> passages, TermStatistics more);
}
