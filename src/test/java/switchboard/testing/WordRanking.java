package switchboard.testing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What stand-ins for engines rank by: whole words without stems or stop words, as the engines have them by default, and
 * cosines of vectors that are given.
 */
public final class WordRanking {
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
    private static final double K1 = 1.2;
    private static final double B = 0.75;

    private final Map<String, Map<String, Integer>> counts = new LinkedHashMap<>();

    /** The words of {@code text}, in lower case. */
    public static List<String> words(String text) {
        return WORD.matcher(text.toLowerCase(Locale.ROOT))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    /** The cosine of two vectors of one length. */
    public static double cosine(float[] one, float[] other) {
        double product = 0;
        double first = 0;
        double second = 0;
        for (int i = 0; i < one.length; i++) {
            product += one[i] * other[i];
            first += one[i] * one[i];
            second += other[i] * other[i];
        }
        return product / Math.sqrt(first * second);
    }

    /** Adds a document. */
    public void add(String id, String text) {
        Map<String, Integer> held = new HashMap<>();
        words(text).forEach(word -> held.merge(word, 1, Integer::sum));
        counts.put(id, held);
    }

    /** BM25 of the documents that have a word of {@code query}, best first; ties by id. */
    public Map<String, Double> bm25(String query) {
        Map<String, Integer> lengths = new HashMap<>();
        counts.forEach((id, held) -> lengths.put(
                id, held.values().stream().mapToInt(Integer::intValue).sum()));
        double mean =
                lengths.values().stream().mapToInt(Integer::intValue).average().orElse(1);
        Map<String, Double> scores = new HashMap<>();
        for (String term : words(query).stream().distinct().toList()) {
            long holders = counts.values().stream()
                    .filter(held -> held.containsKey(term))
                    .count();
            double idf = Math.log(1 + (counts.size() - holders + 0.5) / (holders + 0.5));
            counts.forEach((id, held) -> {
                int count = held.getOrDefault(term, 0);
                if (count > 0) {
                    double norm = K1 * (1 - B + B * lengths.get(id) / mean);
                    scores.merge(id, idf * count * (K1 + 1) / (count + norm), Double::sum);
                }
            });
        }
        return sorted(scores);
    }

    /**
     * How much of {@code query} documents have when words may be missing from its end only, 0 to 1, best first; ties by
     * id. At most the first {@code most} words count; the last one may be the beginning of a word.
     */
    public Map<String, Double> leadingWords(String query, int most) {
        List<String> wanted = words(query).stream().limit(most).toList();
        Map<String, Double> scores = new HashMap<>();
        counts.forEach((id, held) -> {
            int leading = 0;
            while (leading < wanted.size() && has(held, wanted.get(leading), leading == wanted.size() - 1)) {
                leading++;
            }
            if (leading > 0) {
                scores.put(id, (double) leading / wanted.size());
            }
        });
        return sorted(scores);
    }

    private static boolean has(Map<String, Integer> held, String word, boolean last) {
        return last ? held.keySet().stream().anyMatch(each -> each.startsWith(word)) : held.containsKey(word);
    }

    /** {@code scores} in falling order; ties by key. */
    public static Map<String, Double> sorted(Map<String, Double> scores) {
        List<Map.Entry<String, Double>> entries = new ArrayList<>(scores.entrySet());
        entries.sort(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()));
        Map<String, Double> sorted = new LinkedHashMap<>();
        entries.forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return sorted;
    }
}
