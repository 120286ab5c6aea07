package switchboard.insight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.insight.TrialOutcome.TrialVerdict;

/** What a log of mixed searches says, line by line. */
class TrialReadsTest {
    private final TrialReads reads = new TrialReads("t");
    private final Map<String, ObjectNode> lines = new LinkedHashMap<>();
    private int searches;

    /** A search whose hits are named by their side: c1 is of the current ranking, p1 of the proposed one, b1 of both. */
    private String search(String key, String named, String query, String... hits) {
        String id = "s" + searches++;
        ObjectNode line = Json.object()
                .put("event", "search")
                .put("id", id)
                .put("key", key)
                .put("trial", "t");
        if (!named.isEmpty()) {
            line.put(named, query);
        }
        ArrayNode all = line.putArray("hits");
        for (String hit : hits) {
            all.addObject()
                    .put("address", hit)
                    .put("side", hit.startsWith("c") ? "current" : hit.startsWith("p") ? "proposed" : "both");
        }
        lines.put(id, line);
        return id;
    }

    /** The same search, as the rest of an answer. */
    private String rest(String search) {
        lines.get(search).put("skipped", 2);
        return search;
    }

    private String at(Instant time, String search) {
        lines.get(search).put("time", time.toString());
        return search;
    }

    private TrialOutcome outcome() {
        lines.values().forEach(reads::add);
        lines.clear();
        return reads.outcome();
    }

    private void read(String search, String... addresses) {
        lines.values().forEach(reads::add);
        lines.clear();
        for (String address : addresses) {
            reads.add(
                    Json.object().put("event", "fetched").put("search", search).put("address", address));
        }
    }

    @Test
    void aKeyCountsOnceForAQueryHoweverItIsNamed() {
        for (String named : List.of("query", "query_hash")) {
            read(search("a", named, "q " + named, "p1", "c1", "b1"), "p1", "p1", "b1");
            read(search("a", named, "q " + named, "p1", "c1", "b1"), "p1");
        }
        read(search("a", "", "", "p1", "c1"), "p1");
        read(search("b", "query", "z", "c1", "p1"), "c1");
        read(search("b", "query", "x", "c1", "p1"), "c1");
        read(search("b", "query", "y", "c1", "p1"), "c1");
        assertEquals(new TrialOutcome(8, 6, 2, 3, 3, 0), outcome());
        assertEquals(TrialVerdict.NOT_ENOUGH, outcome().verdict());
    }

    /** Where queries are not kept, no link says whose rest it is: it goes on with the search of its key before it. */
    @Test
    void theRestOfAnAnswerIsNoSearchOfItsOwn() {
        for (String key : List.of("a", "b")) {
            read(search(key, "", "", "p1", "c1"), "p1");
            search("c", "", "", "p1", "c1");
            read(rest(search(key, "", "", "c2", "p2")), "c2");
        }
        assertEquals(new TrialOutcome(4, 2, 0, 0, 0, 2), outcome(), "one against one in each of two queries");
        read(search("a", "", "", "p1", "c1"), "p1");
        read(search("b", "", "", "p1", "c1"), "p1");
        assertEquals(new TrialOutcome(6, 4, 2, 2, 0, 2), outcome(), "another search is another query");
    }

    @Test
    void aLinkOfAnOlderVersionSaysWhoseRestItIs() {
        String first = search("a", "", "", "p1", "c1");
        read(first, "c1");
        search("a", "", "", "p1", "c1");
        read(rest(search("a", "rest_of", first, "p2", "c2")), "c2");
        assertEquals(new TrialOutcome(2, 1, 1, 0, 1, 0), outcome());
    }

    @Test
    void aRestIsOnlyOfASearchNotLongBefore() {
        Instant noon = Instant.parse("2026-01-31T12:00:00Z");
        read(at(noon, search("a", "", "", "p1", "c1")), "p1");
        read(rest(at(noon.plusSeconds(599), search("a", "", "", "p2", "c2"))), "c2");
        assertEquals(new TrialOutcome(1, 1, 0, 0, 0, 1), outcome());
        read(rest(at(noon.plusSeconds(600), search("a", "", "", "p3", "c3"))), "p3");
        assertEquals(new TrialOutcome(1, 2, 1, 1, 0, 1), outcome());
    }

    /** What both rankings had put says nothing; so it takes nothing away from what does. */
    @Test
    void whatBothHadPutCrowdsNothingOut() {
        read(search("a", "query", "q", "b1", "b2", "b3", "p1", "c1"), "b1", "b2", "b3", "p1");
        assertEquals(new TrialOutcome(1, 1, 1, 1, 0, 0), outcome());
        IntStream.range(0, 20).forEach(i -> read(search("b", "query", "b" + i, "b1", "p1"), "b1"));
        read(search("b", "query", "q", "p1", "c1"), "c1");
        read(search("c", "query", "c", "p1", "c1"), "c1");
        assertEquals(new TrialOutcome(23, 23, 3, 0, 1, 21), outcome(), "nor does what it has read elsewhere");
    }

    @Test
    void threeDocumentsOfAQueryCountAndMostKeysDecide() {
        read(search("a", "query", "q", "c1", "p1", "c2", "p2", "p3", "p4"), "c1", "c2", "b9", "p1", "p2", "p3", "p4");
        assertEquals(new TrialOutcome(1, 1, 1, 0, 1, 0), outcome(), "later ones do not count");
        read(search("b", "query", "q", "c1", "p1"), "p1");
        assertEquals(new TrialOutcome(2, 2, 2, 0, 0, 1), outcome(), "one against one");
        read(search("c", "query", "q", "c1", "p1"), "p1");
        assertEquals(new TrialOutcome(3, 3, 3, 1, 0, 0), outcome());
        search("d", "query", "q", "c1", "p1");
        read("another", "p1");
        assertEquals(new TrialOutcome(4, 3, 3, 1, 0, 0), outcome(), "who reads nothing says nothing");
    }

    @Test
    void aKeyThatAsksMuchCountsAsMuchAsTheOthers() {
        IntStream.range(0, 100).forEach(i -> read(search("spam", "query", "own " + i, "c1", "p1"), "p1"));
        for (String key : List.of("a", "b", "c")) {
            IntStream.range(0, 12).forEach(i -> read(search(key, "query", "shared " + i, "c1", "p1"), "c1"));
        }
        TrialOutcome outcome = outcome();
        assertEquals(new TrialOutcome(136, 40, 4, 4, 12, 0), outcome);
        assertEquals(0.0768, outcome.p(), 0.0001);
        assertEquals(TrialVerdict.ALIKE, outcome.verdict());
        assertTrue(outcome.words().endsWith("no difference that may not be chance"), outcome::words);
    }

    @Test
    void aKeyThatPrefersNeitherDecidesNothing() {
        for (String key : List.of("a", "b")) {
            IntStream.range(0, 10).forEach(i -> read(search(key, "query", key + i, "c1", "p1"), "p1"));
        }
        read(search("c", "query", "common", "b1", "p1"), "b1");
        assertEquals(new TrialOutcome(21, 21, 2, 20, 0, 1), outcome());
        assertEquals(TrialVerdict.NOT_ENOUGH, outcome().verdict());
    }
}
