package switchboard.backend.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.store.AllowedReaders;

class FrontMatterPermissionTest {
    private static final String REST = "# Title\n\nText.\n";

    private static List<List<String>> readers(String text) {
        return FrontMatterPermission.of(text).readers().places();
    }

    private static String refused(String text) {
        IllegalArgumentException why =
                assertThrows(IllegalArgumentException.class, () -> FrontMatterPermission.of(text), text);
        return String.valueOf(why.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allow: [group:hr, user:ann]",
                "allow: [ 'group:hr', \"user:ann\" ] # who",
                "allow:\n- group:hr\n- user:ann",
                "allow:\n- group:hr\n- >-\n  user:ann",
                "allow:\n  - group:hr # first\n  # second\n  - user:ann",
                "allow:\n\n  - user:ann\n\n  - group:hr",
                "ALLOW: [\n  group:hr,\n  user:ann\n]",
                "\"allow\" : [group:hr, user:ann]",
                "? allow\n: [group:hr, user:ann]",
                "\"\\u0061llow\": [group:hr, user:ann, group:hr]",
            })
    void allowIsTakenOutOfTheText(String entry) {
        for (String head : List.of("---\n", "\uFEFF---\n", "--- \t\n", "\n \n---\n")) {
            FrontMatterPermission alone = FrontMatterPermission.of(head + entry + "\n---\n" + REST);
            assertEquals(
                    List.of(List.of("group:hr", "user:ann")), alone.readers().places());
            assertEquals(REST, alone.text(), "nothing else was in it");
            assertEquals(
                    REST,
                    FrontMatterPermission.of(head + entry + "\n---\n\n" + REST).text());
        }
        FrontMatterPermission among =
                FrontMatterPermission.of("---\ntitle: \u2028T\u00e4\u2029\n" + entry + "\ntags: [a]\n---\n" + REST);
        assertEquals("---\ntitle: \u2028T\u00e4\u2029\ntags: [a]\n---\n" + REST, among.text());
        FrontMatterPermission windows =
                FrontMatterPermission.of(("---\ntags: [a]\n" + entry + "\n---\n" + REST).replace("\n", "\r\n"));
        assertEquals(List.of(List.of("group:hr", "user:ann")), windows.readers().places());
        assertEquals("---\ntags: [a]\n---\n" + REST, windows.text());
    }

