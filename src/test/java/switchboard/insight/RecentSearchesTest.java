package switchboard.insight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.telemetry.RequestCaller;

/** Which search of several gateways a read and another question belong to. */
class RecentSearchesTest {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
    private static final ReadDocument READ = new ReadDocument(new RequestCaller("red", "k"), "s://a/one", NOON);

    private static RecentSearches.RecentSearch search(String id, String query, Instant since, String... addresses) {
        ObjectNode line = Json.object().put("id", id).put("query", query).put("skipped", 0);
        var hits = line.putArray("hits");
        for (String address : addresses) {
            hits.addObject().put("address", address).put("position", hits.size());
        }
        return new RecentSearches.RecentSearch(since, line);
    }

    private static String explained(RecentSearches recent, Instant time) {
        return recent.use(READ, time)
                .map(use -> use.line().path("search").asText())
                .orElse("");
    }

    @Test
    void aReadBelongsToTheNewestSearchBeforeItThatGaveIt() {
        RecentSearches recent = new RecentSearches();
        recent.add("red", "k", search("later", "q", NOON.plusMillis(1), "s://a/one"));
        recent.add(
                "red",
                "k",
                search("old", "q", NOON.minus(Duration.ofMinutes(10)).plusMillis(1), "s://a/one"));
        assertEquals("old", explained(recent, NOON), "what is searched afterwards explains nothing");
        assertEquals("", explained(recent, NOON.minus(Duration.ofMinutes(10))));
        recent.add("red", "k", search("other", "q", NOON.minusSeconds(1), "s://a/two"));
        recent.add("red", "k2", search("of another key", "q", NOON, "s://a/one"));
        recent.add("blue", "k", search("of another team", "q", NOON, "s://a/one"));
        assertEquals("old", explained(recent, NOON));
        recent.add("red", "k", search("now", "q", NOON, "s://a/two", "s://a/one"));
        assertEquals("now", explained(recent, NOON));
        assertEquals("later", explained(recent, NOON.plusMillis(1)));
    }

    @Test
    void anotherQuestionFollowsTheOneBeforeOnAnyGateway() {
        RecentSearches recent = new RecentSearches();
        RecentSearches.RecentSearch asked = search("s2", "two", NOON);
        ObjectNode line = ((ObjectNode) asked.line()).put("after", "what its own gateway knows");
        recent.link("red", "k", asked, line);
        assertEquals("what its own gateway knows", line.path("after").asText());
        recent.add("red", "k", search("s1", "one", NOON.minusSeconds(9)));
        recent.add("red", "k", asked);
        recent.link("red", "k", asked, line);
        assertEquals("s1", line.path("after").asText());
        recent.add("red", "k", search("same", "two", NOON.minusSeconds(1)));
        recent.link("red", "k", asked, line);
        assertFalse(line.has("after"), "the same question is no other one");
        assertFalse(line.has("rest_of"));
        recent.link("red", "k", asked, line.put("skipped", 5));
        assertEquals("same", line.path("rest_of").asText());
        recent.link("red", "k", search("s4", "four", NOON), line.put("rest_of", "forgotten"));
        assertFalse(line.has("rest_of"), "that search has no row");
        ObjectNode unkept = Json.object().put("id", "s9").put("skipped", 5);
        recent.link("red", "k", new RecentSearches.RecentSearch(NOON, unkept), unkept);
        assertFalse(unkept.has("after") || unkept.has("rest_of"), "where no query is kept, nothing tells of it");
    }
}
