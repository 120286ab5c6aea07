package switchboard.federation;

import java.util.List;
import switchboard.call.TermStatistics;
import switchboard.store.PooledKeywordScore;

/** Scores passages by keyword, so that passages of different engines can be compared. */
@FunctionalInterface
public interface KeywordScore {
    /**
     * Scores from 0 to 1 of {@code passages}.
     *
     * @param more statistics of the query's words in collections that report them
     */
    PooledKeywordScore.Scores of(String query, List<String> passages, TermStatistics more);
}
