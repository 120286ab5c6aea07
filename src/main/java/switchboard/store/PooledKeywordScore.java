package switchboard.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import switchboard.call.TermStatistics;

/**
 * Scores passages of several collections by keyword: BM25 with the pooled statistics of the collections and the
 * passages, divided by the highest possible score, so that scores are from 0 to below 1. Analysis and constants are
 * those of the store's own keyword search.
 */
public final class PooledKeywordScore {
    private static final double K1 = 1.2;
    private static final double B = 0.75;

    /** The share of the {@link BestWindow} in the score of prose. */
    private static final double PROXIMITY = Fusion.standard().proximity();

    private PooledKeywordScore() {}

    /** The scores of passages that were scored together. */
    public static final class Scores {
        private final double[] values;
        private final double[] withProximity;
        private final List<QueryWord> counted;
        private final Optional<String> language;

        private Scores(double[] values, double[] withProximity, List<QueryWord> counted, Optional<String> language) {
            this.values = values;
            this.withProximity = withProximity;
            this.counted = counted;
            this.language = language;
        }

        /** Scores of a query without words. */
        public static Scores of(double... values) {
            return new Scores(values, values, List.of(), Optional.empty());
        }

        /** The score of each passage, in their order. Must not be changed. */
        public double[] values() {
            return values;
        }

        /**
         * The same for a ranking: in prose, words of the query that are close together count more (see {@link BestWindow}).
         * Must not be changed.
         */
        public double[] withProximity() {
            return withProximity;
        }

        /**
         * The query's language, if some of the passages have it, as a code of ISO 639-1; empty for English, and if the query does
         * not tell.
         */
        public Optional<String> language() {
            return language;
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
        List<QueryWord> counted = searched(analysed.wanted(), known);
        Weights weights = Weights.of(counted, known);
        double[] scores =
                analysed.passages().stream().mapToDouble(weights::score).toArray();
        if (isSourceCode(passages, scores)) {
            return new Scores(scores, scores, counted, analysed.language());
        }
        double[] withProximity = new double[scores.length];
        BestWindow window = weights.window();
        for (int i = 0; i < scores.length; i++) {
            double best = weights.score(analysed.passages().get(i), window);
            withProximity[i] = (1 - PROXIMITY) * scores[i] + PROXIMITY * best;
        }
        return new Scores(scores, withProximity, counted, analysed.language());
    }

    private static boolean isSourceCode(List<String> passages, double[] scores) {
        return SourceCode.is(IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer passage) -> -scores[passage]))
                .limit(WeightedSumFusion.BEST)
                .map(passages::get)
                .toList());
    }

    /**
     * What the words of a query are worth.
     *
     * @param words those that count; a word may be there several times
     * @param shares the idf of each word, divided by the sum of all
     * @param mean the mean length of passages in terms
     */
    private record Weights(List<QueryWord> words, double[] shares, double mean) {
        static Weights of(List<QueryWord> words, TermStatistics known) {
            double[] idf = words.stream()
                    .mapToLong(word -> known.holders().getOrDefault(word.name(), 0L))
                    .mapToDouble(holders -> Math.log(1 + (known.passages() - holders + 0.5) / (holders + 0.5)))
                    .toArray();
            double most = DoubleStream.of(idf).sum();
            double[] shares =
                    DoubleStream.of(idf).map(one -> most > 0 ? one / most : one).toArray();
            double mean = Math.max(1, (double) known.terms() / Math.max(1, known.passages()));
            return new Weights(words, shares, mean);
        }

        BestWindow window() {
            return new BestWindow(
                    words.size(),
                    BestWindow.terms(words.stream().map(QueryWord::name).toList()));
        }

        double score(AnalysedPassage passage) {
            double sum = 0;
            for (int word = 0; word < shares.length; word++) {
                sum += score(word, passage.count(words.get(word)), passage.length());
            }
            return sum;
        }

        double score(AnalysedPassage passage, BestWindow window) {
            for (int word = 0; word < shares.length; word++) {
                for (String term : words.get(word).terms()) {
                    window.add(word, passage.placesInText(term));
                }
            }
            int length = Math.min(window.terms(), passage.length());
            return window.score((word, count) -> score(word, count, length));
        }

        private double score(int word, int count, int length) {
            return shares[word] * count / (count + K1 * (1 - B + B * length / mean));
        }
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

    /** A passage: its number of terms, how many are in its text, and the positions of those that the query has. */
    private record AnalysedPassage(int length, int inText, Map<String, int[]> positions) {
        private static final int[] NOWHERE = {};

        static AnalysedPassage of(ChunkTerms terms, Set<String> wanted) {
            Map<String, IntStream.Builder> positions = new HashMap<>();
            for (int position = 0; position < terms.all().size(); position++) {
                String term = terms.all().get(position);
                if (wanted.contains(term)) {
                    positions.computeIfAbsent(term, _ -> IntStream.builder()).add(position);
                }
            }
            Map<String, int[]> arrays = new HashMap<>();
            positions.forEach((term, found) -> arrays.put(term, found.build().toArray()));
            return new AnalysedPassage(terms.all().size(), terms.inText(), arrays);
        }

        private int[] positions(String term) {
            return positions.getOrDefault(term, NOWHERE);
        }

        int[] placesInText(String term) {
            return IntStream.of(positions(term))
                    .takeWhile(position -> position < inText)
                    .toArray();
        }

        int count(QueryWord word) {
            return word.terms().stream()
                    .mapToInt(term -> positions(term).length)
                    .sum();
        }
    }

    /** The query's words and language, and the passages; each is analysed in its language. */
    private record Analysed(List<QueryWord> wanted, Optional<String> language, List<AnalysedPassage> passages) {
        static Analysed of(String query, List<String> texts) {
            Set<Language> languages = EnumSet.noneOf(Language.class);
            List<ChunkTerms> terms = new ArrayList<>();
            for (String text : texts) {
                Optional<Language> language = LanguageDetector.of(text);
                language.ifPresent(languages::add);
                terms.add(ChunkTerms.of(text, "", language));
            }
            List<QueryWord> wanted = TextAnalysis.ofQuery(query, languages);
            Set<String> wantedTerms = new HashSet<>();
            wanted.forEach(word -> wantedTerms.addAll(word.terms()));
            return new Analysed(
                    wanted,
                    LanguageDetector.ofQuery(query, languages).map(Language::code),
                    terms.stream()
                            .map(all -> AnalysedPassage.of(all, wantedTerms))
                            .toList());
        }

        TermStatistics statistics() {
            Map<String, Long> holders = new HashMap<>();
            for (QueryWord word : wanted) {
                holders.put(
                        word.name(),
                        passages.stream()
                                .filter(passage -> passage.count(word) > 0)
                                .count());
            }
            return new TermStatistics(
                    passages.size(),
                    passages.stream().mapToLong(AnalysedPassage::length).sum(),
                    holders);
        }
    }
}
