package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which part of a text that must be shortened is shown. */
class TextWindowsTest {
    private static final String FILLER = "Nothing of note was written down that day. ";

    private static String cut(String query, String text, int chars) {
        return TextWindows.of(query, List.of(text)).cut(text, chars);
    }

    @Test
    void theSentenceWithTheTermsOfTheQueryIsShownWithWhatFollows() {
        String text =
                FILLER.repeat(20) + "The winch was repaired in Bergen. It cost forty crowns. " + FILLER.repeat(20);
        String part = cut("who repairs winches?", text, 120);
        assertTrue(part.contains("The winch was repaired in Bergen. It cost forty crowns."), part);
        assertTrue(part.startsWith("…") && part.endsWith("…"), part);
    }

    @Test
    void theLineWithTheAbbreviationOfAWordIsShown() {
        String code = "    int unrelated = compute();\n".repeat(30);
        String line = "    return os.path.join(base_dir, name)";
        assertTrue(cut("which directory", code + line + "\n" + code, 100).contains("\n" + line + "\n"));
    }

    @Test
    void rareTermsCountMoreThanFrequentOnes() {
        String text = "The ship and the harbour. ".repeat(30) + "A ship has a capstan. "
                + "The ship and the harbour. ".repeat(30);
        assertTrue(cut("ship harbour capstan", text, 100).contains("capstan"));
    }

    @Test
    void aHeadingCountsForWhatIsBelowIt() {
        String section = "Replace the seal once a year. Use grease.\n\n";
        String text = "# Pumps\n\n" + section + FILLER.repeat(5) + "\n\n# Winches\n\n" + section + FILLER.repeat(5);
        String part = cut("when are seals of winches replaced", text, 100);
        assertTrue(part.contains("# Winches"), part);
        assertTrue(part.contains("Replace the seal"), part);
    }

    @Test
    void linesOfCodeAndTablesStayWhole() {
        String code = "    int unrelated = compute();\n".repeat(30);
        String line = "    private static final int RETRY_LIMIT = 7;";
        assertTrue(cut("retry limit", code + line + "\n" + code, 100).contains("\n" + line + "\n"));
        String rows = "| something | else |\n".repeat(40);
        assertTrue(cut("capstan", rows + "| capstan | 12 |\n" + rows, 70).contains("\n| capstan | 12 |\n"));
    }

    @Test
    void aLineBreakWithinAParagraphIsNoBoundary() {
        String paragraph = "The keeper of the light had written in the book that the capstan\n"
                + "was replaced by one of steel in the spring of that year. ";
        assertEquals(
                List.of(paragraph.strip()),
                TextUnits.of(paragraph.strip()).stream()
                        .map(unit -> paragraph.substring(unit.from(), unit.to()))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Dr. Lund came. He left.",
                "It took approx. two days. Then it ended.",
                "J. Moen built it. Rask helped.",
                "See Fig. 3 for it. It is good.",
                "Was it so? It was.",
                "灯台は島にある。船が来た。"
            })
    void sentencesEndWhereSentencesEnd(String two) {
        assertEquals(2, TextUnits.of(two).size(), () -> TextUnits.of(two).toString());
    }

    @Test
    void aSentenceThatIsTooLongIsCutAroundTheMatch() {
        String text = "and so on, ".repeat(40) + "the capstan of bronze " + "and so on, ".repeat(40);
        String part = cut("capstan", text, 80);
        assertTrue(part.contains("capstan of bronze"), part);
        assertTrue(part.length() <= 80, part);
    }

    @Test
    void aTextWithoutSpacesIsCutAroundTheMatch() {
        String text = "天気がよい".repeat(50) + "灯台" + "天気がよい".repeat(50);
        assertTrue(cut("灯台", text, 80).contains("灯台"));
    }

    @Test
    void withoutACommonTermItIsTheBeginning() {
        String text = "First this. " + FILLER.repeat(20);
        for (String query : List.of("", "capstan", "…", "the of and")) {
            String part = cut(query, text, 60);
            assertTrue(part.startsWith("First this."), part);
            assertTrue(part.endsWith("…"), part);
        }
    }

    @Test
    void theBeginningEndsWithASentenceALineOrAWord() {
        String sentences = "First this. " + FILLER.repeat(20);
        assertEquals("First this. Nothing of note was written down that day.…", cut("capstan", sentences, 60));
        assertEquals("One line here\n…", cut("capstan", "One line here\n" + "x".repeat(90), 23));
        String words = "alpha beta gamma delta epsilon zeta";
        assertEquals("alpha beta gamma…", cut("capstan", words, 24));
        assertEquals("alpha beta gamma…", cut("capstan", words, 20), "room for 16 and the mark");
        assertEquals("abcdefghij klmnopqrs…", cut("capstan", "abcdefghij klmnopqrstuvwxyz0123", 24));
        assertEquals("abcdefghijk…", cut("capstan", "abcdefghijk lmnopqrstuvwxyz0123", 24));
        assertEquals("x".repeat(20) + "…", cut("capstan", "x".repeat(100), 24));
        assertEquals("x".repeat(19) + "…", cut("capstan", "x".repeat(19) + "🚢🚢🚢", 24));
        assertEquals("x".repeat(18) + "🚢…", cut("capstan", "x".repeat(18) + "🚢🚢🚢🚢", 24));
    }

