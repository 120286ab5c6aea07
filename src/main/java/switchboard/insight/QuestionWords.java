package switchboard.insight;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Names groups of questions by their most telling words: those that are frequent in the group and rare in others (tf-idf with
 * groups as documents). Words are those of Unicode (UAX 29), so that scripts without spaces have longer ones.
 */
final class QuestionWords {
    private static final int MOST = 3;

    /** How many groups have a word. */
    private final Map<String, Integer> groupsWith = new HashMap<>();

    private final int groups;

    /** For the questions of these groups. */
    QuestionWords(Collection<List<String>> groups) {
        this.groups = groups.size();
        for (List<String> questions : groups) {
            Set<String> words = new LinkedHashSet<>();
            questions.forEach(question -> words.addAll(words(question)));
            words.forEach(word -> groupsWith.merge(word, 1, Integer::sum));
        }
    }

    /** The most telling words of one of the groups; words of one letter only if there are no others. */
    List<String> of(List<String> questions) {
        Map<String, Integer> frequency = new HashMap<>();
        for (String question : questions) {
            new LinkedHashSet<>(words(question)).forEach(word -> frequency.merge(word, 1, Integer::sum));
        }
        return frequency.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, Integer>>comparingDouble(
                                word -> -weight(word.getKey(), word.getValue()))
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST)
                .map(Map.Entry::getKey)
                .toList();
    }

    private double weight(String word, int frequency) {
        double rare = Math.log(1 + (double) groups / groupsWith.getOrDefault(word, 1));
        double length = Math.min(1, word.codePointCount(0, word.length()) / 4.0);
        return frequency * rare * length;
    }

    private static List<String> words(String text) {
        BreakIterator breaks = BreakIterator.getWordInstance(Locale.ROOT);
        breaks.setText(text);
        List<String> words = new ArrayList<>();
        int start = breaks.first();
        for (int end = breaks.next(); end != BreakIterator.DONE; end = breaks.next()) {
            String word = text.substring(start, end).toLowerCase(Locale.ROOT);
            if (word.codePoints().anyMatch(Character::isLetterOrDigit)) {
                words.add(word);
            }
            start = end;
        }
        return words;
    }
}
