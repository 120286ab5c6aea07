package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.search.IndexSearcher;

/**
 * The words of a query in an index.
 *
 * @param words all words, in order
 * @param known those that are in the index, each once
 * @param missing those that are in no chunk, each once
 */
record QueryWords(List<Word> words, List<IndexedWord> known, List<Word> missing) {
    /** Maximum number of distinct words of a query; later ones are ignored. Enough for a page of pasted text. */
    static final int MAX = 512;

    /** Looks up {@code words}. */
    static QueryWords of(IndexSearcher searcher, List<Word> words) throws IOException {
        List<IndexedWord> known = new ArrayList<>();
        List<Word> missing = new ArrayList<>();
        for (Map.Entry<Word, Integer> entry : counted(words).entrySet()) {
            Optional<IndexedWord> word = IndexedWord.of(searcher, entry.getKey(), entry.getValue());
            word.ifPresentOrElse(known::add, () -> missing.add(entry.getKey()));
        }
        return new QueryWords(words, known, missing);
    }

    private static Map<Word, Integer> counted(List<Word> words) {
        Map<String, Word> byName = new HashMap<>();
        Map<Word, Integer> counts = new LinkedHashMap<>();
        for (Word word : words) {
            Word first = byName.computeIfAbsent(word.name(), _ -> word);
            if (counts.size() < MAX || counts.containsKey(first)) {
                counts.merge(first, 1, Integer::sum);
            }
        }
        return counts;
    }

    /** The names of the words, in order. */
    List<String> names() {
        return words.stream().map(Word::name).toList();
    }

    /** For each word the number of chunks that have it. */
    Map<String, Long> holders() {
        Map<String, Long> holders = new HashMap<>();
        missing.forEach(word -> holders.put(word.name(), 0L));
        known.forEach(word -> holders.put(word.name(), (long) word.docFreq()));
        return holders;
    }
}
