package switchboard.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Words that a query writes with a hyphen and a text perhaps together: "re-entry" also finds "reentry". Both parts stand for the
 * joined word, too.
 */
final class HyphenatedWords {
    /** In texts of the normal form NFKC, which has no other. */
    private static final String HYPHENS = "-\u2010";

    /** A query has few. A pasted log may have thousands, all with the same word. */
    static final int MOST = 32;

    private HyphenatedWords() {}

    /** Two words with a hyphen between them. */
    record HyphenatedWord(String first, String second) {
        String joined() {
            return first + second;
        }
    }

    /** The first {@value #MOST} of {@code text}, a text of the normal form NFKC, whose parts are letters only. */
    static List<HyphenatedWord> in(String text) {
        List<HyphenatedWord> found = new ArrayList<>();
        for (int at = 1; at + 1 < text.length() && found.size() < MOST; at++) {
            if (HYPHENS.indexOf(text.charAt(at)) >= 0) {
                int start = at;
                while (start > 0 && inWord(text.charAt(start - 1))) {
                    start--;
                }
                int end = TextAnalysis.endOfRun(text, at + 1, false);
                if (letters(text, start, at) && letters(text, at + 1, end)) {
                    found.add(new HyphenatedWord(text.substring(start, at), text.substring(at + 1, end)));
                }
            }
        }
        return found;
    }

    private static boolean inWord(char c) {
        return Character.isSurrogate(c) || TextAnalysis.inWord(c);
    }

    private static boolean letters(String text, int start, int end) {
        return start < end && text.substring(start, end).chars().allMatch(Character::isLetter);
    }

    /**
     * {@code words}, with the terms of what {@code text} has joined by hyphens.
     *
     * @param analysis what the query has for a single word; empty for a stop word
     */
    static List<QueryWord> joined(String text, List<QueryWord> words, Function<String, Optional<QueryWord>> analysis) {
        Map<String, Set<String>> joined = new HashMap<>();
        for (HyphenatedWord one : in(text)) {
            Set<String> terms = new LinkedHashSet<>();
            analysis.apply(one.joined()).ifPresent(word -> terms.addAll(word.terms()));
            for (String part : List.of(one.first(), one.second())) {
                analysis.apply(part).ifPresent(word -> joined.computeIfAbsent(word.name(), _ -> new LinkedHashSet<>())
                        .addAll(terms));
            }
        }
        Map<QueryWord, QueryWord> done = new HashMap<>();
        return joined.isEmpty()
                ? words
                : words.stream()
                        .map(word ->
                                done.computeIfAbsent(word, one -> one.and(joined.getOrDefault(one.name(), Set.of()))))
                        .toList();
    }
}
