package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.call.Citation;
import switchboard.call.Json;

/** Which citations a call asks about. */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
class CitationFinderTest {
    private static final String CITE = "[b/s/d#0-5 · 0123456789abcdef]";

    private static ObjectNode ref(String sha256) {
        return Json.object().put("cite", CITE).put("sha256", sha256);
    }

    private static List<String> hashes(String text, JsonNode... refs) {
        return CitationFinder.all(text, List.of(refs), 100).citations().stream()
                .map(one -> assertInstanceOf(Citation.Parsed.Valid.class, one.parsed()))
                .map(valid -> valid.citation().hash())
                .toList();
    }

    @Test
    void endsWithoutABeginningAreNoCitations() {
        String text = "·abcdef]".repeat(125_000);
        assertEquals(new CitationFinder.AllGiven(List.of(), 0), CitationFinder.all(text, List.of(), 100));
        assertEquals(
                List.of("0123456789abcdef"),
                hashes("[" + " ".repeat(20_000) + "·abcdef]" + "·abcdef]".repeat(9) + CITE));
    }

    @Test
    void ofVeryManyTheFirstAreReadAndTheOthersCounted() {
        String text = IntStream.range(0, 30_000)
                .mapToObj(i -> "[b/s/d" + i + "#0-5 · 0123456789abcdef]")
                .collect(Collectors.joining());
        CitationFinder.AllGiven all = CitationFinder.all(text + text, List.of(), 100);
        assertEquals(100, all.citations().size());
        assertEquals(
                "[b/s/d99#0-5 · 0123456789abcdef]", all.citations().getLast().text());
        assertEquals(29_900, all.more());
    }

    @Test
    void aWholeHashReplacesTheShortOneAndTwoAreTwo() {
        String one = "0123456789abcdef" + "0".repeat(48);
        String other = "0123456789abcdef" + "1".repeat(48);
        assertEquals(List.of(one), hashes(CITE, ref(one)));
        assertEquals(List.of(one, other), hashes(CITE, ref(one), ref(other), ref(one)));
        assertEquals(List.of("0123456789abcdef"), hashes(CITE, ref(null)), "null is no hash");
        CitationFinder.AllGiven wrong = CitationFinder.all(CITE, List.of(ref("12")), 100);
        assertEquals(2, wrong.citations().size(), "a wrong hash replaces nothing");
        assertInstanceOf(
                Citation.Parsed.Malformed.class, wrong.citations().getLast().parsed());
    }
}
