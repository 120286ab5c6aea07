package switchboard.federation;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import switchboard.eval.JudgedSet;
import switchboard.eval.Quality;

/** How well the judged queries of a set are answered. */
final class JudgedQuality {
    private JudgedQuality() {}

    /** The mean nDCG@10 of what {@code search} ranks for each query. */
    static double ndcg(JudgedSet set, Function<String, List<String>> search) {
        return Arrays.stream(ndcgs(set, search)).average().orElse(0);
    }

    /** The nDCG@10 of what {@code search} ranks, query by query. */
    static double[] ndcgs(JudgedSet set, Function<String, List<String>> search) {
        return set.queries().entrySet().stream()
                .mapToDouble(query -> Quality.of(
                                search.apply(query.getValue()), set.grades().get(query.getKey()))
                        .ndcg10())
                .toArray();
    }
}
