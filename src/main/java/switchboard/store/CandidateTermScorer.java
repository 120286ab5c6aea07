package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.SmallFloat;
import org.jspecify.annotations.Nullable;

/**
 * Scores chunks that were found already: by the query's words, by its pairs of neighbouring words, and by the window that has
 * most of its words. The first two scores equal those of Lucene's term, synonym and phrase queries, but each term is looked up
 * only once.
 */
final class CandidateTermScorer {
    private static final int[] NOWHERE = {};

    private final IndexSearcher searcher;
    private final List<ScoredWord> words = new ArrayList<>();
    private final List<Map.Entry<String, TermStates>> terms = new ArrayList<>();
    private final List<Pair> pairs = new ArrayList<>();
    private final int windowTerms;

    /** A query's word that is in the index. The scorer includes how often the query has it. */
    private record ScoredWord(int firstTerm, int terms, SimScorer scorer) {}

    /** Two neighbouring words of the query, by their positions in the word list. */
    private record Pair(int first, int second, SimScorer scorer) {}

    /**
     * A scorer for a query.
     *
     * @param asked the names of the query's words in order
     * @param most maximum number of pairs; the rest is ignored
     * @param known the words that are in the index, each once
     */
    CandidateTermScorer(IndexSearcher searcher, List<String> asked, int most, List<IndexedWord> known)
            throws IOException {
        this.searcher = searcher;
        this.windowTerms =
                BestWindow.terms(known.stream().map(IndexedWord::name).toList());
        CollectionStatistics all = searcher.collectionStatistics(DocumentSchema.CONTENT);
        Map<String, Integer> places = new HashMap<>();
        for (IndexedWord word : known) {
            places.put(word.name(), words.size());
            words.add(new ScoredWord(terms.size(), word.states().size(), word.scorer(all)));
            terms.addAll(word.states().entrySet());
        }
        for (List<String> pair : neighbours(asked, most)) {
            Integer first = places.get(pair.getFirst());
            Integer second = places.get(pair.getLast());
            if (first != null && second != null) {
                TermStatistics[] both = {
                    known.get(first).statistics(), known.get(second).statistics()
                };
                pairs.add(new Pair(first, second, KeywordRetriever.SIMILARITY.scorer(1, all, both)));
            }
        }
    }

    private static Set<List<String>> neighbours(List<String> terms, int most) {
        Set<List<String>> pairs = new LinkedHashSet<>();
        for (int i = 0; i + 1 < terms.size() && pairs.size() < most; i++) {
            pairs.add(terms.subList(i, i + 2));
        }
        return pairs;
    }

    /** Scores {@code chunks} (ascending) by the query's terms, and by nothing else. */
    WordScores frequencyScores(int[] chunks) throws IOException {
        Map<Integer, Double> bm25 = new LinkedHashMap<>();
        for (ChunkScores<Double> one : scoreAll(chunks, PostingsEnum.FREQS, SegmentPostings::termScore)) {
            put(bm25, one.chunk(), one.scores());
        }
        return new WordScores(bm25, Map.of(), Map.of());
    }

