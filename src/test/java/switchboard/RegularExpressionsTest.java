package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No regular expression of the JDK in the code takes more than a few looks at each character, whatever the text is. The
 * looks are counted, not timed. Where one would, RE2 is used instead, which is linear by itself.
 */
class RegularExpressionsTest {
    private static final int LENGTH = 600;
    private static final int LOOKS = 60;
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*+)\"");
    private static final Pattern USE =
            Pattern.compile("(?:Pattern\\s*\\.compile|\\.(matches|replaceAll|replaceFirst|split))\\(");

    private static final Pattern SEARCH = Pattern.compile("\\.(find|replaceAll|replaceFirst|lookingAt|results)\\(");

    /**
     * A regular expression.
     *
     * @param searched whether it is looked for within texts, and not only held against whole ones
     */
    private record Expression(String text, boolean searched) {}

    /** What hostile texts are made of: each and every two of them, many times. */
    private static final List<String> PIECES = List.of(
            " ",
            "\t",
            "\n",
            "\r\n",
            "a",
            "A",
            "0",
            "1.",
            "-",
            "_",
            ".",
            "/",
            "\\",
            "#",
            "\"",
            "'",
            "`",
            ":",
            "@",
            "%",
            "&",
            ";",
            "=",
            "<",
            ">",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "|",
            "$",
            "+",
            "*",
            "?",
            "!",
            ",",
            "~",
            "é",
            "\u00a0",
            "e",
            "http://",
            "charset=",
            "<br />",
            "/**/",
            "--",
            "select",
            "in ",
            "the ",
            "last ",
            "2026-01-01",
            "\\u0000");

    private static final class TooManyLooks extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A text that counts how often its characters are looked at. */
    private static final class Counted implements CharSequence {
        private final String text;
        private long looks;

        Counted(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (++looks > (long) LOOKS * (text.length() + 100)) {
                throw new TooManyLooks();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            return text.substring(from, to);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @Test
    void noneTakesLongOnAnyText() throws IOException {
        Map<String, String> slow = new TreeMap<>();
        Map<Expression, String> found = expressions();
        assertTrue(found.size() > 60, "found " + found.size());
        List<String> texts = texts();
        found.forEach((expression, where) -> {
            Pattern pattern = Pattern.compile(expression.text());
            for (String text : texts) {
                try {
                    Matcher matcher = pattern.matcher(new Counted(text));
                    matcher.matches();
                    matcher.reset(new Counted(text));
                    while (expression.searched() && matcher.find()) {
                        assertTrue(matcher.end() >= matcher.start());
                    }
                } catch (TooManyLooks | StackOverflowError e) {
                    slow.putIfAbsent(
                            where + ": " + expression.text(),
                            text.substring(0, Math.min(30, text.length())) + " … " + text.substring(text.length() - 2));
                }
            }
        });
        assertEquals(Map.of(), slow);
    }

    private static List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (String one : PIECES) {
            for (String other : PIECES) {
                String many = (one + other).repeat(LENGTH / (one.length() + other.length()));
                texts.add(many + "\u0001");
            }
            String run = one.repeat(LENGTH / one.length());
            for (String before : List.of("# a", "x", "/", "{{")) {
                texts.add(before + run + "\u0001");
                texts.add(before + run + "b");
            }
        }
        return texts;
    }

    /** Each expression of the JDK's that is written in the code, with the file that it is in. */
    private static Map<Expression, String> expressions() throws IOException {
        Map<Expression, String> all = new HashMap<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String code = Files.readString(file);
                boolean searches = SEARCH.matcher(code).find();
                boolean re2 = code.contains("import com.google.re2j.Pattern;");
                Matcher use = USE.matcher(code);
                while (use.find()) {
                    if (use.group(1) == null && (re2 || code.startsWith("re2j.", use.start() - 5))) {
                        continue;
                    }
                    boolean twoTexts = use.group(1) != null && use.group(1).startsWith("replace");
                    literal(code, use.end(), twoTexts)
                            .ifPresent(text -> all.put(
                                    new Expression(
                                            text,
                                            use.group(1) == null
                                                    ? searches
                                                    : !use.group(1).equals("matches")),
                                    file.getFileName().toString()));
                }
            }
        }
        return all;
    }

    /**
     * The string that begins at {@code at}, with those that are added to it; empty if something else begins there.
     *
     * @param twoTexts whether a replacement must follow: where it does not, the string is one
     */
    private static Optional<String> literal(String code, int at, boolean twoTexts) {
        StringBuilder text = new StringBuilder();
        Matcher string = STRING.matcher(code);
        int next = skip(code, at);
        boolean any = false;
        while (next < code.length() && code.charAt(next) == '"' && string.find(next) && string.start() == next) {
            any = true;
            text.append(string.group(1).translateEscapes());
            next = skip(code, string.end());
            if (code.charAt(next) != '+') {
                break;
            }
            next = skip(code, next + 1);
        }
        return any && (!twoTexts || code.charAt(next) == ',') ? Optional.of(text.toString()) : Optional.empty();
    }

    private static int skip(String code, int at) {
        int next = at;
        while (Character.isWhitespace(code.charAt(next))) {
            next++;
        }
        return next;
    }
}
