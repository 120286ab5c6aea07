package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which chunks have the same text, and how scores are shown. */
class TextFingerprintTest {
    @Test
    void spaceAndTheFormOfAccentsMakeNoDifferenceAndEverythingElseDoes() {
        assertEquals(
                TextFingerprint.of("A > B", "caf\u00e9 one"),
                TextFingerprint.of(" A >\tB", "cafe\u0301\n\n one\u00a0"));
        assertEquals(16, TextFingerprint.of("", "").length);
        assertNotEquals(TextFingerprint.of("A", "one two"), TextFingerprint.of("B", "one two"));
        assertNotEquals(TextFingerprint.of("A", "one two"), TextFingerprint.of("A", "one Two"));
        assertNotEquals(TextFingerprint.of("A", "one two"), TextFingerprint.of("A", "onetwo"));
        assertNotEquals(
                TextFingerprint.of("A", "B one"),
                TextFingerprint.of("A B", "one"),
                "a heading is no beginning of the text");
    }

    @ParameterizedTest
    @CsvSource({"0.123454, 0.12345", "0.123456, 0.12346", "-0.000004, 0", "1, 1", "12345.678901, 12345.6789"})
    void aShownScoreHasFiveDecimals(double score, double shown) {
        assertEquals(shown, RoundedScore.of(score) + 0.0);
    }
}
