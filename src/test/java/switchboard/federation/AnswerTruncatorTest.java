package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.catalog.AnswerArguments;

/** What a shortened answer keeps, and what it says about the rest. */
class AnswerTruncatorTest {
    private static final int LONG = 1_000;

    /** Five results of {@code chars} characters each. */
    private static ObjectNode answer(int chars) {
        ObjectNode answer = Json.object().put("count", 5);
        ArrayNode results = answer.putArray("results");
        for (int i = 0; i < 5; i++) {
            results.addObject().put("id", i).put("text", "word ".repeat(chars / 5));
        }
        return answer;
    }

    private static ObjectNode cut(ObjectNode answer, int skip, Predicate<ObjectNode> covers, OptionalInt needed) {
        AnswerTruncator.Allowance allowance = new AnswerTruncator.Allowance() {
            @Override
            public boolean covers(ObjectNode part) {
                return covers.test(part);
            }

            @Override
            public OptionalInt needed(ObjectNode part) {
                return needed;
            }
        };
        return new AnswerTruncator(answer, "results", skip, DetailTruncator.of(null, "results"), allowance).made();
    }

    private static int chars(JsonNode answer) {
        int chars = 0;
        for (JsonNode result : answer.path("results")) {
            chars += result.path("text").asText().length();
        }
        return chars;
    }

    @Test
    void whatFitsIsWholeAndSaysNothingOfARest() {
        ObjectNode whole = cut(answer(LONG), 0, _ -> true, OptionalInt.empty());
        assertEquals(answer(LONG), whole);
        ObjectNode rest = cut(answer(LONG), 3, _ -> true, OptionalInt.empty());
        assertEquals(2, rest.path("results").size());
        assertEquals(2, rest.path("count").asInt(), "which counts what is there");
        assertEquals(3, rest.path("results").path(0).path("id").asInt());
        assertFalse(rest.has("truncated"));
    }

    @Test
    void moreThanThereIsCanBePassedOver() {
        ObjectNode none = cut(answer(LONG), 9, _ -> true, OptionalInt.empty());
        assertEquals(0, none.path("results").size());
        assertFalse(none.has("truncated"));
    }

    @Test
    void asManyAsFitAreKeptAndTheRestFollows() {
        for (int most = 1; most <= 3; most++) {
            int bound = most;
            ObjectNode part = cut(answer(5), 1, made -> made.path("results").size() <= bound, OptionalInt.empty());
            assertEquals(most, part.path("results").size());
            assertEquals(most, part.path("count").asInt());
            assertEquals(4 - most, part.path("truncated").path("omitted").asInt());
            assertEquals(AnswerArguments.next(1 + most), part.path("truncated").path("next"));
        }
    }

    @Test
    void whereAllAreShownTheNextAnswerBeginsWithTheFirstThatIsShortened() {
        ObjectNode part = cut(answer(LONG), 1, made -> chars(made) <= 2 * LONG + 2 * 300, OptionalInt.empty());
        assertEquals(4, part.path("results").size());
        assertEquals(0, part.path("truncated").path("omitted").asInt());
        assertEquals(2, part.path("truncated").path("shortened").asInt());
        assertEquals(AnswerArguments.next(3), part.path("truncated").path("next"));
        assertEquals(LONG, part.path("results").path(1).path("text").asText().length());
        assertTrue(part.path("results").path(2).path("text").asText().length() < 300);
    }

    @Test
    void whereNoneFitsTheBudgetThatIsNeededIsSaid() {
        ObjectNode none = cut(answer(LONG), 2, made -> made.path("results").isEmpty(), OptionalInt.of(700));
        assertEquals(0, none.path("results").size());
        assertEquals(3, none.path("truncated").path("omitted").asInt());
        assertEquals(AnswerArguments.next(2, 700), none.path("truncated").path("next"));
    }

    @Test
    void aResultThatNoBudgetIsEnoughForIsPassedOver() {
        ObjectNode none = cut(answer(LONG), 2, made -> made.path("results").isEmpty(), OptionalInt.empty());
        assertEquals(AnswerArguments.next(3), none.path("truncated").path("next"));
    }
}
