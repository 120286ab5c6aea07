package switchboard.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The words of a text that stand for terms of a query. */
final class MatchedWords {
    /** Maximum number of words. */
    static final int MAX = 20;

    /** Longer ones are data rather than words, and only what matches is named. */
    private static final int LONGEST = 40;

    private MatchedWords() {}

    /** The first different words of {@code text} with one of {@code terms}, as the text writes them. */
    static List<String> in(String text, Set<String> terms) {
        Optional<Language> language = LanguageDetector.of(text);
        Map<String, String> found = new LinkedHashMap<>();
        for (TextUnits.Unit unit : TextUnits.words(text, 0, text.length())) {
            if (found.size() >= MAX) {
                break;
            }
            for (String word : words(text.substring(unit.from(), unit.to()))) {
                add(found, word, terms, language);
            }
        }
        return found.values().stream().limit(MAX).toList();
    }

    private static void add(Map<String, String> found, String word, Set<String> terms, Optional<Language> language) {
        List<String> matching = TextAnalysis.ofDocument(word, language).stream()
                .filter(terms::contains)
                .toList();
        if (!matching.isEmpty() && word.length() <= LONGEST && !TextAnalysis.unspaced(word.codePointAt(0))) {
            found.putIfAbsent(word.toLowerCase(Locale.ROOT), word);
        } else {
            matching.forEach(term -> found.putIfAbsent(term, term));
        }
    }

    /** The parts of {@code text} between its punctuation. */
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        int from = -1;
        for (int at = 0; at <= text.length(); at++) {
            boolean inside = at < text.length() && partOfWord(text.charAt(at));
            if (inside && from < 0) {
                from = at;
            } else if (!inside && from >= 0) {
                words.add(text.substring(from, at));
                from = -1;
            }
        }
        return words;
    }

    private static boolean partOfWord(char c) {
        return Character.isLetterOrDigit(c)
                || Character.isSurrogate(c)
                || c == '_'
                || c == '\''
                || c == '’'
                || Character.getType(c) == Character.NON_SPACING_MARK;
    }
}
