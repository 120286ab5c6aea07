package switchboard.insight;

import java.util.Locale;

/** What a caller did with a document that a search has given. */
public enum UseKind {
    /** It read the document. */
    FETCHED,
    /** It cited a passage of it. */
    CITED;

    /** The name of such a line in the log. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
