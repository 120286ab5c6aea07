package switchboard.signal;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern of strings for languages that write no spaces, such as {@code 忽略|无视 ~8 之前|以上 ~6 指令}: one of the strings, and
 * at most so many UTF-16 units between two of them. The strings, and the texts that are compared with them, are folded as
 * {@link FoldedText} says.
 *
 * @param parts the strings of each part
 * @param gaps what may be before each part; 0 for the first
 */
record CharPhrase(List<List<String>> parts, List<Integer> gaps) {
    /** No match. */
    static final int NO = -1;

    CharPhrase {
        parts = List.copyOf(parts);
        gaps = List.copyOf(gaps);
    }

    /** Whether {@code line} has letters of such a language: Han, Kana, Hangul. */
    static boolean fits(String line) {
        return line.chars().anyMatch(c -> c >= 0x2E80 && c < 0xFB00);
    }

    static CharPhrase parse(String line) {
        List<List<String>> parts = new ArrayList<>();
        List<Integer> gaps = new ArrayList<>();
        int gap = 0;
        for (String part : line.split(" ")) {
            if (part.charAt(0) == '~') {
                gap = Integer.parseInt(part.substring(1));
            } else {
                parts.add(List.of(FoldedText.of(part.replace('_', ' ')).text().split("\\|")));
                gaps.add(gap);
                gap = 0;
            }
        }
        return new CharPhrase(parts, gaps);
    }

    /** Where it ends in {@code text}, if it begins at {@code from}; {@link #NO} if it does not. */
    int end(String text, int from) {
        int at = startingAt(parts.getFirst(), text, from);
        for (int part = 1; part < parts.size() && at != NO; part++) {
            at = within(parts.get(part), text, at, gaps.get(part));
        }
        return at;
    }

    private static int within(List<String> strings, String text, int from, int gap) {
        for (int i = from; i <= from + gap && i < text.length(); i++) {
            int end = startingAt(strings, text, i);
            if (end != NO) {
                return end;
            }
            if ("。!?\n".indexOf(text.charAt(i)) >= 0) {
                return NO;
            }
        }
        return NO;
    }

    private static int startingAt(List<String> strings, String text, int at) {
        for (String string : strings) {
            if (text.startsWith(string, at)) {
                return at + string.length();
            }
        }
        return NO;
    }
}
