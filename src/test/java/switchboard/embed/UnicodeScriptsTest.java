package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnicodeScriptsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2024-11-05 (+49) 30 1234",
                "🐘🐘🐘",
                "naïve façade, Straße, Tiếng Việt",
                "The word 設定 means settings in Japanese",
                "ﬁnd",
                "µ is a letter that is common to scripts"
            })
    void aModelForLatinLettersReads(String text) {
        assertTrue(UnicodeScripts.LATIN.cover(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"设置", "SSO の設定", "Где находится офис?", "πού είναι", "أين المكتب", "회의실 예약 API", "עברית", "𠮷野家"
            })
    void aModelForLatinLettersDoesNotRead(String text) {
        assertFalse(UnicodeScripts.LATIN.cover(text));
        assertTrue(UnicodeScripts.ALL.cover(text));
    }

    @Test
    void theHalfOfATextIsEnough() {
        assertTrue(UnicodeScripts.LATIN.cover("где abc"));
        assertFalse(UnicodeScripts.LATIN.cover("где ab"));
        assertTrue(UnicodeScripts.LATIN.cover("設abc"));
        assertFalse(UnicodeScripts.LATIN.cover("設ab"));
    }

    @Test
    void namesAreUnicodesInAnyCase() {
        assertEquals(UnicodeScripts.LATIN, UnicodeScripts.named(List.of("latin")));
        UnicodeScripts japanese = UnicodeScripts.named(List.of("Han", "Hira", "KATAKANA"));
        assertTrue(japanese.cover("カタカナと漢字"));
        assertFalse(japanese.cover("letters"));
        assertEquals("Han and Hiragana and Katakana", japanese.toString());
        assertEquals(UnicodeScripts.ALL, UnicodeScripts.named(List.of()));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> UnicodeScripts.named(List.of("Latim")))
                .getMessage()
                .contains("\"Latim\""));
    }
}
