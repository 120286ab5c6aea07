package switchboard.embed;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The reranker of a gateway and its use.
 *
 * @param reranker the model
 * @param candidates how many of the passages that were found are reranked
 * @param limit how long that may take for one search
 */
public record Reranking(Reranker reranker, int candidates, Duration limit) {
    /** The positions of {@code scores}, highest score first; equal ones keep their order. */
    public static List<Integer> order(List<Double> scores) {
        return IntStream.range(0, scores.size())
                .boxed()
                .sorted(Comparator.comparing(scores::get, Comparator.reverseOrder()))
                .toList();
    }
}
