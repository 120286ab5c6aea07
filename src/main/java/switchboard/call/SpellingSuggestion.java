package switchboard.call;

/**
 * A word of a query that is in no searched document, and the similar word that is.
 *
 * @param written the word in the query
 * @param term its term, as {@link TermStatistics#holders} names it
 * @param searched the other word, as a document writes it
 * @param similarity how similar they are, above 0 to 1
 */
public record SpellingSuggestion(String written, String term, String searched, double similarity) {
    /** The correction as results show it. */
    public record Correction(String written, String searched) {}

    /** The correction as results show it, if the other word was searched instead. */
    public Correction correction() {
        return new Correction(written, searched);
    }
}
