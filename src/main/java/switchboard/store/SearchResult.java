package switchboard.store;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import switchboard.call.SpellingSuggestion;
import switchboard.call.TermStatistics;

/**
 * The result of a search.
 *
 * @param hits best first; ties in the order of source, position in the document, namespace
 * @param vectorsNotUsed why vectors were not used for some or all documents, and what to do; safe to show. Empty if
 *     they were used, or not requested
 * @param byRank whether the scores come from ranks, whatever was requested, because vectors of several models were
 *     used and it is not known what the cosines of one mean
 * @param unreadable the namespaces that were not searched because their files are damaged
 * @param similarWords words of the query that no searched document has, with the similar ones that were searched instead, or
 *     could be: see {@link SearchRequest.Spelling}
 * @param shortened what was searched of a long query, and as of when; empty if all of it was, in everything that is stored
 * @param nothing why there are no hits, if that can be said
 * @param statistics statistics of the query's words in the searched namespaces, regardless of the filter; none if no
 *     word occurs
 * @param explanations why each hit has its score; as {@link SearchRequest#explain} says
 */
public record SearchResult(
        List<Hit> hits,
        Optional<String> vectorsNotUsed,
        boolean byRank,
        List<Namespace> unreadable,
        List<SpellingSuggestion> similarWords,
        Optional<String> shortened,
        Optional<String> nothing,
        TermStatistics statistics,
        List<ScoreExplanation> explanations) {
    public SearchResult {
        unreadable = List.copyOf(unreadable);
        similarWords = List.copyOf(similarWords);
        hits = List.copyOf(hits);
        explanations = List.copyOf(explanations);
    }

    /** The same, which says that less was searched than is stored. */
    public SearchResult limited(Optional<String> why) {
        return new SearchResult(
                hits,
                vectorsNotUsed,
                byRank,
                unreadable,
                similarWords,
                sentences(shortened, why),
                nothing,
                statistics,
                explanations);
    }

    /** Joins the sentences that are present. */
    static Optional<String> sentences(Optional<String> first, Optional<String> second) {
        return first.isEmpty()
                ? second
                : first.map(text -> second.map(more -> text + " " + more).orElse(text));
    }

    /** How the search differed from what was asked: what was shortened, corrected and left out. Empty if it did not. */
    public Optional<String> differences() {
        return differences(shortened, similarWords, unreadable);
    }

    static Optional<String> differences(
            Optional<String> shortened, List<SpellingSuggestion> corrected, List<Namespace> unreadable) {
        return sentences(sentences(shortened, corrected(corrected)), leftOut(unreadable));
    }

    /** A message that names the namespaces that were left out; empty if none were. */
    public Optional<String> leftOut() {
        return leftOut(unreadable);
    }

    /** A message that says what was corrected; empty if nothing was. */
    static Optional<String> corrected(List<SpellingSuggestion> corrections) {
        return corrections.isEmpty()
                ? Optional.empty()
                : Optional.of(corrections.stream()
                        .map(one -> "No document has \"" + one.written() + "\": \"" + one.searched()
                                + "\" was searched instead.")
                        .collect(Collectors.joining(" ")));
    }

    static Optional<String> leftOut(List<Namespace> unreadable) {
        return unreadable.isEmpty()
                ? Optional.empty()
                : Optional.of("Not searched, because their files are damaged: "
                        + unreadable.stream().map(Namespace::name).collect(Collectors.joining(", "))
                        + ". The operator finds out more with `switchboard doctor`.");
    }
}
