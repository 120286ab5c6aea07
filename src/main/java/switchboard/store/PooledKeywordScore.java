package switchboard.store;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.call.TermStatistics;

/**
 * Scores passages of several collections by keyword: BM25 with the pooled statistics of the collections and the
 * passages, divided by the highest possible score, so that scores are from 0 to below 1. Analysis and constants are
 * those of the store's own keyword search.
 */
public final class PooledKeywordScore {
    private static final double K1 = 1.2;
    private static final double B = 0.75;

    private PooledKeywordScore() {}

    /** The scores of passages that were scored together. */
    public static final class Scores {
        private final double[] values;
        private final List<QueryWord> counted;

        private Scores(double[] values, List<QueryWord> counted) {
            this.values = values;
            this.counted = counted;
        }

        /** Scores of a query without words. */
        public static Scores of(double... values) {
            return new Scores(values, List.of());
        }

        /** The score of each passage, in their order. Must not be changed. */
        public double[] values() {
            return values;
        }

        /** The words of the query that count and that each of {@code texts} has, as it writes them. */
        public List<List<String>> words(List<String> texts) {
            Set<String> terms = new HashSet<>();
            counted.forEach(word -> terms.addAll(word.terms()));
            return texts.stream().map(text -> MatchedWords.in(text, terms)).toList();
        }
    }

    /**
     * The scores of {@code passages}.
     *
     * @param more statistics of the collections that {@code passages} come from
     */
    public static Scores of(String query, List<String> passages, TermStatistics more) {
        Analysed analysed = Analysed.of(query, passages);
        TermStatistics known = more.and(analysed.statistics());
        double mean = Math.max(1, (double) known.terms() / Math.max(1, known.passages()));
        double[] norms = analysed.counts().stream()
                .mapToDouble(terms -> K1 * (1 - B + B * length(terms) / mean))
                .toArray();
        double[] scores = new double[passages.size()];
        double most = 0;
        List<QueryWord> counted = searched(analysed.wanted(), known);
        for (QueryWord word : counted) {
            long holders = known.holders().getOrDefault(word.name(), 0L);
            double idf = Math.log(1 + (known.passages() - holders + 0.5) / (holders + 0.5));
            most += idf;
            for (int i = 0; i < scores.length; i++) {
                int count = count(word, analysed.counts().get(i));
                scores[i] += idf * count / (count + norms[i]);
            }
        }
        for (int i = 0; i < scores.length && most > 0; i++) {
            scores[i] /= most;
        }
        return new Scores(scores, counted);
    }

    /** The words of a query that count: all of them, or the most telling ones of a long query as in {@link QueryWords}. */
    private static List<QueryWord> searched(List<QueryWord> wanted, TermStatistics known) {
        Map<String, QueryWord> distinct = new LinkedHashMap<>();
        wanted.forEach(word -> distinct.putIfAbsent(word.name(), word));
        return distinct.size() <= QueryWords.MAX
                ? wanted
                : QueryWords.mostTelling(
                        List.copyOf(distinct.values()), word -> known.holders().getOrDefault(word.name(), 0L));
    }

    /** The statistics of the query's words in {@code passages}. */
    public static TermStatistics statistics(String query, List<String> passages) {
        return Analysed.of(query, passages).statistics();
    }

    /** The query's words, and how often each passage has each term; each passage is analysed in its language. */
    private record Analysed(List<QueryWord> wanted, List<Map<String, Integer>> counts) {
        static Analysed of(String query, List<String> passages) {
            Set<Language> languages = EnumSet.noneOf(Language.class);
            List<Map<String, Integer>> counts = new ArrayList<>();
            for (String passage : passages) {
                Optional<Language> language = LanguageDetector.of(passage);
                language.ifPresent(languages::add);
                counts.add(termCounts(TextAnalysis.ofDocument(passage, language)));
            }
            return new Analysed(TextAnalysis.ofQuery(query, languages), counts);
        }

        TermStatistics statistics() {
            Map<String, Long> holders = new HashMap<>();
            for (QueryWord word : wanted) {
                holders.put(
                        word.name(),
                        counts.stream().filter(terms -> count(word, terms) > 0).count());
            }
            return new TermStatistics(
                    counts.size(),
                    counts.stream().mapToLong(PooledKeywordScore::length).sum(),
                    holders);
        }
    }

    private static int count(QueryWord word, Map<String, Integer> counts) {
        return word.terms().stream()
                .mapToInt(term -> counts.getOrDefault(term, 0))
                .sum();
    }

    private static int length(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static Map<String, Integer> termCounts(List<String> terms) {
        Map<String, Integer> counts = new HashMap<>();
        terms.forEach(term -> counts.merge(term, 1, Integer::sum));
        return counts;
    }
}