    @Test
    void aSentenceGainsByItsNeighboursAndMoreByTheOneBefore() {
        String alone = "Here is one capstan. ";
        String first = "Then two capstan came. ";
        String second = "And so a capstan left. ";
        String text = FILLER + alone + FILLER.repeat(4) + first + second + FILLER.repeat(4) + alone;
        assertEquals("…And so a capstan left.…", cut("capstan", text, 30));
        assertEquals("…Then two capstan came. And so a capstan left.…", cut("capstan", text, 50));
        assertEquals("…Then two capstan came. And so a capstan left.…", cut("capstan", text, 60));
        String near = FILLER.repeat(3) + alone + "No. " + second + FILLER.repeat(3) + first + FILLER.repeat(3);
        assertEquals(
                "…And so a capstan left.…", cut("capstan", near, 28), "a neighbour that is one farther counts, too");
    }

    @Test
    void aWindowMayBeAsLongAsItsRoom() {
        String match = "The capstan was of steel."; // 25, and one for the space
        String text = FILLER.repeat(2) + match + " " + FILLER.repeat(2);
        assertEquals("…" + match + "…", cut("capstan", text, 30));
        assertEquals("…The capstan was of…", cut("capstan", text, 29));
        assertEquals("…" + match, cut("capstan", FILLER.repeat(2) + match, 29));
        assertEquals(match + "…", cut("capstan", match + " " + FILLER.repeat(2), 30));
        assertEquals("…\n" + match + "\n…", cut("capstan", FILLER.strip() + "\n" + match + "\n" + FILLER, 30));
    }

    @Test
    void whatFitsIsLeftAsItIs() {
        assertEquals("One. Two.", cut("two", "One. Two.", 9));
        assertEquals("", cut("two", "", 9));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aWindowIsAPartOfTheTextOfAtMostItsLength(long seed) {
        String[] pieces = {
            "ship",
            "capstan",
            " ",
            " ",
            "\n",
            "\n\n",
            ". ",
            "! ",
            "。",
            "灯台",
            "🚢",
            "👩‍👩‍👧",
            "𝔘",
            "# ",
            "| a |",
            "```\n",
            "    ",
            "* ",
            "1. ",
            ";",
            "x".repeat(40),
            "é",
            "\t",
            "\"",
            "Dr."
        };
        Random random = new Random(seed);
        for (int round = 0; round < 400; round++) {
            StringBuilder made = new StringBuilder();
            for (int i = random.nextInt(400); i > 0; i--) {
                made.append(pieces[random.nextInt(pieces.length)]);
            }
            String text = made.toString();
            int chars = 5 + random.nextInt(300);
            String part = cut(pieces[random.nextInt(3)] + " " + pieces[random.nextInt(pieces.length)], text, chars);
            assertTrue(part.length() <= Math.max(chars, 5), () -> chars + ": " + part);
            String bare = part.replaceFirst("^…\n?", "").replaceFirst("\n?…$", "");
            assertTrue(text.contains(bare) || text.equals(part), () -> part + " of " + text);
            assertEquals(part, new String(part.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
            assertFalse(part.isEmpty() && !text.isEmpty(), text);
            int end = 0;
            for (TextUnits.Unit unit : TextUnits.of(text)) {
                assertEquals(end, unit.from());
                assertTrue(unit.to() > unit.from() && unit.to() - unit.from() <= TextUnits.MAX);
                end = unit.to();
            }
            assertEquals(text.length(), end);
        }
    }

    /** None of these takes more than linear time; with quadratic time the build would not end. */
    @Test
    void largeTextsOfAnyShapeAreCut() {
        List<String> texts = new ArrayList<>();
        for (String piece :
                List.of("a", " ", "\n", ".", ". ", "\n\n", "|", "#", "ship\n", "x.\n", "ship ship. ", "灯", "```\n")) {
            texts.add(piece.repeat(1_000_000 / piece.length()));
        }
        for (String text : texts) {
            TextWindows windows = TextWindows.of("ship 灯 x " + "word ".repeat(2_000), List.of(text));
            assertTrue(windows.cut(text, 300).length() <= 300);
        }
    }
}
