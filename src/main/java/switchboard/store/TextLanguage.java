package switchboard.store;

import java.lang.Character.UnicodeScript;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import switchboard.embed.UnicodeScripts;

/**
 * Detects the language of a stored text: by its script where nearly only one language is written in it, otherwise by its stop
 * words. A text that tells neither has no language here.
 */
public final class TextLanguage {
    private static final String CHINESE = "zh";
    private static final String JAPANESE = "ja";
    private static final String ENGLISH = "en";

    /** One in so many characters of a Japanese text is a kana, at least. A Chinese text may have one in a name. */
    private static final int ONE_KANA_IN = 10;

    private static final Map<UnicodeScript, String> BY_SCRIPT = Map.ofEntries(
            Map.entry(UnicodeScript.HAN, CHINESE),
            Map.entry(UnicodeScript.BOPOMOFO, CHINESE),
            Map.entry(UnicodeScript.HIRAGANA, JAPANESE),
            Map.entry(UnicodeScript.KATAKANA, JAPANESE),
            Map.entry(UnicodeScript.HANGUL, "ko"),
            Map.entry(UnicodeScript.THAI, "th"),
            Map.entry(UnicodeScript.HEBREW, "he"),
            Map.entry(UnicodeScript.GREEK, "el"),
            Map.entry(UnicodeScript.ARMENIAN, "hy"),
            Map.entry(UnicodeScript.GEORGIAN, "ka"),
            Map.entry(UnicodeScript.BENGALI, "bn"),
            Map.entry(UnicodeScript.DEVANAGARI, "hi"),
            Map.entry(UnicodeScript.TAMIL, "ta"),
            Map.entry(UnicodeScript.TELUGU, "te"));

    private TextLanguage() {}

    /** The codes of the languages that are told (ISO 639-1), sorted. */
    public static Set<String> codes() {
        Set<String> codes = new TreeSet<>(BY_SCRIPT.values());
        codes.add(ENGLISH);
        Stream.of(Language.values()).map(Language::code).forEach(codes::add);
        return codes;
    }

    /** The code of the language of {@code text}; empty if it does not tell. */
    public static Optional<String> of(String text) {
        Optional<UnicodeScript> script = UnicodeScripts.dominant(text);
        if (script.isEmpty()) {
            return Optional.empty();
        }
        if (script.get() == UnicodeScript.HAN) {
            return Optional.of(hasKana(text) ? JAPANESE : CHINESE);
        }
        String only = BY_SCRIPT.get(script.get());
        return only != null
                ? Optional.of(only)
                : LanguageDetector.of(text)
                        .map(Language::code)
                        .or(() -> LanguageDetector.english(text) ? Optional.of(ENGLISH) : Optional.empty());
    }

    private static boolean hasKana(String text) {
        long kana = letters(text, UnicodeScript.HIRAGANA) + letters(text, UnicodeScript.KATAKANA);
        return kana * ONE_KANA_IN >= letters(text, UnicodeScript.HAN);
    }

    private static long letters(String text, UnicodeScript script) {
        return text.codePoints()
                .filter(letter -> UnicodeScript.of(letter) == script)
                .count();
    }
}
