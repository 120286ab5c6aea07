package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.doc;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.call.SpellingSuggestion;

@ExtendWith(VertxExtension.class)
class SpellingCorrectorTest {
    private static final Namespace OTHERS = Namespace.of("others");

    @TempDir
    Path folder;

    private StoreFixture fixture;

    @BeforeEach
    void open(Vertx vertx) {
        fixture = new StoreFixture(vertx, folder);
        fixture.put(
                BOOKS,
                doc(
                        "k8s",
                        "Kubernetes restarts a container that has failed.",
                        Json.object().put("team", "a")));
        fixture.put(BOOKS, doc("mail", "The postmaster delivers letters and parcels in the MORNING."));
        fixture.put(OTHERS, doc("secret", "The zeppelin lands at night."));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private SearchResult search(String query, Filter filter) {
        return fixture.search(
                new SearchRequest(query, Optional.empty(), List.of(BOOKS), filter, 10, new Fusion.KeywordOnly()));
    }

    private SearchResult search(String query) {
        return search(query, new Filter.All());
    }

    /** Words that the caller may not see leave room for those that it may. */
    @Test
    void wordsThatTheFilterHidesDontUseUpTheSuggestions() {
        StringBuilder hidden = new StringBuilder();
        for (char letter = 'a'; letter <= 'z'; letter++) {
            hidden.append("lanthor").append(letter).append("um ");
        }
        fixture.put(BOOKS, doc("hidden", hidden.toString(), Json.object().put("team", "b")));
        fixture.put(BOOKS, doc("shown", "A lantherinum burns.", Json.object().put("team", "a")));
        SearchResult found = search("lanthorinum", Filter.equal("metadata.team", "a"));
        assertEquals(List.of("shown"), fixture.sources(found));
        assertEquals("lantherinum", found.similarWords().getFirst().searched());
    }

    /** A document with "dirt" is not about directories, although their abbreviation is similar to it. */
    @Test
    void theAbbreviationOfAWordIsNeverCorrected() {
        fixture.put(BOOKS, doc("garden", "Dirt and dirk."));
        assertEquals(List.of(), search("directory").similarWords());
        fixture.put(BOOKS, doc("code", "def list_dir(path): ..."));
        assertEquals(List.of("code"), fixture.sources(search("directory")));
    }

    @ParameterizedTest
    @CsvSource({
        "kubermetes, kubermetes, Kubernetes, k8s",
        "how to restart a contaner, contaner, container, k8s",
        "lettres, lettres, letters, mail",
        "PARCELS in the moorning, moorning, MORNING, mail"
    })
    void aWordThatNoDocumentHasIsSearchedAsASimilarOneAndTheResultSaysSo(
            String query, String written, String searched, String source) {
        SearchResult found = search(query);
        assertEquals(List.of(source), fixture.sources(found));
        assertEquals(
                List.of(new SpellingSuggestion.Correction(written, searched)),
                found.similarWords().stream()
                        .map(SpellingSuggestion::correction)
                        .toList());
        assertEquals(
                Optional.of("No document has \"" + written + "\": \"" + searched + "\" was searched instead."),
                SearchResult.corrected(found.similarWords()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubernetes container",
                "zxqwvbn",
                "zepelin",
                "mial",
                "KUBERMETES",
                "kuber_metes",
                "kuberMetes",
                "kubermetes2",
                "1234567",
                "",
                "(((",
                "🙂"
            })
    void wordsThatExistShortOnesIdentifiersAbbreviationsAndWordsOfOtherLibrariesStay(String query) {
        assertEquals(List.of(), search(query).similarWords());
    }

    @Test
    void onlyWordsOfDocumentsThatPassTheFilterAreOffered() {
        assertEquals(
                1,
                search("kubermetes", Filter.equal("metadata.team", "a"))
                        .similarWords()
                        .size());
        SearchResult none = search("kubermetes", new Filter.Not(Filter.equal("metadata.team", "a")));
        assertEquals(List.of(), none.similarWords());
        assertEquals(List.of(), none.hits());
    }

    @Test
    void atMostThreeWordsOfAQueryAreCorrected() {
        assertEquals(
                SpellingCorrector.MOST,
                search("kubermetes contaner lettres parcals moorning")
                        .similarWords()
                        .size());
    }

    @Test
    void documentsAreCorrectedToByGroupedSearchesToo() {
        DocumentScores found = StoreFixture.await(fixture.store()
                .scores(new SearchRequest(
                        "kubermetes",
                        Optional.empty(),
                        List.of(BOOKS),
                        new Filter.All(),
                        10,
                        new Fusion.KeywordOnly())));
        assertEquals(1, found.documents().size());
        assertEquals(
                Optional.of("No document has \"kubermetes\": \"Kubernetes\" was searched instead."), found.leftOut());
    }

    @Test
    void aPartOfASearchCorrectsNothingButSaysWhatItHasInstead() {
        SearchResult found = fixture.search(new SearchRequest(
                "kubermetes",
                List.of(),
                List.of(BOOKS),
                new Filter.All(),
                SearchRequest.HitLimits.chunks(10),
                new Fusion.KeywordOnly(),
                SearchRequest.Spelling.SUGGESTED));
        assertEquals(
                List.of(new SpellingSuggestion.Correction("kubermetes", "Kubernetes")),
                found.similarWords().stream()
                        .map(SpellingSuggestion::correction)
                        .toList());
        assertEquals(List.of(), found.hits());
    }
}
