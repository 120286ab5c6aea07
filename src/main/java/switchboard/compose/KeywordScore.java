package switchboard.compose;

import java.util.List;

/** Scores passages by their words against each other only, so that passages of different engines can be compared. */
@FunctionalInterface
public interface KeywordScore {
    /** A score of 0 to 1 for each of {@code passages}, in their order. */
    double[] of(String query, List<String> passages);
}
