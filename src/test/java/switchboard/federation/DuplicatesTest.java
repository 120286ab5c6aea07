package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.call.Passage;

/** Which hits are one document, and what it is worth. */
class DuplicatesTest {
    private final List<FusedHit> hits = new ArrayList<>();

    private void hit(String source, String id, double score, @Nullable String url, String text) {
        Passage passage = new Passage(id, "", url, text, null, null, Json.object());
        hits.add(new FusedHit(
                new Candidate(new DocumentUri(source, "all", id), source + ":all", 1, 1, passage),
                score,
                OptionalDouble.empty(),
                List.of()));
    }

    /** Words {@code from} to {@code to}, all different. */
    private static String words(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> "word" + i).collect(Collectors.joining(" "));
    }

    /** The documents of each group, the best first, with the group's score. */
    private List<String> merged() {
        return Duplicates.merge(hits, Double::sum).stream()
                .map(fused -> fused.best().passage().document()
                        + fused.others().stream()
                                .map(other -> "+" + other.passage().document())
                                .collect(Collectors.joining())
                        + "=" + fused.score())
                .toList();
    }

    @Test
    void copiesAreOneDocumentWithTheBestOneFirst() {
        hit("a", "1", 0.5, null, words(1, 30));
        hit("b", "2", 2, null, words(1, 30));
        hit("c", "3", 0.25, null, words(1, 30));
        hit("d", "4", 2.25, null, words(101, 130));
        assertEquals(List.of("2+1+3=2.75", "4=2.25"), merged());
    }

    @Test
    void theSameHitsGiveTheSameGroupsInAnyOrder() {
        hit("a", "1", 1, null, words(1, 30));
        hit("b", "2", 1, null, words(1, 30));
        List<String> expected = List.of("1+2=2.0");
        assertEquals(expected, merged());
        hits.add(hits.removeFirst());
        assertEquals(expected, merged());
    }

    /** Thirteen words are nine runs of five, of which a text with the first n words has n - 4. */
    @Test
    void fourFifthsOfTheRunsOfTheShorterTextAreEnough() {
        hit("a", "long", 2, null, words(1, 40));
        hit("b", "has10of12", 1, null, words(1, 14) + " other other2");
        assertEquals(List.of("long+has10of12=3.0"), merged());
        hits.clear();
        hit("a", "long", 2, null, words(1, 40));
        hit("b", "has8of10", 1, null, words(1, 12) + " other other2");
        assertEquals(List.of("long+has8of10=3.0"), merged(), "exactly four fifths");
        hits.clear();
        hit("a", "long", 2, null, words(1, 40));
        hit("b", "has7of9", 1, null, words(1, 11) + " other other2");
        assertEquals(List.of("long=2.0", "has7of9=1.0"), merged());
    }

    @Test
    void aShortTextMustBeTheSame() {
        hit("a", "twelve words", 2, null, words(1, 12));
        hit("b", "eleven words", 1, null, words(1, 11));
        hit("c", "eleven again", 0.5, null, words(1, 11).toUpperCase(java.util.Locale.ROOT) + "!");
        assertEquals(List.of("twelve words=2.0", "eleven words+eleven again=1.5"), merged());
    }

    @Test
    void fiveWordsThatALongTextHasAreNotItsCopy() {
        hit("a", "long", 2, null, words(1, 40));
        hit("b", "short", 1, null, words(3, 7));
        assertEquals(List.of("long=2.0", "short=1.0"), merged());
    }

    @Test
    void textsWithoutWordsAreNoCopies() {
        hit("a", "empty", 3, null, "");
        hit("b", "blank", 2, null, " \n");
        hit("c", "symbols", 1, null, "--- !!!");
        assertEquals(List.of("empty=3.0", "blank=2.0", "symbols=1.0"), merged());
    }

    @Test
    void theOrderOfWordsCounts() {
        hit("a", "1", 2, null, words(1, 30));
        List<String> reversed = new ArrayList<>(List.of(words(1, 30).split(" "))).reversed();
        hit("b", "2", 1, null, String.join(" ", reversed));
        assertEquals(2, merged().size());
    }

    @Test
    void documentsOfOneSourceAreNeverCopies() {
        hit("a", "1", 3, "https://x.example/p", words(1, 30));
        hit("a", "2", 2, "https://x.example/p", words(1, 30));
        hit("b", "3", 1, null, words(1, 30));
        hit("b", "4", 0.5, null, words(1, 30));
        assertEquals(List.of("1+3=4.0", "2+4=2.5"), merged());
    }

    @ParameterizedTest
    @CsvSource({
        "https://x.example/p, http://X.Example/p, true",
        "https://x.example/p, HTTPS://x.example/p#part, true",
        "https://x.example, https://x.example/, true",
        "https://x.example/p, https://x.example/P, false",
        "https://x.example/p, https://x.example/p/, false",
        "https://x.example/p, https://x.example/p?q=1, false",
        "https://x.example/p, https://y.example/p, false",
        "file:///x/p, file:///x/p, false"
    })
    void pagesOfOneAddressAreOneDocument(String one, String other, boolean same) {
        hit("a", "1", 2, one, words(1, 30));
        hit("b", "2", 1, other, words(101, 130));
        assertEquals(same ? List.of("1+2=3.0") : List.of("1=2.0", "2=1.0"), merged());
    }

    @Test
    void theAddressOfACopyIsTheDocumentsToo() {
        hit("a", "1", 3, null, words(1, 30));
        hit("b", "2", 2, "https://x.example/p", words(1, 30));
        hit("c", "3", 1, "https://x.example/p", words(101, 130));
        assertEquals(List.of("1+2+3=6.0"), merged());
    }

    @Test
    void nothingIsNothing() {
        assertEquals(List.of(), merged());
    }
}
