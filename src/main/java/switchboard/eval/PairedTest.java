package switchboard.eval;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The significance of a difference between two variants on the same queries: the paired bootstrap (Efron and
 * Tibshirani 1993; for retrieval Sakai 2006). Deterministic.
 *
 * @param mean the mean difference
 * @param low lower end of the 95 % confidence interval
 * @param high its upper end
 * @param p two-sided p-value
 */
public record PairedTest(double mean, double low, double high, double p) {
    private static final int SAMPLES = 10_000;
    private static final long SEED = 4711;

    /** The test of the differences in nDCG@10 of {@code run} to {@code baseline}, on the queries of both. */
    static PairedTest of(Map<String, Quality> run, Map<String, Quality> baseline) {
        return of(differences(run, baseline).values().stream()
                .mapToDouble(Double::doubleValue)
                .toArray());
    }

    /** The differences in nDCG@10 of {@code run} to {@code baseline} by query, on the queries of both. */
    static SortedMap<String, Double> differences(Map<String, Quality> run, Map<String, Quality> baseline) {
        SortedMap<String, Double> differences = new TreeMap<>();
        run.forEach((query, quality) -> {
            Quality other = baseline.get(query);
            if (other != null) {
                differences.put(query, quality.ndcg10() - other.ndcg10());
            }
        });
        return differences;
    }

    /** The test of {@code differences}, one for each query. For none, all is 0 and {@code p} is 1. */
    public static PairedTest of(double[] differences) {
        if (differences.length == 0) {
            return new PairedTest(0, 0, 0, 1);
        }
        Random random = new Random(SEED);
        double[] means = new double[SAMPLES];
        int below = 0;
        int above = 0;
        for (int i = 0; i < SAMPLES; i++) {
            double sum = 0;
            for (int n = 0; n < differences.length; n++) {
                sum += differences[random.nextInt(differences.length)];
            }
            means[i] = sum / differences.length;
            below += means[i] <= 0 ? 1 : 0;
            above += means[i] >= 0 ? 1 : 0;
        }
        Arrays.sort(means);
        return new PairedTest(
                Arrays.stream(differences).average().orElse(0),
                means[(int) (SAMPLES * 0.025)],
                means[(int) (SAMPLES * 0.975)],
                Math.min(1, 2.0 * Math.min(below, above) / SAMPLES));
    }
}
