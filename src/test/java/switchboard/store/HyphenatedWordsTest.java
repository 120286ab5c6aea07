package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.store.HyphenatedWords.HyphenatedWord;

@ExtendWith(VertxExtension.class)
class HyphenatedWordsTest {
    private static List<String> joined(String text) {
        return HyphenatedWords.in(text).stream().map(HyphenatedWord::joined).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "the re-entry of it, reentry",
        "re-entry, reentry",
        "re\u2010entry, reentry",
        "(E-Mail), EMail",
        "Überschall-Flug, ÜberschallFlug"
    })
    void wordsOfLettersAreJoined(String text, String joined) {
        assertEquals(List.of(joined), joined(text));
    }

    @Test
    void eachTwoOfALongerOneAreJoined() {
        assertEquals(List.of("stateof", "ofthe", "theart"), joined("state-of-the-art"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "--",
                "a -b",
                "a- b",
                "-flag",
                "flag-",
                "2026-11-30",
                "tdp-43",
                "max_size-x1",
                "a--b",
                "a-\uD83D\uDE00",
                "\uD83D\uDE00-b",
                "a-\uD83D"
            })
    void nothingElseIs(String text) {
        assertEquals(List.of(), joined(text));
    }

    /** As in a pasted log: the terms of one word don't grow with the text, nor does each place of it have a list of its own. */
    @Test
    void aLongTextHasNoMoreThanFewOfThem() {
        StringBuilder text = new StringBuilder("x");
        for (char first = 'a'; first <= 'z'; first++) {
            for (char second = 'a'; second <= 'z'; second++) {
                text.append('-').append(first).append(second).append("-x");
            }
        }
        assertEquals(HyphenatedWords.MOST, joined(text.toString()).size());
        List<QueryWord> words = TextAnalysis.ofQuery(text.toString(), Set.of());
        assertEquals(1 + HyphenatedWords.MOST, words.getFirst().terms().size());
        assertSame(words.getFirst(), words.getLast());
        assertEquals(List.of(), joined("1".repeat(65_536) + "-1"));
    }

    /** Whichever of the two words is repeated. */
    @Test
    void bothPartsStandForTheJoinedWord() {
        List<QueryWord> words = TextAnalysis.ofQuery("non-linear and non-uniform", Set.of());
        assertEquals(
                List.of("non", "linear", "non", "uniform"),
                words.stream().map(QueryWord::name).toList());
        List<String> both = List.of("non", "nonlinear", "nonuniform");
        assertEquals(both, words.get(0).terms());
        assertEquals(List.of("linear", "nonlinear"), words.get(1).terms());
        assertEquals(both, words.get(2).terms());
        assertEquals(List.of("uniform", "nonuniform"), words.get(3).terms());
    }

    /** A stop word is no word of the query, but may be a part of one. */
    @Test
    void theJoinedWordIsFound(@TempDir Path folder, Vertx vertx) {
        try (StoreFixture store = new StoreFixture(vertx, folder)) {
            store.put(BOOKS, StoreFixture.doc("joined", "Emails about the reentry of a capsule, and who is oncall."));
            store.put(BOOKS, StoreFixture.doc("hyphen", "E-mail about the re-entry of a capsule, and who is on-call."));
            store.put(BOOKS, StoreFixture.doc("other", "Granite of the north"));
            for (String query : List.of("re-entry", "e-mail", "on-call")) {
                assertEquals(Set.of("joined", "hyphen"), Set.copyOf(store.sources(store.search(query, BOOKS))), query);
            }
            SearchResult missing = store.search("granite-quarry", BOOKS);
            assertEquals(List.of("other"), store.sources(missing));
            assertTrue(missing.hits().getFirst().relevance().orElse(1) < 1, "the other word is missing");
        }
    }
}
