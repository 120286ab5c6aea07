package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.TreeSet;
import switchboard.call.Json;
import switchboard.testing.TwoTeams;

/**
 * Answers of gateways that share documents, compared with those of one that has them for itself: equal but for times, which are
 * the database's, and for scores, whose last digits differ until deletions are merged, and with them the order of hits.
 */
final class AnswersOfReplicas implements TwoTeams.AnswerComparison {
    private static final Set<String> VARYING =
            Set.of("created_at", "last_modified", "score", "keyword_score", "keyword_rank", "relevance");
    private static final int MOST_HITS = 100;

    @Override
    public void check(TwoTeams.TeamCall call, String answer, String alone, TwoTeams.Asking asking) {
        ObjectNode result = result(answer);
        ObjectNode expected = result(alone);
        if (!result.has("structuredContent") || !call.tool().equals("search")) {
            assertEquals(steady(expected), steady(result), call::toString);
            return;
        }
        ObjectNode found = steady(result.path("structuredContent"));
        ObjectNode wanted = steady(expected.path("structuredContent"));
        TreeSet<String> hits = hits(found);
        TreeSet<String> those = hits(wanted);
        assertEquals(those.size(), hits.size(), () -> call + ": " + result + expected);
        if (hits.size() < call.arguments().path("top_k").asInt()) {
            assertEquals(those, hits, call::toString);
        } else if (!those.equals(hits)) {
            ObjectNode more = call.arguments().deepCopy().put("top_k", MOST_HITS);
            TreeSet<String> all = hits(steady(result(asking.again(more)).path("structuredContent")));
            assertTrue(all.containsAll(hits), () -> call + ": " + hits + " are not all in " + all);
        }
        found.remove("results");
        wanted.remove("results");
        assertEquals(wanted, found, call::toString);
    }

    private static TreeSet<String> hits(JsonNode structured) {
        TreeSet<String> hits = new TreeSet<>();
        structured.path("results").forEach(hit -> hits.add(hit.toString()));
        return hits;
    }

    /** The result, or the whole message where there is none, without its id. */
    private static ObjectNode result(String body) {
        try {
            ObjectNode message = (ObjectNode) Json.parse(body);
            return message.path("result") instanceof ObjectNode result ? result : message.without("id");
        } catch (JsonProcessingException e) {
            throw new AssertionError(body, e);
        }
    }

    /** Without what may differ. The text of an answer says the same as its structure. */
    private static ObjectNode steady(JsonNode object) {
        ObjectNode steady = object.deepCopy();
        if (steady.has("structuredContent")) {
            steady.remove("content");
        }
        without(steady);
        return steady;
    }

    private static void without(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(VARYING);
        }
        node.forEach(AnswersOfReplicas::without);
    }
}
