package switchboard.signal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The phrases of {@code phrases.txt}: those of languages with words by their first word, and those without. */
final class PhraseBook {
    private static final Phrase[] NONE = {};
    private static final CharPhrase[] NO_CHARS = {};

    private final long[] keys;
    private final Phrase[][] phrases;
    /** By the character that they begin with. */
    private final CharPhrase[][] charPhrases = new CharPhrase[0x10000][];

    private PhraseBook(Map<Long, List<Phrase>> byWord, Map<Character, Set<CharPhrase>> byChar) {
        int size = Integer.highestOneBit(Math.max(1, byWord.size())) * 8;
        this.keys = new long[size];
        this.phrases = new Phrase[size][];
        byChar.forEach((first, set) -> charPhrases[first] = set.toArray(CharPhrase[]::new));
        byWord.forEach((word, list) -> {
            int place = place(word);
            keys[place] = word;
            phrases[place] = list.toArray(NONE);
        });
    }

    /** The phrases of the gateway. */
    static PhraseBook shipped() {
        try (InputStream file = Objects.requireNonNull(PhraseBook.class.getResourceAsStream("phrases.txt"))) {
            return of(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static PhraseBook of(String lines) {
        Map<Long, List<Phrase>> byWord = new HashMap<>();
        Map<Character, Set<CharPhrase>> byChar = new HashMap<>();
        lines.lines().filter(line -> !line.isBlank() && line.charAt(0) != '#').forEach(line -> {
            if (CharPhrase.fits(line)) {
                CharPhrase phrase = CharPhrase.parse(line);
                for (String part : phrase.parts().getFirst()) {
                    byChar.computeIfAbsent(part.charAt(0), _ -> new LinkedHashSet<>())
                            .add(phrase);
                }
            } else {
                Phrase phrase = Phrase.parse(line);
                for (long word : phrase.first()) {
                    byWord.computeIfAbsent(word, _ -> new ArrayList<>()).add(phrase);
                }
            }
        });
        return new PhraseBook(byWord, byChar);
    }

    /** Where {@code word} is, or would be. */
    private int place(long word) {
        int place = (int) (word ^ (word >>> 32)) & (keys.length - 1);
        while (phrases[place] != null && keys[place] != word) {
            place = (place + 1) & (keys.length - 1);
        }
        return place;
    }

    /** The phrases that begin with {@code word}; must not be changed. */
    Phrase[] beginningWith(long word) {
        Phrase[] found = phrases[place(word)];
        return found == null ? NONE : found;
    }

    /** The phrases of languages that write no spaces, which begin with {@code first}; must not be changed. */
    CharPhrase[] beginningWith(char first) {
        CharPhrase[] found = charPhrases[first];
        return found == null ? NO_CHARS : found;
    }
}
