package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.call.GivenDocuments.GivenDocument;
import switchboard.call.GivenDocuments.GivenHit;
import switchboard.call.GivenDocuments.GivenSearch;

class GivenDocumentsTest {
    private static GivenSearch search(String query, int hits) {
        return new GivenSearch(
                query,
                List.of("s", "t"),
                IntStream.range(0, hits)
                        .mapToObj(i -> new GivenHit(new GivenDocument("t", "d" + i), null, null))
                        .toList());
    }

    private static JsonNode first(GivenDocuments given) {
        return given.json().at("/searches/0");
    }

    @Test
    void ofASearchTheHitsAreLeftThatAreShown() {
        JsonNode some = first(GivenDocuments.found(search("q", 5)).shown(1, 3));
        assertEquals(1, some.path("skipped").asInt());
        assertEquals(List.of("d1", "d2", "d3"), some.path("results").findValuesAsText("id"));
        assertEquals(
                0,
                first(GivenDocuments.found(search("q", 5)).shown(9, 3))
                        .path("results")
                        .size());
        assertEquals(
                4,
                first(GivenDocuments.found(search("q", 5)).shown(1, Integer.MAX_VALUE))
                        .path("results")
                        .size());
    }

    /** An answer has a part for each query, also for one that failed. */
    @Test
    void ofSeveralSearchesThoseAreLeftThatAreShown() {
        GivenDocuments all = new GivenDocuments.SeveralSearches(List.of(search("", 0), search("a", 3), search("b", 2)));
        JsonNode shown = all.shown(1, 1).json().path("searches");
        assertEquals(List.of("a"), shown.findValuesAsText("query"));
        assertEquals(3, shown.at("/0/results").size(), "all of its hits");
        assertEquals(0, shown.at("/0/skipped").asInt());
        assertEquals(List.of("a", "b"), all.shown(0, 3).json().path("searches").findValuesAsText("query"));
        GivenDocuments one = new GivenDocuments.SeveralSearches(List.of(search("a", 3)));
        assertEquals(3, first(one.shown(0, 1)).path("results").size());
    }

    @Test
    void ofVeryManyHitsOnlyTheFirstAreTold() {
        JsonNode told = first(GivenDocuments.found(search("q", 10_000)));
        assertEquals(GivenDocuments.MOST, told.path("results").size());
        assertEquals("t", told.at("/sources/0/source").asText(), "what gave hits comes first");
        assertEquals(10_000, told.at("/sources/0/hits").asInt());
        assertEquals(0, told.at("/sources/1/hits").asInt());
        List<String> sources = IntStream.range(0, 5_000).mapToObj(i -> "s" + i).toList();
        assertEquals(
                GivenDocuments.MOST,
                first(GivenDocuments.found(new GivenSearch("q", sources, List.of())))
                        .path("sources")
                        .size());
    }

    @Test
    void whatIsNoQuestionIsNothing() {
        assertSame(GivenDocuments.NONE, GivenDocuments.found(search(" ", 3)));
        assertSame(GivenDocuments.NONE, GivenDocuments.read(List.of()));
        GivenDocuments read = GivenDocuments.read(List.of(new GivenDocument("s", "d"), new GivenDocument("s", null)));
        assertEquals(read, read.shown(1, 1), "they are no hits");
        assertEquals("d", read.json().at("/read/0/id").asText());
        assertFalse(read.json().at("/read/1").hasNonNull("id"));
    }
}
