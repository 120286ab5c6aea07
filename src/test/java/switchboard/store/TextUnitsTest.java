package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a text may be cut. */
class TextUnitsTest {
    /** As long as a line of wrapped prose, without a sign that means anything. */
    private static final String LINE = "the keeper of the light wrote in the book that";

    private static List<String> texts(String text, List<TextUnits.Unit> units) {
        return units.stream()
                .map(unit -> text.substring(unit.from(), unit.to()))
                .toList();
    }

    private static List<String> units(String text) {
        return texts(text, TextUnits.of(text));
    }

    private static List<String> words(String text) {
        return texts(text, TextUnits.words(text, 0, text.length()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                LINE,
                "   " + LINE,
                LINE + ",",
                LINE + "\n   " + LINE,
                LINE + "\n/ " + LINE,
                LINE + "\n*" + LINE,
                LINE + "\n-" + LINE,
                LINE + "\n+" + LINE,
                LINE + "\n•" + LINE,
                LINE + "\n-",
                LINE + "\n12",
                LINE + "\n12 " + LINE,
                LINE + "\n12345. " + LINE,
                LINE + " Dr.\nLund",
                LINE + " A.\nLund"
            })
    void proseIsWrapped(String lines) {
        String text = lines.contains("\n") ? lines : lines + "\n" + LINE;
        assertEquals(List.of(text), units(text));
    }

    @Test
    void aLineOfFortyCharactersIsWrappedAndAShorterOneIsNot() {
        String forty = "x".repeat(40);
        assertEquals(1, units(forty + "\n" + LINE).size());
        assertEquals(1, units("  " + forty + "\n" + LINE).size());
        String shorter = "x".repeat(39);
        assertEquals(List.of(shorter + "\n", LINE), units(shorter + "\n" + LINE));
        assertEquals(List.of("  " + shorter + "\n", LINE), units("  " + shorter + "\n" + LINE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"    ", "\t   ", "# ", "| "})
    void linesThatBeginSoAreUnits(String begin) {
        assertEquals(List.of(begin + LINE + "\n", LINE), units(begin + LINE + "\n" + LINE));
    }

    @ParameterizedTest
    @ValueSource(strings = {";", "{", "}", ">", "|", ":", ".", "!", "?", ".\"", "?)", "。"})
    void linesThatEndSoAreUnits(String end) {
        assertEquals(List.of(LINE + end + "\n", LINE), units(LINE + end + "\n" + LINE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "    x", "|x", "#x", ">x", ".x", "}", ")", "@x", "?x", ":x", "//x", "* x", "- x", "+ x", "• x", "1. x",
                "1) x", "12. x", "123. x", "1234. x", "1234)"
            })
    void linesBeforeSuchAreUnits(String below) {
        assertEquals(LINE + "\n", units(LINE + "\n" + below).getFirst());
    }

    @Test
    void anEmptyLineIsAUnit() {
        assertEquals(List.of(LINE + "\n", "\n", LINE), units(LINE + "\n\n" + LINE));
        assertEquals(List.of(LINE + "\n", "  \n", LINE), units(LINE + "\n  \n" + LINE));
        assertEquals(List.of(), units(""));
        assertEquals(List.of("\n"), units("\n"));
    }

    @Test
    void codeInAFenceIsCutIntoLinesAndNotIntoSentences() {
        assertEquals(
                List.of(
                        "One. ",
                        "Two.\n",
                        "  ```java\n",
                        "call. Then " + LINE + "\n",
                        LINE + "\n",
                        "```\n",
                        "So. ",
                        "End."),
                units("One. Two.\n  ```java\ncall. Then " + LINE + "\n" + LINE + "\n```\nSo. End."));
    }

    @Test
    void aSentenceEndsWithTheSpacesAfterIt() {
        assertEquals(List.of("So? ", "B? ", "C"), units("So? B? C"));
        assertEquals(List.of("One.   ", "Two!\t", "Three."), units("One.   Two!\tThree."));
        assertEquals(List.of("One.  "), units("One.  "));
        assertEquals(List.of("灯台は島にある。", "船が来た！", "本当？", "はい"), units("灯台は島にある。船が来た！本当？はい"));
    }

    @Test
    void whatClosesASentenceBelongsToIt() {
        for (String closing : "\" ' ) ] * _ ” ’ »".split(" ")) {
            assertEquals(List.of("He left." + closing + " ", "Then."), units("He left." + closing + " Then."));
        }
        assertEquals(List.of("He left.\")*. ", "Then."), units("He left.\")*. Then."));
        assertEquals(List.of("He left.( Then."), units("He left.( Then."));
    }

    @Test
    void aFullStopWithinASentenceDoesNotEndIt() {
        Stream.of(
                        "It has 3.5 m",
                        "It is approx. three",
                        "Dr. Lund",
                        "By J. Moen",
                        "J. Moen",
                        "See Fig. 3 and etc. Then",
                        "Nr. 7",
                        "bzw. So")
                .forEach(text -> assertEquals(List.of(text), units(text)));
        Stream.of("Go to AB. ", "Plan a. ", "See it in Prague. ", "Xetc. ", "It cost 5. ", "Nothing. ")
                .forEach(first -> assertEquals(List.of(first, "Moen"), units(first + "Moen")));
        assertEquals(List.of("Dr? ", "so"), units("Dr? so"), "only a full stop abbreviates");
    }

    @Test
    void headingsAreKnown() {
        List<TextUnits.Unit> units = TextUnits.of("# Pumps\nThey pump. # Not.\n");
        assertEquals(
                List.of(true, false, true),
                units.stream().map(TextUnits.Unit::heading).toList());
    }

    @Test
    void longUnitsAreCutBetweenWords() {
        String word = "word ";
        assertEquals(List.of(word.repeat(120)), units(word.repeat(120)));
        assertEquals(List.of(word.repeat(120), word.repeat(20)), units(word.repeat(140)));
        assertEquals(List.of("x " + word.repeat(119), word.repeat(120), word), units("x " + word.repeat(240)));
        assertEquals(
                List.of(true, true),
                TextUnits.of("# " + word.repeat(140)).stream()
                        .map(TextUnits.Unit::heading)
                        .toList());
    }

    @Test
    void wordsHaveTheSpacesAfterThem() {
        assertEquals(List.of("ab  ", "cd\n", "e"), words("ab  cd\ne"));
        assertEquals(List.of("ab  "), words("ab  "));
        assertEquals(List.of("b ", "c"), texts("ab c d", TextUnits.words("ab c d", 1, 4)));
        assertEquals(List.of("x".repeat(24), "x".repeat(24), "xx"), words("x".repeat(50)));
        assertEquals(List.of("x".repeat(24)), words("x".repeat(24)));
        assertEquals(List.of("x".repeat(23) + "🚢", "yy"), words("x".repeat(23) + "🚢yy"));
    }
}
