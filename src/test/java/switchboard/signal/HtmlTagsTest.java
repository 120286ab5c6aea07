package switchboard.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Texts that were made to take long, or much memory. */
class HtmlTagsTest {
    @Test
    void endsThatAreNotThereAreLookedForAFewTimesOnly() {
        String text = "<i>" + "<a never ends" + "x".repeat(1000);
        HtmlTags tags = new HtmlTags(text);
        assertNotNull(tags.read(0));
        for (int i = 0; i < 10; i++) {
            assertNull(tags.read(3));
        }
        assertNull(tags.read(0), "nothing more is read");
    }

    @Test
    void onlyWhatIsSeenIsKeptOfATag() {
        StringBuilder tag = new StringBuilder("<div");
        for (int i = 0; i < 1000; i++) {
            tag.append(" a").append(i).append("=1");
        }
        tag.append(" hidden style='color:red'>");
        assertEquals(
                Map.of("hidden", "", "style", "color:red"),
                HtmlTag.read(tag.toString(), 0).attributes());
    }

    @Test
    void aCharacterThatStandsForASentenceStaysOne() {
        assertEquals(10, FoldedText.of("\uFDFA".repeat(10)).text().length());
        assertEquals("ffi", FoldedText.of("\uFB03").text());
    }
}
