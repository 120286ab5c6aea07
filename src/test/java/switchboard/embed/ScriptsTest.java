package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptsTest {
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
        assertTrue(Scripts.LATIN.include(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"设置", "SSO の設定", "Где находится офис?", "πού είναι", "أين المكتب", "회의실 예약 API", "עברית", "𠮷野家"
            })
    void aModelForLatinLettersDoesNotRead(String text) {
        assertFalse(Scripts.LATIN.include(text));
        assertTrue(Scripts.ALL.include(text));
    }

    @Test
    void theHalfOfATextIsEnough() {
        assertTrue(Scripts.LATIN.include("где abc"));
        assertFalse(Scripts.LATIN.include("где ab"));
        assertTrue(Scripts.LATIN.include("設abc"));
        assertFalse(Scripts.LATIN.include("設ab"));
    }

    @Test
    void namesAreUnicodesInAnyCase() {
        assertEquals(Scripts.LATIN, Scripts.named(List.of("latin")));
        Scripts japanese = Scripts.named(List.of("Han", "Hira", "KATAKANA"));
        assertTrue(japanese.include("カタカナと漢字"));
        assertFalse(japanese.include("letters"));
        assertEquals("Han and Hiragana and Katakana", japanese.toString());
        assertEquals(Scripts.ALL, Scripts.named(List.of()));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Scripts.named(List.of("Latim")))
                .getMessage()
                .contains("\"Latim\""));
    }
}
