package switchboard.store;

/**
 * A word of a query that is in no searched document, and the similar word that was searched instead.
 *
 * @param written the word in the query
 * @param searched the other word, as a document writes it
 */
public record Correction(String written, String searched) {}
