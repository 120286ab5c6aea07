package switchboard.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import de.danielnaber.jwordsplitter.GermanWordSplitter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/**
 * The parts of German compounds: {@code Krankenversicherung} is {@code kranken} and {@code versicherung}. The word list is
 * read on first use. Thread-safe.
 */
final class GermanCompounds {
    /** Shorter words are not taken apart. */
    private static final int SHORTEST = 8;

    /** Longer words are data, not German. */
    private static final int LONGEST = 60;

    private static final GermanCompounds INSTANCE = new GermanCompounds();

    private final Cache<String, List<String>> known =
            Caffeine.newBuilder().maximumSize(20_000).build();
    private final GermanWordSplitter splitter;

    private GermanCompounds() {
        try {
            splitter = new GermanWordSplitter(true);
        } catch (IOException e) {
            throw new UncheckedIOException("The German word list can't be read", e);
        }
    }

    /** The parts in lower case; empty if {@code word} is not a compound of known words. */
    static List<String> parts(String word) {
        return word.length() < SHORTEST || word.length() > LONGEST ? List.of() : INSTANCE.split(word);
    }

    private List<String> split(String word) {
        return known.get(word.toLowerCase(Locale.GERMAN), this::splitNow);
    }

    /** One thread at a time: the library does not say that several may split. */
    private synchronized List<String> splitNow(String word) {
        List<String> parts = splitter.splitWord(word);
        return parts.size() < 2 ? List.of() : List.copyOf(parts);
    }
}
