package switchboard.eval;

import java.util.List;
import java.util.Map;

/**
 * The quality of rankings, as means over queries, each from 0 to 1.
 *
 * @param ndcg10 normalised discounted cumulative gain of the first ten, with linear gain (as trec_eval)
 * @param recall10 fraction of the relevant documents that are among the first ten
 * @param recall100 the same for the first hundred
 * @param mrr10 mean of 1 / rank of the first relevant document, 0 if it is not among the first ten
 */
public record Quality(double ndcg10, double recall10, double recall100, double mrr10) {

    /** The quality of one ranking, best first. */
    public static Quality of(List<String> ranking, Map<String, Integer> grades) {
        double first = 0;
        for (int i = 0; i < Math.min(10, ranking.size()) && first == 0; i++) {
            first = grades.containsKey(ranking.get(i)) ? 1.0 / (i + 1) : 0;
        }
        return new Quality(ndcg(ranking, grades), recall(ranking, grades, 10), recall(ranking, grades, 100), first);
    }

    /** The mean of several; 0 for none. */
    public static Quality mean(List<Quality> all) {
        return new Quality(
                all.stream().mapToDouble(Quality::ndcg10).average().orElse(0),
                all.stream().mapToDouble(Quality::recall10).average().orElse(0),
                all.stream().mapToDouble(Quality::recall100).average().orElse(0),
                all.stream().mapToDouble(Quality::mrr10).average().orElse(0));
    }

    private static double recall(List<String> ranking, Map<String, Integer> grades, int depth) {
        long found = ranking.stream().limit(depth).filter(grades::containsKey).count();
        return grades.isEmpty() ? 0 : (double) found / grades.size();
    }

    private static double ndcg(List<String> ranking, Map<String, Integer> grades) {
        List<Integer> gained = ranking.stream()
                .limit(10)
                .map(document -> grades.getOrDefault(document, 0))
                .toList();
        List<Integer> ideal = grades.values().stream()
                .sorted(java.util.Comparator.reverseOrder())
                .limit(10)
                .toList();
        return grades.isEmpty() ? 0 : discounted(gained) / discounted(ideal);
    }

    private static double discounted(List<Integer> gains) {
        double sum = 0;
        for (int i = 0; i < gains.size(); i++) {
            sum += gains.get(i) * Math.log(2) / Math.log(i + 2);
        }
        return sum;
    }
}