    /** Scores {@code chunks} (ascending) also by where the query's terms are, which takes longer. */
    WordScores positionScores(int[] chunks) throws IOException {
        WordScores all = new WordScores(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
        for (ChunkScores<PositionScores> one :
                scoreAll(chunks, PostingsEnum.POSITIONS, SegmentPostings::positionScores)) {
            put(all.bm25(), one.chunk(), one.scores().terms());
            put(all.pairs(), one.chunk(), one.scores().pairs());
            put(all.windows(), one.chunk(), one.scores().window());
        }
        return all;
    }

    private static void put(Map<Integer, Double> scores, int chunk, double score) {
        if (score > 0) {
            scores.put(chunk, (double) (float) score);
        }
    }

    /** The scores of a chunk, see {@link WordScores}. */
    private record PositionScores(double terms, double pairs, double window) {}

    /**
     * Scores the documents of {@code chunks} (ascending) by the query's terms: of each term counts the chunk that has most of
     * it. Documents without any of them are left out.
     */
    Map<Integer, Double> documentScores(int[] chunks, DocumentOf documentOf) throws IOException {
        Map<Integer, double[]> best = new HashMap<>();
        for (ChunkScores<double[]> one : scoreAll(chunks, PostingsEnum.FREQS, SegmentPostings::wordScores)) {
            double[] of = best.computeIfAbsent(documentOf.chunk(one.chunk()), _ -> new double[words.size()]);
            Arrays.setAll(of, word -> Math.max(of[word], one.scores()[word]));
        }
        Map<Integer, Double> sums = new HashMap<>();
        best.forEach((document, of) -> sums.put(document, DoubleStream.of(of).sum()));
        return sums;
    }

    /** Tells the document of a chunk. */
    interface DocumentOf {
        int chunk(int chunk) throws IOException;
    }

    /** Scores the chunk at the current position of a segment. */
    private interface Scoring<T> {
        T score(SegmentPostings segment) throws IOException;
    }

    /** A chunk with what a {@link Scoring} gave. */
    private record ChunkScores<T>(int chunk, T scores) {}

    private <T> List<ChunkScores<T>> scoreAll(int[] chunks, int flags, Scoring<T> scoring) throws IOException {
        return EachSegment.read(searcher, segment -> scoreSegment(segment, chunks, flags, scoring)).stream()
                .flatMap(List::stream)
                .toList();
    }

    private <T> List<ChunkScores<T>> scoreSegment(
            LeafReaderContext segment, int[] chunks, int flags, Scoring<T> scoring) throws IOException {
        int from = firstAtLeast(chunks, segment.docBase);
        int to = firstAtLeast(chunks, segment.docBase + segment.reader().maxDoc());
        if (from == to) {
            return List.of();
        }
        List<ChunkScores<T>> scores = new ArrayList<>(to - from);
        SegmentPostings postings = new SegmentPostings(segment, flags);
        for (int at = from; at < to; at++) {
            postings.advance(chunks[at] - segment.docBase);
            scores.add(new ChunkScores<>(chunks[at], scoring.score(postings)));
        }
        return scores;
    }

    /** The place in {@code chunks} (ascending) of the first that is at least {@code number}. */
    private static int firstAtLeast(int[] chunks, int number) {
        int at = Arrays.binarySearch(chunks, number);
        return at < 0 ? -at - 1 : at;
    }

    /** The postings of the terms in one segment, moved from chunk to chunk. */
    private final class SegmentPostings {
        private final @Nullable PostingsEnum[] lists = new PostingsEnum[terms.size()];
        private final boolean[] here = new boolean[lists.length];
        /** The positions of each word, once they are asked for: Lucene can read them only once, and a word may be in two pairs. */
        private final int[] @Nullable [] positions = new int[words.size()][];

        private final @Nullable NumericDocValues norms;
        private final @Nullable NumericDocValues termsInText;
        private final BestWindow window = new BestWindow(words.size(), windowTerms);
        private long norm;

        /** The first position that is not in the text. */
        private int end;

        SegmentPostings(LeafReaderContext context, int flags) throws IOException {
            norms = context.reader().getNormValues(DocumentSchema.CONTENT);
            termsInText = context.reader().getNumericDocValues(DocumentSchema.IN_TEXT);
            Terms all = context.reader().terms(DocumentSchema.CONTENT);
            TermsEnum found = all == null ? TermsEnum.EMPTY : all.iterator();
            for (int i = 0; i < lists.length; i++) {
                IOSupplier<TermState> supplier = terms.get(i).getValue().get(context);
                TermState state = supplier == null ? null : supplier.get();
                if (state != null) {
                    found.seekExact(IndexedWord.term(terms.get(i).getKey()).bytes(), state);
                    lists[i] = found.postings(null, flags);
                }
            }
        }

        void advance(int document) throws IOException {
            for (int i = 0; i < lists.length; i++) {
                PostingsEnum list = lists[i];
                if (list != null && list.docID() < document) {
                    list.advance(document);
                }
                here[i] = list != null && list.docID() == document;
            }
            Arrays.fill(positions, null);
            norm = norms != null && norms.advanceExact(document) ? norms.longValue() : 1;
            end = termsInText != null && termsInText.advanceExact(document)
                    ? Math.toIntExact(termsInText.longValue())
                    : Integer.MAX_VALUE;
        }

        double termScore() throws IOException {
            double sum = 0;
            for (ScoredWord word : words) {
                sum += wordScore(word);
            }
            return sum;
        }

        PositionScores positionScores() throws IOException {
            return new PositionScores(termScore(), pairScore(), windowScore());
        }

        double[] wordScores() throws IOException {
            double[] scores = new double[words.size()];
            for (int word = 0; word < scores.length; word++) {
                scores[word] = wordScore(words.get(word));
            }
            return scores;
        }

        private double wordScore(ScoredWord word) throws IOException {
            int frequency = 0;
            for (int i = word.firstTerm(); i < word.firstTerm() + word.terms(); i++) {
                PostingsEnum list = lists[i];
                frequency += here[i] && list != null ? list.freq() : 0;
            }
            return frequency == 0 ? 0 : word.scorer().score(frequency, norm);
        }

        double pairScore() throws IOException {
            double sum = 0;
            for (Pair pair : pairs) {
                int times = times(positions(pair.first()), positions(pair.second()));
                sum += times == 0 ? 0 : pair.scorer().score(times, norm);
            }
            return sum;
        }

        double windowScore() throws IOException {
            for (int word = 0; word < words.size(); word++) {
                window.add(word, positions(word));
            }
            // Longer texts have larger norms. A window is not longer than its chunk.
            int length = Math.min(SmallFloat.intToByte4(windowTerms), Byte.toUnsignedInt((byte) norm));
            return window.score((word, count) -> words.get(word).scorer().score(count, length));
        }

        /** The positions of a word in the text of the current chunk, ascending. */
        private int[] positions(int word) throws IOException {
            int[] known = positions[word];
            if (known == null) {
                known = read(words.get(word));
                positions[word] = known;
            }
            return known;
        }

        private int[] read(ScoredWord word) throws IOException {
            int[] all = NOWHERE;
            for (int i = word.firstTerm(); i < word.firstTerm() + word.terms(); i++) {
                PostingsEnum list = lists[i];
                if (list != null && here[i]) {
                    all = all.length == 0 ? positions(list) : ascending(all, positions(list));
                }
            }
            return all;
        }

        private static int[] ascending(int[] some, int[] others) {
            int[] all = Arrays.copyOf(some, some.length + others.length);
            System.arraycopy(others, 0, all, some.length, others.length);
            Arrays.sort(all);
            return all;
        }

        private int[] positions(PostingsEnum list) throws IOException {
            int[] found = new int[list.freq()];
            for (int i = 0; i < found.length; i++) {
                found[i] = list.nextPosition();
                if (found[i] >= end) {
                    return Arrays.copyOf(found, i);
                }
            }
            return found;
        }

        /** Counts how often a position in {@code second} directly follows one in {@code first}. */
        private static int times(int[] first, int[] second) {
            int times = 0;
            int at = 0;
            for (int position : first) {
                while (at < second.length && second[at] <= position) {
                    at++;
                }
                times += at < second.length && second[at] == position + 1 ? 1 : 0;
            }
            return times;
        }
    }
}
