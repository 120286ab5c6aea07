package switchboard.insight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.insight.TrialOutcome.TrialVerdict;

/** What a log of mixed searches says, line by line. */
class TrialReadsTest {
    private final TrialReads reads = new TrialReads("t");
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
        reads.add(line);
        return id;
    }

    private void read(String search, String... addresses) {
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
        String first = search("b", "", "", "p1", "c1");
        read(first, "c1");
        read(search("b", "rest_of", first, "c2", "p2"), "c2");
        read(search("b", "query", "x", "c1", "p1"), "c1");
        read(search("b", "query", "y", "c1", "p1"), "c1");
        assertEquals(new TrialOutcome(9, 6, 2, 3, 3, 0), reads.outcome());
        assertEquals(TrialVerdict.NOT_ENOUGH, reads.outcome().verdict());
    }

    @Test
    void threeDocumentsOfAQueryCountAndMostKeysDecide() {
        read(search("a", "query", "q", "c1", "p1", "c2", "p2", "p3", "p4"), "c1", "c2", "b9", "p1", "p2", "p3", "p4");
        assertEquals(new TrialOutcome(1, 1, 1, 0, 1, 0), reads.outcome(), "later ones do not count");
        read(search("b", "query", "q", "c1", "p1"), "p1");
        assertEquals(new TrialOutcome(2, 2, 2, 0, 0, 1), reads.outcome(), "one against one");
        read(search("c", "query", "q", "c1", "p1"), "p1");
        assertEquals(new TrialOutcome(3, 3, 3, 1, 0, 0), reads.outcome());
        search("d", "query", "q", "c1", "p1");
        read("another", "p1");
        assertEquals(new TrialOutcome(4, 3, 3, 1, 0, 0), reads.outcome(), "who reads nothing says nothing");
    }

    @Test
    void aKeyThatAsksMuchCountsAsMuchAsTheOthers() {
        IntStream.range(0, 100).forEach(i -> read(search("spam", "query", "own " + i, "c1", "p1"), "p1"));
        for (String key : List.of("a", "b", "c")) {
            IntStream.range(0, 12).forEach(i -> read(search(key, "query", "shared " + i, "c1", "p1"), "c1"));
        }
        TrialOutcome outcome = reads.outcome();
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
        assertEquals(new TrialOutcome(21, 21, 2, 20, 0, 1), reads.outcome());
        assertEquals(TrialVerdict.NOT_ENOUGH, reads.outcome().verdict());
    }
}
