package switchboard.embed;

import java.lang.Character.UnicodeScript;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The scripts (Latin, Cyrillic, Han) that a model was trained on. A model gives a vector for any text, but the vector of a
 * text in a script that it does not know says nearly nothing. Immutable.
 *
 * @param known the scripts; empty for all
 */
public record UnicodeScripts(Set<UnicodeScript> known) {
    /** All scripts: the default for a model without declared ones. */
    public static final UnicodeScripts ALL = new UnicodeScripts(Set.of());

    /** Latin letters: English, German, Vietnamese. */
    public static final UnicodeScripts LATIN = new UnicodeScripts(Set.of(UnicodeScript.LATIN));

    /** Chinese characters. */
    public static final UnicodeScripts HAN = new UnicodeScripts(Set.of(UnicodeScript.HAN));

    /** Scripts with a character for each syllable or word. */
    private static final Set<UnicodeScript> DENSE = EnumSet.of(
            UnicodeScript.HAN,
            UnicodeScript.HIRAGANA,
            UnicodeScript.KATAKANA,
            UnicodeScript.HANGUL,
            UnicodeScript.BOPOMOFO,
            UnicodeScript.YI);

    /** How many letters of an alphabet say as much as one character of a dense script, about. */
    private static final int LETTERS_PER_CHARACTER = 3;

    public UnicodeScripts {
        known = Set.copyOf(known);
    }

    /**
     * The scripts of these names, as Unicode has them ({@code Latin}, {@code Han}, {@code Cyrl}), in any case; all if there
     * are none.
     *
     * @throws IllegalArgumentException with a message for the operator that names what is unknown
     */
    public static UnicodeScripts named(List<String> names) {
        return new UnicodeScripts(names.stream().map(UnicodeScripts::script).collect(Collectors.toSet()));
    }

    private static UnicodeScript script(String name) {
        try {
            return UnicodeScript.forName(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "\"" + name
                            + "\" is not a script; write Unicode's names, such as Latin, Cyrillic, Greek, Arabic, Han,"
                            + " Hiragana, Katakana, Hangul",
                    e);
        }
    }

    /** The script in which most of what {@code text} says is written; empty for a text without letters. */
    public static Optional<UnicodeScript> dominant(String text) {
        Map<UnicodeScript, Integer> said = new EnumMap<>(UnicodeScript.class);
        text.codePoints().filter(Character::isLetter).forEach(letter -> {
            UnicodeScript script = UnicodeScript.of(letter);
            if (script != UnicodeScript.COMMON) {
                said.merge(script, weight(script), Integer::sum);
            }
        });
        return said.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    /** How many letters of an alphabet one character of this script counts for. */
    private static int weight(UnicodeScript script) {
        return DENSE.contains(script) ? LETTERS_PER_CHARACTER : 1;
    }

    /** Whether at least half of what {@code text} says is written in these scripts; true for a text without letters. */
    public boolean cover(String text) {
        if (known.isEmpty()) {
            return true;
        }
        long readable = 0;
        long other = 0;
        for (int at = 0; at < text.length(); ) {
            int letter = text.codePointAt(at);
            at += Character.charCount(letter);
            if (!Character.isLetter(letter)) {
                continue;
            }
            UnicodeScript script = UnicodeScript.of(letter);
            int weight = weight(script);
            if (known.contains(script)) {
                readable += weight;
            } else if (script != UnicodeScript.COMMON) {
                other += weight;
            }
        }
        return readable >= other;
    }

    /** Their names, for messages: {@code Latin}, {@code Han and Hiragana}. */
    @Override
    public String toString() {
        return known.stream()
                .map(script -> script.name().charAt(0)
                        + script.name().substring(1).toLowerCase(Locale.ROOT).replace('_', ' '))
                .sorted()
                .collect(Collectors.joining(" and "));
    }
}
