package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.IndexSearcher;

/**
 * The words of a query in an index. Of a query with more than {@value #MAX} different words, such as a pasted log, only the most
 * telling ones are searched: those that the fewest chunks have.
 *
 * @param words all words that are searched, in order
 * @param known those that are in the index, each once
 * @param missing those that are in no chunk, each once; none of a long query
 * @param asked how many different words the query has
 */
record QueryWords(List<QueryWord> words, List<IndexedWord> known, List<QueryWord> missing, int asked) {
    /** Maximum number of distinct words that are searched. */
    static final int MAX = 128;

    /** Maximum number of distinct words of a query that are looked up in the index; later ones are ignored. */
    private static final int LOOKED_UP = 4096;

    /** Looks up {@code words}. */
    static QueryWords of(IndexSearcher searcher, List<QueryWord> words) throws IOException {
        Map<QueryWord, Integer> counts = counted(words);
        boolean all = counts.size() <= MAX;
        List<IndexedWord> known = new ArrayList<>();
        List<QueryWord> missing = new ArrayList<>();
        List<QueryWord> lookedUp = counts.keySet().stream().limit(LOOKED_UP).toList();
        Map<String, TermStates> terms = TermLookup.of(
                searcher,
                lookedUp.stream().flatMap(word -> word.terms().stream()).toList());
        for (QueryWord word : lookedUp) {
            // A log repeats what says least.
            IndexedWord.of(terms, word, all ? counts.getOrDefault(word, 1) : 1)
                    .ifPresentOrElse(known::add, () -> missing.add(word));
        }
        return all ? new QueryWords(words, known, missing, counts.size()) : telling(words, known, counts.size());
    }

    private static QueryWords telling(List<QueryWord> words, List<IndexedWord> known, int asked) {
        List<IndexedWord> kept = mostTelling(known, IndexedWord::docFreq);
        Set<String> names = new HashSet<>();
        kept.forEach(word -> names.add(word.name()));
        return new QueryWords(
                words.stream().filter(word -> names.contains(word.name())).toList(), kept, List.of(), asked);
    }

    /** The {@value #MAX} words that the fewest texts have, in their order; none that no text has. */
    static <W> List<W> mostTelling(List<W> words, ToLongFunction<W> holders) {
        Set<W> kept = new HashSet<>(words.stream()
                .filter(word -> holders.applyAsLong(word) > 0)
                .sorted(Comparator.comparingLong(holders))
                .limit(MAX)
                .toList());
        return words.stream().filter(kept::contains).toList();
    }

    private static Map<QueryWord, Integer> counted(List<QueryWord> words) {
        Map<String, QueryWord> byName = new HashMap<>();
        Map<QueryWord, Integer> counts = new LinkedHashMap<>();
        for (QueryWord word : words) {
            counts.merge(byName.computeIfAbsent(word.name(), _ -> word), 1, Integer::sum);
        }
        return counts;
    }

    /** A note on which words of a long query are searched; empty if all are. */
    Optional<String> shortened() {
        return asked <= MAX
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "The query has %d different words: the %d that the fewest passages have were searched.",
                        asked,
                        known.size()));
    }

    /** The names of the words, in order. */
    List<String> names() {
        return words.stream().map(QueryWord::name).toList();
    }

    /** For each word the number of chunks that have it. */
    Map<String, Long> holders() {
        Map<String, Long> holders = new HashMap<>();
        missing.forEach(word -> holders.put(word.name(), 0L));
        known.forEach(word -> holders.put(word.name(), (long) word.docFreq()));
        return holders;
    }
}
