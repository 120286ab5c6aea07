package switchboard.backend.agentroot.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.call.ToolException;

/** What patterns match, against a matcher that tries everything, and what the worst of them cost. */
class PathGlobTest {
    private static final int ROUNDS = 40_000;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            **/*.md           | a.md            | true
            **/*.md           | a/b/c.md        | true
            **/**/**/*.md     | c.md            | true
            a/**/b            | a/b             | true
            a/**/b            | a/x/y/b         | true
            a/**/b            | axb             | false
            *.md              | a/b.md          | false
            a/**              | a/b/c           | true
            a**c              | a/b/c           | true
            ?.md              | /.md            | false
            [!/].md           | a.md            | true
            [a-c].md          | b.md            | true
            [!a-c].md         | b.md            | false
            {a,b}.{md,txt}    | b.txt           | true
            {a,b}.{md,txt}    | c.txt           | false
            a{b.md            | a{b.md          | true
            a[b.md            | a[b.md          | true
            ***/x             | a/b/x           | true
            **/               | a/              | true
            *ü*               | grün            | true
            """)
    void whatFits(String pattern, String path, boolean fits) {
        assertEquals(fits, PathGlob.byFolder("pattern", pattern).matches(path));
    }

    @Test
    void everyPatternMatchesWhatASlowMatcherSays() {
        Random random = new Random(20260301);
        String[] pieces = {"a", "b", "/", "*", "**", "**/", "/**/", "?", "[ab]", "[!a]", "{a,b/}", "{,*}", "ü"};
        int matched = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String pattern = some(random, pieces, 6);
            String path = some(random, new String[] {"a", "b", "/", "ü", "ab"}, 7);
            boolean expected = slow(SlowChoices.of(pattern), path, '/');
            matched += expected ? 1 : 0;
            assertEquals(expected, PathGlob.byFolder("pattern", pattern).matches(path), pattern + " on " + path);
            assertEquals(
                    slow(SlowChoices.of(pattern), path, '\0'),
                    PathGlob.acrossFolders("pattern", List.of(pattern)).matches(path),
                    pattern + " across folders on " + path);
        }
        assertTrue(matched > ROUNDS / 100, "too few matches to say anything: " + matched);
    }

    @Test
    void oneOfSeveralPatternsIsEnough() {
        List<String> patterns = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            patterns.add("**/" + i + "*.md");
        }
        PathGlob glob = PathGlob.acrossFolders("pattern", patterns);
        assertTrue(glob.matches("a/99.md"));
        assertTrue(glob.matches("0x.md"));
        assertFalse(glob.matches("a/x9"));
    }

    static List<String> hostile() {
        return List.of(
                "**/".repeat(1300) + "x",
                "**/".repeat(2700),
                "{*a,*aa,*aaa}".repeat(20),
                "{,a}".repeat(2000),
                "{" + ",".repeat(8000) + "}",
                "{a,{b,{c,{d".repeat(500) + "}".repeat(2000),
                "*a".repeat(1000) + "b",
                "*a".repeat(4000) + "b",
                "*".repeat(8192),
                "*?".repeat(1000),
                "a*/".repeat(600),
                "**/a/".repeat(800) + "b",
                "**/*/".repeat(1000),
                "/**/**".repeat(1000),
                "[a-z]*".repeat(1000),
                "[" + "a-z".repeat(2700) + "]",
                ("[" + "a-b".repeat(30) + "]*").repeat(80),
                "[".repeat(8192),
                "{".repeat(8192),
                "?".repeat(2000),
                "{a*b*c*,a*b*,a*}*".repeat(6));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void theWorstPatternsAreMatchedInFewStepsOrRefusedByName(String pattern) {
        List<String> paths = List.of("a".repeat(200), "a/".repeat(100), "x", "aab".repeat(60), "b/a/".repeat(50) + "x");
        PathGlob glob;
        try {
            glob = PathGlob.acrossFolders("pattern", List.of(pattern));
        } catch (ToolException e) {
            String said = e.failed().message();
            assertTrue(said.startsWith("pattern ") && said.contains("" + PathGlob.MAX_PARTS), said);
            return;
        }
        for (String path : paths) {
            glob.matches(path);
            long most = path.length() * (PathGlob.MAX_PARTS / 64L + 1);
            assertTrue(glob.steps(path) <= most, pattern.substring(0, 20) + " on " + path + ": " + glob.steps(path));
        }
    }

    @Test
    void whatTheIssueNamesIsMatchedNotRefused() {
        assertTrue(PathGlob.acrossFolders("pattern", List.of("**/".repeat(1300) + "x"))
                .matches("a/b/x"));
        assertThrows(ToolException.class, () -> PathGlob.byFolder("pattern", "{*a,*aa,*aaa}".repeat(20))
                .matches("aaa"));
    }

    private static String some(Random random, String[] pieces, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most) + 1; i > 0; i--) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        return text.toString();
    }

    private static boolean slow(List<String> choices, String path, char limit) {
        return choices.stream().anyMatch(choice -> slow(choice, 0, path, 0, limit));
    }

    /** Tries every possibility, by the definition. */
    private static boolean slow(String p, int i, String s, int j, char limit) {
        if (i == p.length()) {
            return j == s.length();
        }
        if (p.startsWith("**/", i) && (i == 0 || p.charAt(i - 1) == '/')) {
            boolean fits = slow(p, i + 3, s, j, limit);
            for (int k = j; k < s.length() && !fits; k++) {
                fits = s.charAt(k) == '/' && slow(p, i + 3, s, k + 1, limit);
            }
            return fits;
        }
        if (p.charAt(i) == '*') {
            boolean across = p.startsWith("**", i);
            boolean fits = slow(p, i + (across ? 2 : 1), s, j, limit);
            for (int k = j; k < s.length() && !fits && (across || s.charAt(k) != limit); k++) {
                fits = slow(p, i + (across ? 2 : 1), s, k + 1, limit);
            }
            return fits;
        }
        if (j == s.length()) {
            return false;
        }
        char c = s.charAt(j);
        int close = p.charAt(i) == '[' ? p.indexOf(']', i + 2) : -1;
        if (close > 0) {
            boolean outside = p.charAt(i + 1) == '!';
            boolean member = p.substring(i + (outside ? 2 : 1), close).indexOf(c) >= 0;
            return member != outside && c != limit && slow(p, close + 1, s, j + 1, limit);
        }
        boolean takes = p.charAt(i) == '?' ? c != limit : p.charAt(i) == c;
        return takes && slow(p, i + 1, s, j + 1, limit);
    }

    private static final class SlowChoices {
        static List<String> of(String pattern) {
            int from = pattern.indexOf('{');
            int to = from < 0 ? -1 : pattern.indexOf('}', from);
            if (to < 0) {
                return List.of(pattern);
            }
            List<String> all = new ArrayList<>();
            for (String part : pattern.substring(from + 1, to).split(",", -1)) {
                all.addAll(of(pattern.substring(0, from) + part + pattern.substring(to + 1)));
            }
            return all;
        }
    }
}
