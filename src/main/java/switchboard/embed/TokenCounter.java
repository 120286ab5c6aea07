package switchboard.embed;

import java.util.stream.IntStream;

/** Splits texts into a model's tokens. Thread-safe; the time is proportional to the length of the text. */
public interface TokenCounter {
    /** For a model of which no tokens are known: no text has any. */
    TokenCounter UNKNOWN = _ -> new int[0];

    /** The minimum number of tokens of a text that is spelled: an abbreviation such as "SSO" has fewer. */
    int SPELLED_TOKENS = 3;

    /**
     * The start of each token, ascending, as an offset in UTF-16 units, without special tokens. A chunk of {@code n}
     * tokens that begins at token {@code i} ends before {@code starts[i + n]}.
     */
    int[] starts(String text);

    /** The number of tokens of {@code text}. */
    default int count(String text) {
        return starts(text).length;
    }

    /**
     * Whether the model only spells {@code text}: it has no longer tokens for it than one or two letters, as for a slip of the
     * keyboard. The vector of such a text is near others by chance. False for texts in other scripts than Latin, whose words
     * are short.
     */
    default boolean spells(String text) {
        if (!UnicodeScripts.LATIN.cover(text)) {
            return false;
        }
        long letters = text.codePoints().filter(Character::isLetterOrDigit).count();
        long tokens = IntStream.of(starts(text))
                .filter(start -> Character.isLetterOrDigit(text.codePointAt(start)))
                .count();
        return tokens >= SPELLED_TOKENS && letters < 2 * tokens;
    }
}
