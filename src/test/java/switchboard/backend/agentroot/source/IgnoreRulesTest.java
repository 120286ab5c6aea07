package switchboard.backend.agentroot.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.eclipse.jgit.ignore.IgnoreNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of {@code .gitignore} files, against those of JGit. */
class IgnoreRulesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '@', quoteCharacter = '"', textBlock = """
            *.log             @ a/b.log  @ true
            /a.log            @ x/a.log  @
            x/*.log           @ x/a.log  @ true
            x/*.log           @ y/x/a.log @
            *.log|!keep.log   @ keep.log @ false
            # no rule|a       @ a        @ true
            \\#a              @ #a       @ true
            \\!a              @ !a       @ true
            a{b,c}            @ a{b,c}   @ true
            a{b,c}            @ ab       @
            a\\*              @ ab       @
            a\\*              @ a*       @ true
            **/z/a            @ x/z/a    @ true
            x/**              @ x/y/z    @ true
            x/**/z            @ x/z      @ true
            f**o              @ fa/o     @
            """)
    void whatRulesSay(String rules, String path, Boolean verdict) {
        assertEquals(verdict, IgnoreRules.parse(rules.replace('|', '\n')).verdict(path, false));
    }

    @Test
    void foldersAlone() {
        assertEquals(true, IgnoreRules.parse("out/").verdict("a/out", true));
        assertNull(IgnoreRules.parse("out/").verdict("a/out", false));
    }

    @Test
    void theyAgreeWithJGit() throws IOException {
        Random random = new Random(20260302);
        String[] pieces = {"a", "b", "/", "*", "**/", "/**/", "?", "[ab]", "[!a]", "{", "}", "ab"};
        for (int round = 0; round < 20_000; round++) {
            StringBuilder rules = new StringBuilder();
            for (int i = random.nextInt(4); i >= 0; i--) {
                rules.append(random.nextInt(4) == 0 ? "!" : "");
                String rule = some(random, pieces, 4);
                // JGit's meaning of slashes side by side is its own.
                rules.append(rule.replaceAll("/+", "/").replaceAll("\\*{3,}", "**"))
                        .append('\n');
            }
            String path = some(random, new String[] {"a", "b", "/a", "/b", "ab"}, 4)
                    .replaceAll("/+", "/")
                    .replaceAll("^/|/$", "");
            if (path.isEmpty() || rules.toString().lines().anyMatch(rule -> rule.matches("!?(/|\\*\\*/?|/\\*\\*/?)"))) {
                continue;
            }
            IgnoreNode jgit = new IgnoreNode();
            jgit.parse(new ByteArrayInputStream(rules.toString().getBytes(StandardCharsets.UTF_8)));
            boolean folder = random.nextBoolean();
            assertEquals(
                    jgit.checkIgnored(path, folder),
                    IgnoreRules.parse(rules.toString()).verdict(path, folder),
                    path + (folder ? "/" : "") + " by\n" + rules);
        }
    }

    @Test
    void hostileRulesAreMatchedInLinearTime() {
        String all = "*a".repeat(1000) + "b\n" + "**/".repeat(1300) + "x\n" + "[a-z]*".repeat(1000) + "\n!keep\n";
        IgnoreRules rules = IgnoreRules.parse(all.repeat(50));
        assertNull(rules.verdict("a".repeat(255), false));
        assertEquals(true, rules.verdict("a/a/x", false));
        assertEquals(false, rules.verdict("keep", false));
    }

    private static String some(Random random, String[] pieces, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most) + 1; i > 0; i--) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        return text.toString();
    }
}
