package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.catalog.AnswerArguments;

/** What a shortened answer keeps, and what it says about the rest. The allowed size is in characters here. */
class AnswerTruncatorTest {
    private static final int LONG = 1_000;
    private static final String MATCH = "The winch was repaired in Bergen. ";

    /** Five results of about {@code chars} characters each, with {@link #MATCH} in the middle. */
    private static ObjectNode answer(int chars) {
        String filler = "Nothing happened on this day. ".repeat(chars / 60);
        ObjectNode answer = Json.object().put("count", 5);
        ArrayNode results = answer.putArray("results");
        for (int i = 0; i < 5; i++) {
            results.addObject().put("id", i).put("text", filler + MATCH + filler);
        }
        return answer;
    }

    private static ObjectNode cut(ObjectNode answer, int skip, int most, OptionalInt needed) {
        AnswerTruncator.Allowance allowance = new AnswerTruncator.Allowance() {
            @Override
            public boolean covers(ObjectNode part) {
                return Json.text(part).length() <= most;
            }

            @Override
            public double share(JsonNode value) {
                return (Json.text(value).length() + 1.0) / most;
            }

            @Override
            public double whole() {
                return 0.7;
            }

            @Override
            public OptionalInt needed(ObjectNode head, List<JsonNode> results) {
                return needed;
            }

            @Override
            public boolean exceeds(int tokens) {
                return true;
            }
        };
        DetailTruncator detail = DetailTruncator.of(null, "results", "winch repaired", answer.path("results"));
        return new AnswerTruncator(answer, "results", skip, detail, allowance).made();
    }

    private static int chars(JsonNode answer, int result) {
        return answer.path("results").path(result).path("text").asText().length();
    }

    @Test
    void whatFitsIsWholeAndSaysNothingOfARest() {
        ObjectNode whole = cut(answer(LONG), 0, 100_000, OptionalInt.empty());
        assertEquals(answer(LONG), whole);
        ObjectNode rest = cut(answer(LONG), 3, 100_000, OptionalInt.empty());
        assertEquals(2, rest.path("results").size());
        assertEquals(2, rest.path("count").asInt(), "which counts what is there");
        assertEquals(3, rest.path("results").path(0).path("id").asInt());
        assertFalse(rest.has("truncated"));
    }

    @Test
    void moreThanThereIsCanBePassedOver() {
        ObjectNode none = cut(answer(LONG), 9, 100_000, OptionalInt.empty());
        assertEquals(0, none.path("results").size());
        assertFalse(none.has("truncated"));
    }

    @Test
    void theBestHaveRoomFirstAndTheLastAreLeftOut() {
        ObjectNode part = cut(answer(LONG), 0, 2_500, OptionalInt.empty());
        int whole = chars(answer(LONG), 0);
        assertEquals(whole, chars(part, 0));
        assertTrue(chars(part, 1) > 300 && chars(part, 1) <= whole, part::toString);
        int shown = part.path("results").size();
        assertTrue(shown < 5, part::toString);
        assertEquals(shown, part.path("count").asInt());
        assertEquals(5 - shown, part.path("truncated").path("omitted").asInt());
        for (int i = 0; i < shown; i++) {
            String text = part.path("results").path(i).path("text").asText();
            assertTrue(text.contains(MATCH.strip()), text);
            assertTrue(text.length() >= 150, "and nothing is squeezed to less: " + text);
        }
    }

    @Test
    void theNextAnswerBeginsWithTheFirstThatIsShortenedAndHasMoreOfIt() {
        ObjectNode part = cut(answer(LONG), 1, 2_500, OptionalInt.empty());
        assertEquals(AnswerArguments.next(2), part.path("truncated").path("next"));
        ObjectNode next = cut(answer(LONG), 2, 2_500, OptionalInt.empty());
        assertEquals(2, next.path("results").path(0).path("id").asInt());
        assertEquals(chars(answer(LONG), 0), chars(next, 0));
        assertTrue(chars(part, 1) < chars(next, 0), part::toString);
    }

    @Test
    void whereTheFirstIsShortenedTheBudgetForItIsSaid() {
        ObjectNode part = cut(answer(LONG), 2, 900, OptionalInt.of(1_700));
        assertTrue(part.path("results").path(0).path("text").asText().contains(MATCH.strip()), part::toString);
        assertEquals(AnswerArguments.next(2, 1_700), part.path("truncated").path("next"));
    }

    @Test
    void whereNoneFitsTheBudgetThatIsNeededIsSaid() {
        ObjectNode none = cut(answer(LONG), 2, 150, OptionalInt.of(700));
        assertEquals(0, none.path("results").size());
        assertEquals(3, none.path("truncated").path("omitted").asInt());
        assertEquals(AnswerArguments.next(2, 700), none.path("truncated").path("next"));
    }

    @Test
    void aResultThatNoBudgetIsEnoughForIsPassedOver() {
        ObjectNode none = cut(answer(LONG), 2, 150, OptionalInt.empty());
        assertEquals(AnswerArguments.next(3), none.path("truncated").path("next"));
    }

    @Test
    void whatIsLeftOutOfAResultIsNamedAlsoInside() {
        ObjectNode answer = answer(LONG);
        ObjectNode first = (ObjectNode) answer.path("results").path(0);
        first.putArray("tags").add("ship");
        first.putArray("vector").add(0.5);
        ObjectNode part = cut(answer, 0, 1_000, OptionalInt.empty());
        assertEquals(
                "[\"tags\",\"vector\"]", part.path("truncated").path("dropped").toString());
    }
}
