package switchboard.federation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.SpellingSuggestion;
import switchboard.call.TermStatistics;

/**
 * A query in which words that no source has are replaced by similar ones that a source has.
 *
 * @param text the query to ask instead
 * @param corrections what was replaced; at least one word
 */
record CorrectedQuery(String text, List<SpellingSuggestion.Correction> corrections) {
    CorrectedQuery {
        corrections = List.copyOf(corrections);
    }

    /**
     * The query after correction; empty if there is nothing to correct.
     *
     * @param offered what the sources that lack a word have instead
     * @param known which words the sources have, and the passages that they gave
     */
    static Optional<CorrectedQuery> of(String query, List<SpellingSuggestion> offered, TermStatistics known) {
        Map<String, SpellingSuggestion> best = new LinkedHashMap<>();
        offered.stream()
                .filter(word -> known.holders().getOrDefault(word.term(), 0L) == 0)
                .forEach(word -> best.merge(word.written(), word, CorrectedQuery::better));
        String text = query;
        for (SpellingSuggestion word : best.values()) {
            text = wholeWord(word.written()).matcher(text).replaceAll(Matcher.quoteReplacement(word.searched()));
        }
        return text.equals(query)
                ? Optional.empty()
                : Optional.of(new CorrectedQuery(
                        text,
                        best.values().stream()
                                .map(SpellingSuggestion::correction)
                                .toList()));
    }

    private static SpellingSuggestion better(SpellingSuggestion one, SpellingSuggestion other) {
        int order = Double.compare(one.similarity(), other.similarity());
        boolean first = order == 0 ? one.searched().compareTo(other.searched()) <= 0 : order > 0;
        return first ? one : other;
    }

    private static Pattern wholeWord(String word) {
        return Pattern.compile("(?<![\\p{L}\\p{M}\\p{N}_])" + Pattern.quote(word) + "(?![\\p{L}\\p{M}\\p{N}_])");
    }
}
