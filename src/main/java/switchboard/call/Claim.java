package switchboard.call;

import java.util.List;

/**
 * What is known about a caller: a claim of its access token that the configuration names, or one that the teams file gives
 * its key.
 *
 * @param texts its values
 * @param list whether it is a list, such as groups; otherwise it has one value
 */
public record Claim(List<String> texts, boolean list) {
    /** Maximum number of characters of a value. */
    public static final int MAX_CHARACTERS = 1000;

    /** Maximum number of values of a list. */
    public static final int MAX_VALUES = 1000;

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if there are too many values, or one is too long
     */
    public Claim {
        texts = List.copyOf(texts);
        if (!list && texts.size() != 1) {
            throw new IllegalArgumentException("a claim that is no list has one value");
        }
        if (texts.size() > MAX_VALUES || texts.stream().anyMatch(text -> text.length() > MAX_CHARACTERS)) {
            throw new IllegalArgumentException(
                    "a claim has at most " + MAX_VALUES + " values of " + MAX_CHARACTERS + " characters");
        }
    }

    /** A claim with one value. */
    public static Claim of(String text) {
        return new Claim(List.of(text), false);
    }

    /** A claim that is a list, which may be empty. */
    public static Claim of(List<String> texts) {
        return new Claim(texts, true);
    }

    /** A claim of a key, as the teams file has it: a list of one value is that value. */
    public static Claim ofKey(List<String> texts) {
        return new Claim(texts, texts.size() != 1);
    }

    /** Does not contain the values, which are personal data. */
    @Override
    public String toString() {
        return list ? "Claim[" + texts.size() + " values]" : "Claim[a value]";
    }
}
