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

    private static final String APOSTROPHES = "'’";

    private MatchedWords() {}

    /** The first different words of {@code text} with one of {@code terms}, as the text writes them. */
    static List<String> in(String text, Set<String> terms) {
        Optional<Language> language = LanguageDetector.of(text);
        Map<String, String> found = new LinkedHashMap<>();
        for (String word : words(text)) {
            if (found.size() >= MAX) {
                break;
            }
            add(found, word, terms, language);
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
            matching.stream().map(TextAnalysis::readable).forEach(term -> found.putIfAbsent(term, term));
        }
    }

    /** The parts of {@code text} between its punctuation, dots too. A script without spaces has parts of its own. */
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            int end = at + Character.charCount(point);
            if (TextAnalysis.inWord(point)) {
                end = TextAnalysis.unspaced(point)
                        ? TextAnalysis.endOfRun(text, end, true)
                        : TextAnalysis.endOfWord(text, end, APOSTROPHES);
                words.add(text.substring(at, end));
            }
            at = end;
        }
        return words;
    }
}
