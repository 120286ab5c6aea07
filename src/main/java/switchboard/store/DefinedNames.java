package switchboard.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the names of what source code defines: functions, classes and the like, one a line, by words and signs that many
 * programming languages have. It is a guess: a name that is missed or found by mistake only changes a weight.
 */
final class DefinedNames {
    /** What stands directly before the name of a definition. */
    private static final Set<String> DEFINING = words("def class fn func function struct enum trait interface impl"
            + " record type module mod namespace object protocol");

    /** What stands before a bracket without being, or before, the name of a definition. */
    private static final Set<String> OTHER = words("return if for while else new throw await switch catch elif assert"
            + " case yield in not and or print raise super function");

    /** Signs of types and modifiers before a name, besides letters and digits. */
    private static final String IN_TYPES = "_<>[],.&*:?@";

    /** Longer lines are data, or made for machines. */
    private static final int MAX_LINE = 1000;

    private static final List<String> COMMENTS = List.of("//", "/*", "*", "#");

    private DefinedNames() {}

    private static Set<String> words(String spaced) {
        return Set.of(spaced.split(" "));
    }

    /** The names that {@code code} defines, in order. */
    static List<String> of(String code) {
        return code.lines()
                .map(String::strip)
                .filter(line -> line.length() <= MAX_LINE)
                .filter(line -> COMMENTS.stream().noneMatch(line::startsWith))
                .flatMap(line -> afterWord(line).or(() -> beforeBracket(line)).stream())
                .toList();
    }

    /** The name after one of {@link #DEFINING} that is not in quotes. */
    private static Optional<String> afterWord(String line) {
        int at = 0;
        while (at < line.length() && line.charAt(at) != '"' && line.charAt(at) != '\'') {
            int end = endOfName(line, at);
            int next = afterSpaces(line, end);
            if (DEFINING.contains(line.substring(at, end)) && (next > end || line.startsWith("<", end))) {
                int name = startOfName(line, next);
                if (endOfName(line, name) > name) {
                    return Optional.of(line.substring(name, endOfName(line, name)));
                }
            }
            at = Math.max(end, at + 1);
        }
        return Optional.empty();
    }

    /** Where the name after a defining word may start: after a receiver in Go, and after variables of types in Rust. */
    private static int startOfName(String line, int from) {
        return after(line, after(line, from, '(', ')'), '<', '>');
    }

    private static int afterSpaces(String line, int from) {
        int at = from;
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        return at;
    }

    /** The place after a bracket that is at {@code from}, and after the spaces that follow; {@code from} if none is there. */
    private static int after(String line, int from, char open, char close) {
        int end = from < line.length() && line.charAt(from) == open ? line.indexOf(close, from) : -1;
        return end < 0 ? from : afterSpaces(line, end + 1);
    }

    /** The end of the name that starts at {@code from}; {@code from} if none does. */
    private static int endOfName(String line, int from) {
        int at = from;
        while (at < line.length() && Character.isJavaIdentifierPart(line.charAt(at))) {
            at++;
        }
        return at;
    }

    /** The name before the first round bracket of a line such as {@code public static int find(String name) {}. */
    private static Optional<String> beforeBracket(String line) {
        int bracket = line.indexOf('(');
        if (bracket <= 0 || line.indexOf(';') >= 0 || line.indexOf('=') >= 0) {
            return Optional.empty();
        }
        List<String> before =
                new ArrayList<>(Arrays.asList(line.substring(0, bracket).strip().split("\\s+")));
        String name = withoutPointer(before.removeLast());
        boolean defined = before.isEmpty()
                ? line.endsWith("{")
                : !OTHER.contains(before.getFirst()) && before.stream().allMatch(DefinedNames::ofType);
        return defined && isName(name) ? Optional.of(name) : Optional.empty();
    }

    private static String withoutPointer(String name) {
        int at = 0;
        while (at < name.length() && (name.charAt(at) == '*' || name.charAt(at) == '&')) {
            at++;
        }
        return name.substring(at);
    }

    private static boolean isName(String word) {
        return !word.isEmpty()
                && Character.isJavaIdentifierStart(word.charAt(0))
                && endOfName(word, 0) == word.length()
                && !OTHER.contains(word);
    }

    private static boolean ofType(String word) {
        return word.chars().allMatch(c -> Character.isLetterOrDigit(c) || IN_TYPES.indexOf(c) >= 0);
    }
}
