package switchboard.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Characters of direction and breaks: in pairs and not, in ordinary typesetting and within words that need none. */
class DirectionsAndBreaksTest {
    private static String found(String text) {
        return TextSignals.of(text).stream()
                .map(signal -> signal.kind().word() + " " + signal.start() + "-" + signal.end() + " x" + signal.count())
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @CsvSource({
        // What is closed by the character for the other kind is not closed.
        "\u2067abc\u202C def, bidi_controls 0-1 x1",
        "\u202Babc\u2069 def, bidi_controls 0-1 x1",
        "\u2066abc\u202C\u202C\u202C def, bidi_controls 0-1 x1",
        "\u202Aabc\u2069\u2069 def, bidi_controls 0-1 x1",
        "\u2067\u05D0\u202C abc, bidi_controls 0-1 x1",
        // The end of an isolate closes nothing that is in it, and what is in it does not close what is around.
        "\u2066a \u202Bb\u2069 \u202C c, bidi_controls 3-4 x1",
        "\u202B\u05D0 \u2066a\u202C b, bidi_controls 0-1 x2",
        "\u202Aa\u2066b\u202Cc\u2069d, bidi_controls 0-1 x1",
        // All kinds of ends of a line.
        "'a \u2067\u05D0\rb\u2069', bidi_controls 2-3 x1",
        "'a \u2067\u05D0\u0085b\u2069', bidi_controls 2-3 x1",
        "'a \u202E\u2067\u05D0\u202C\u2069', bidi_controls 2-3 x1"
    })
    void closersCloseOnlyTheirOwnKind(String text, String expected) {
        assertEquals(expected, found(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u202A\u2066a\u2069\u202C \u2067\u202B\u05D0\u202C\u2069",
                "\u2066\u2066\u2066a\u2069\u2069\u2069",
                "a\u202C b\u2069 c",
                "\u2067\u05D0 \u2066a\u2069 b\u2069",
                "\u2067\uD83D\uDE00\u2069",
                "\u2067\uD83A\uDD00\uD83A\uDD01\u2069 is Adlam.",
                "\u2067\uD83A\uDD00 abc\u2069",
                "\u2067123\u2069",
                "one\r\n\u2066two\u2069\r\nthree",
            })
    void whatIsClosedIsNotMarked(String text) {
        assertEquals("", found(text));
    }

    @Test
    void moreWithinEachOtherThanRenderersKnowAreMarked() {
        assertEquals("", found("\u2066".repeat(125) + "a" + "\u2069".repeat(125)));
        assertEquals("bidi_controls 125-126 x1", found("\u2066".repeat(126) + "a" + "\u2069".repeat(126)));
        assertEquals("bidi_controls 1-2 x1000", found("a" + "\u2067".repeat(1000)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Japanese with places for breaks between phrases.
                "\u4ECA\u65E5\u306F\u200B\u3068\u3066\u3082\u200B\u826F\u3044\u200B\u5929\u6C17\u3067\u3059\u3002",
                "\u30B3\u30F3\u30D4\u30E5\u30FC\u30BF\u30FC\u200B\u30B5\u30A4\u30A8\u30F3\u30B9\u3092\u200B\u3082\u3063\u3068\u200B\u5B66\u3076",
                "\u3053\u308C\u306F\u200BPDF\u200B\u306E\u200BURL\u3067\u3059",
                "\u3053\u200B\u306E\u200B\u6E2F\u306F\u200B\u5927\u304D\u3044",
                // German and English without ligatures where a word begins within a word.
                "Auf\u200Clage, Schiff\u200Cfahrt, Kauf\u200Cleute, Dorf\u200Cidylle, Auf\u200Clauf\u200Cform, auf\u200Ckommen",
                "Die Haus\u200Ct\u00FCr, die Wachs\u200Ctube, das H\u00E4us\u200Cchen, der Rat\u200Cturm",
                "shelf\u200Cful, half\u200Clife, self\u200Cish",
                "Ein\u200BWort mit einer Stelle f\u00FCr einen Umbruch, k\u200Clein.",
            })
    void ordinaryTypesettingIsNotMarked(String text) {
        assertEquals("", found(text));
    }

    @ParameterizedTest
    @CsvSource({
        "\u30D1\u200B\u30B9\u200B\u30EF\u200B\u30FC\u200B\u30C9\u200B, invisible_characters 7-8 x1",
        "\u3053\u200D\u308C\u306F\u2060\u3068, invisible_characters 1-2 x2",
        "\u3053\u200B\u200B\u200B\u308C, invisible_characters 1-4 x1",
        "\u3053\u200B\u200B\u308C\u306F\u200B\u200B\u3068, invisible_characters 1-3 x2",
        "ru\u200Cles of\u200Cfe\u200Cr, invisible_characters 2-3 x2",
        "au\u200Cf a\u200Cuf, invisible_characters 2-3 x2",
        "pas\u200Csword at\u200Ctack, invisible_characters 3-4 x2",
        "Pass\u200Cwort zur\u00FCck\u200Csetzen, invisible_characters 4-5 x2",
        "f\u200Df of\u200Dfer, invisible_characters 1-2 x2",
        "of\u200C\u200Cfer if\u200C\u200Cfy, invisible_characters 2-4 x2",
        "fe\u200Bl fl\u200Bo, invisible_characters 2-3 x2"
    })
    void whatNoTypesettingNeedsIsMarked(String text, String expected) {
        assertEquals(expected, found(text));
    }
}
