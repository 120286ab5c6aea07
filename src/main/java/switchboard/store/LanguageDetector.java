package switchboard.store;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Detects the language of a text by its stop words, because every sentence has some and hardly a word is one in two unrelated
 * languages. A text with few of them (a list of names, source code) has no language here and is analysed as English.
 */
final class LanguageDetector {
    /** How many different stop words of its language a text has at least. */
    private static final int FEWEST = 3;

    /** At least one word in so many is a stop word. Prose has two to four times as many. */
    private static final int ONE_IN = 10;

    /** More words say nothing new about the language. */
    private static final int WORDS = 1000;

    private static final Pattern NOT_LETTERS = Pattern.compile("[^\\p{L}\\p{M}'’]+");
    private static final Map<String, Set<Language>> OF_STOP_WORD = ofStopWord();

    private static Map<String, Set<Language>> ofStopWord() {
        Map<String, Set<Language>> languages = new HashMap<>();
        for (Language language : Language.values()) {
            LanguageAnalyzer.of(language).stopWords().forEach(word -> languages
                    .computeIfAbsent(word, _ -> EnumSet.noneOf(Language.class))
                    .add(language));
        }
        return Map.copyOf(languages);
    }

    private LanguageDetector() {}

    /** The stop words of a language that a text has: how many, and how many different ones. */
    private record Evidence(Language language, int all, int different) {}

    /** The language of a stored text; empty for English, and if the text does not tell. */
    static Optional<Language> of(String text) {
        List<String> words = words(text);
        return best(words, Set.of(Language.values()))
                .filter(found -> found.different() >= FEWEST && found.all() * ONE_IN >= words.size())
                .map(Evidence::language);
    }

    /** Whether a stored text is English: by its stop words, too, which no other language has as many of. */
    static boolean english(String text) {
        List<String> words = words(text);
        List<String> frequent = words.stream().filter(EnglishWords::frequent).toList();
        return new HashSet<>(frequent).size() >= FEWEST && frequent.size() * ONE_IN >= words.size();
    }

    /**
     * The language of a query, of those that the searched texts have; empty for English, and if the query does not tell. A
     * query is short, so one stop word is enough if English has fewer.
     */
    static Optional<Language> ofQuery(String query, Set<Language> among) {
        return among.isEmpty() ? Optional.empty() : best(words(query), among).map(Evidence::language);
    }

    private static List<String> words(String text) {
        return NOT_LETTERS
                .splitAsStream(text)
                .filter(word -> !word.isEmpty())
                .limit(WORDS)
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Source code has many of them as names, and most languages with Latin letters have some as stop words. */
    private static boolean isLatinLetter(String word) {
        return word.length() == 1 && word.charAt(0) <= 'z';
    }

    /** The language with the most stop words in the text, if English has fewer. */
    private static Optional<Evidence> best(List<String> words, Set<Language> among) {
        Map<Language, Integer> all = new EnumMap<>(Language.class);
        Map<Language, Integer> different = new EnumMap<>(Language.class);
        Set<String> seen = new HashSet<>();
        int english = 0;
        for (String word : words) {
            english += EnglishWords.frequent(word) ? 1 : 0;
            boolean first = seen.add(word);
            if (isLatinLetter(word)) {
                continue;
            }
            for (Language language : OF_STOP_WORD.getOrDefault(word, Set.of())) {
                all.merge(language, 1, Integer::sum);
                different.merge(language, first ? 1 : 0, Integer::sum);
            }
        }
        int usual = english;
        return among.stream()
                .map(language ->
                        new Evidence(language, all.getOrDefault(language, 0), different.getOrDefault(language, 0)))
                .filter(evidence -> evidence.all() > usual)
                .max(Comparator.comparingInt(Evidence::all)
                        .thenComparingInt(Evidence::different)
                        .thenComparing(Evidence::language));
    }
}
