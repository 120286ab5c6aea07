package switchboard.backend.opensearch;

import java.util.Locale;

/** How an index is searched. */
enum SearchMode {
    KEYWORD,
    VECTOR,
    HYBRID;

    /** The mode that is called {@code word} in arguments. */
    static SearchMode of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Its name in arguments and answers. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
