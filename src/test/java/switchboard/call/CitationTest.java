package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of citations: whatever names are in it, it is read again as it was written. */
class CitationTest {
    private static final String HASH = PassageRef.sha256("a passage");

    @Provide
    static Arbitrary<String> names() {
        return Arbitraries.strings()
                .withChars("[]()·#/%+- .&?=\\\"'<>|*_~`\n\t\u00a0\u2028äß漢é")
                .withChars("aZ9")
                .ofMinLength(1)
                .ofMaxLength(12)
                .flatMap(name -> Arbitraries.of(name, name + "😀", "e\u0301" + name, "100%" + name));
    }

    @Property(tries = 500)
    void aCitationIsReadAsItWasWritten(
            @ForAll("names") String backend,
            @ForAll("names") String source,
            @ForAll("names") String document,
            @ForAll @IntRange(min = 0, max = 999_999) int start,
            @ForAll @IntRange(min = 1, max = 9_999) int length,
            @ForAll boolean placed) {
        PassageSpan span = placed ? new PassageSpan(start, length) : PassageSpan.somewhere(length);
        Citation citation = new Citation(backend, source, document, span, HASH.substring(0, Citation.SHORT_HASH));
        String written = citation.toString();
        assertEquals(new Citation.Parsed.Valid(citation), Citation.parse(written));
        assertTrue(written.matches("\\[[!-Z\\\\^-~]+ · [0-9a-f]{16}\\]"), written);
    }

    @Test
    void itNamesSourceDocumentPlaceAndHash() {
        assertEquals(
                "[docs/a/guide%20one/b.md#120-380 · " + HASH.substring(0, 16) + "]",
                new Citation("docs", "a", "guide one/b.md", PassageSpan.between(120, 380), HASH).toString());
        assertEquals(
                "[wiki/pages/7#+12 · " + HASH.substring(0, 16) + "]",
                new Citation("wiki", "pages", "7", PassageSpan.somewhere(12), HASH).toString());
    }

    @Test
    void copiesWithOtherSpacesAndCapitalsAreTheSame() {
        Citation citation = new Citation("docs", "a", "b.md", PassageSpan.between(1, 3), HASH.substring(0, 16));
        for (String copy : new String[] {
            "[docs/a/b.md#1-3\u00a0· " + HASH.substring(0, 16) + "]",
            " [docs/a/b.md#1-3\n· " + HASH.substring(0, 16).toUpperCase(java.util.Locale.ROOT) + " ]"
        }) {
            assertEquals(new Citation.Parsed.Valid(citation), Citation.parse(copy), copy);
        }
        assertTrue(citation.names(HASH));
        assertFalse(citation.names(PassageRef.sha256("another")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "docs/a/b.md#1-3 · 7f3a91c05be2d846",
                "[docs/a/b.md#1-3 7f3a91c05be2d846]",
                "[docs/a/b.md#1-3 · 7f3a91c05be2d84]",
                "[docs/a/b.md#1-3 · 7f3a91c05be2d84g]",
                "[docs/a/b.md · 7f3a91c05be2d846]",
                "[docs/a/b.md#3-3 · 7f3a91c05be2d846]",
                "[docs/a/b.md#5-3 · 7f3a91c05be2d846]",
                "[docs/a/b.md#+0 · 7f3a91c05be2d846]",
                "[docs/a/b.md#L1-L3 · 7f3a91c05be2d846]",
                "[docs/a/b.md#1-9999999999 · 7f3a91c05be2d846]",
                "[docs/a#1-3 · 7f3a91c05be2d846]",
                "[docs//b.md#1-3 · 7f3a91c05be2d846]",
                "[docs/a/b%2.md#1-3 · 7f3a91c05be2d846]"
            })
    void whatIsNoCitationIsNotGuessed(String text) {
        assertInstanceOf(Citation.Parsed.Malformed.class, Citation.parse(text));
    }
}
