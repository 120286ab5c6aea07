package switchboard.store;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A word of a query with the terms that stand for it in the index: one, one more for each language of the searched texts in
 * which it has another ending, those of its {@link Abbreviations}, and those of {@link HyphenatedWords}.
 *
 * @param written the word in the query; empty for parts of identifiers, numbers and pairs of characters, which are never
 *     corrected
 * @param name its first term, by which statistics of several collections are added up
 * @param terms different, at least one
 */
record QueryWord(String written, String name, List<String> terms) {
    QueryWord {
        terms = List.copyOf(terms);
    }

    /** A word that is the same in all languages and is never corrected. */
    QueryWord(String term) {
        this("", term, List.of(term));
    }

    /** The word as if the query had this term instead. */
    QueryWord corrected(String term) {
        return new QueryWord(written, name, List.of(term));
    }

    /** The word, for which these terms stand, too. */
    QueryWord and(Set<String> more) {
        return more.isEmpty()
                ? this
                : new QueryWord(
                        written,
                        name,
                        Stream.concat(terms.stream(), more.stream()).distinct().toList());
    }

    /** The terms of the word as it is written, without its abbreviations. */
    List<String> unabbreviated() {
        List<String> abbreviations = Abbreviations.of(name);
        return terms.stream().filter(term -> !abbreviations.contains(term)).toList();
    }
}