    @Test
    void oneReaderMayBeATextAndNamesMayHaveAnything() {
        assertEquals(List.of(List.of("group:hr")), readers("---\nallow: group:hr\n---\n"));
        assertEquals(
                List.of(List.of("group:Gehälter \uD83D\uDE00")),
                readers("---\nallow: 'group:Gehälter \uD83D\uDE00'\n---"));
        assertEquals(List.of(List.of("user:cn=a,ou=b")), readers("---\nallow: ['user:cn=a,ou=b']\n..."));
        assertEquals(List.of(List.of("group:hr")), readers("---\n{allow: [group:hr], title: x}\n---\n"));
        assertEquals(List.of(), readers("---\nallow: [group:hr, everyone]\n---\n"), "as in the argument");
        assertEquals(List.of(), readers("---\nallow: everyone\n---\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "---",
                "---\n",
                "# Title\n---\nallow: [group:hr]\n---\n",
                "---\ntitle: no end\n",
                "---\ntitle: [a, b\n---\ntext",
                "---\n\tx\n---\n",
                "---\nmeta: {allow: 7}\n---\n",
                "---\nallowed: 7\ndisallow: 8\n---\n",
                "---\nSome prose. We allow: cats.\n---\n",
                "---\n- allow\n- list\n---\n",
                "---\na: &a [x]\nb: [*a, *a]\n<<: *a\n---\n",
                "----\nallow: 7\n----\n",
                "+++\ntitle = 'x'\n+++\n"
            })
    void textWithoutAllowIsAsItWas(String text) {
        FrontMatterPermission permission = FrontMatterPermission.of(text);
        assertEquals(AllowedReaders.ALL, permission.readers());
        assertEquals(text, permission.text());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "allow: hr|a reader is",
                "allow: [7]|a reader is",
                "allow: true|a reader is",
                "allow: ~|a reader is",
                "allow: 'user:'|a reader is",
                "allow:|is empty",
                "allow: ''|is empty",
                "allow: [group:hr, '']|is empty",
                "allow: []|empty list",
                "allow: {group: hr}|neither a list nor a text",
                "allow: [{user: ann}]|space after its colon",
                "allow: [user: ann]|space after its colon",
                "allow: [[group:hr]]|list in its list",
                "allow: group:hr, user:ann|several readers in one text",
                "allow: [\"group:hr,everyone\"]|several readers in one text",
                "allow: !!str group:hr|tag",
                "allow: [\"group:a\\nb\"]|control character",
                "a: &a group:hr\\nallow: [*a]|alias",
                "a: &a [group:hr]\\nallow: *a|neither a list nor a text",
                "a: &a {allow: x}\\n<<: *a\\n? allow|is empty",
                "base: &a\\n  allow: [group:hr]\\n<<: *a|merged",
                "{title: x, allow: 7}|a reader is",
                "{title: x, \"\\u0061llow\": 7}|a reader is",
                "{title: x, allow: [group:hr], y: [}|not valid YAML",
                "{title: [x, allow: [group:hr]|not valid YAML",
                "allow: [group:a]\\nallow: [group:b]|twice",
                "allow: [group:a]\\nAllow: everyone|twice",
                "allow: [group:hr|not valid YAML",
                "allow: [group:hr]\\n\\tx: 1|not valid YAML",
                "\\tallow: [group:hr]|not valid YAML",
                "allow: [group:hr]\\n...\\nx: 1|",
            })
    void aWrongAllowIsRefusedAndSaysWhy(String entry, String why) {
        String text =
                "---\n" + entry.replace("\\n", "\n").replace("\\t", "\t").replace("a\nb", "a\\nb") + "\n---\nText";
        if (why == null) {
            assertEquals(List.of(List.of("group:hr")), readers(text), "YAML ends with ... too");
            return;
        }
        String message = refused(text);
        assertTrue(message.contains(why) && message.contains("the allow in its front matter can't be used"), message);
    }

    @Test
    void whatCanNotBeReadIsRefusedIfItMayRestrict() {
        assertTrue(refused("---\nallow: [group:hr]\n# Title\n").contains("no end"));
        assertTrue(refused("---\r\ntitle: x\r\n 'allow' : [group:hr]").contains("no end"));
        assertTrue(refused("+++\nallow = ['group:hr']\n+++\n").contains("+++ is not read"));
        String large = "a: " + "x".repeat(1_000_000) + "\n";
        assertTrue(refused("---\n" + large + "allow: [group:hr]\n---\n").contains("longer than 65536"));
        assertEquals(List.of(), readers("---\n" + large + "---\n"));
        assertTrue(
                refused("---\na: " + "[".repeat(50_000) + "\nallow: x\n---\n").contains("nested too deeply"));
        assertEquals(List.of(), readers("---\na: " + "{a: ".repeat(10_000) + "\n---\n"));
        StringBuilder bomb = new StringBuilder("---\na0: &a0 [x]\n");
        for (int i = 1; i < 200; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d, *a%d]\n".formatted(i, i, i - 1, i - 1, i - 1));
        }
        assertEquals(List.of(List.of("group:hr")), readers(bomb + "allow: [group:hr]\n---\n"));
        assertTrue(
                refused("---\nallow: [" + "group:a,".repeat(101) + "]\n---\n").contains("at most 100"));
        assertTrue(refused("---\nallow: [\"group:\\ud83d\"]\n---\n").contains("front matter"));
        assertTrue(refused("---\nb: \u0007\nallow: [group:hr]\n---\n").contains("not valid YAML"));
    }
}
