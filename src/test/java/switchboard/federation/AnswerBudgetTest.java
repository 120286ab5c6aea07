package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.catalog.AnswerArguments;

/**
 * How a budget is spent, in numbers. A token is a character here, so that the examples can be calculated by hand: a
 * result <code>{"id":0,"text":"..."}</code> takes 18 characters, its text, and a comma. What surrounds three results
 * takes 117 at most, with all that can be said of what is missing.
 */
class AnswerBudgetTest {
    private static final int ENDLESS = 1 << 30;

    private static AnswerFitter fitter(AnswerTokenCounter tokens) {
        return new AnswerFitter(DirectCalls::now, (text, most) -> Math.min(tokens.of(text, most), most + 1));
    }

    private static final AnswerFitter BY_CHARACTER = fitter((text, _) -> text.length());

    /** Results of that many characters each, with their commas. */
    private static ObjectNode answer(int... sizes) {
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (int i = 0; i < sizes.length; i++) {
            results.addObject()
                    .put("id", i)
                    .put("text", "Was? ".repeat(sizes[i]).substring(0, sizes[i] - 19));
        }
        return answer;
    }

    private static ObjectNode cut(AnswerFitter fitter, ObjectNode answer, AnswerFitter.Bounds bounds) {
        ToolReply.Ok reply = (ToolReply.Ok) fitter.fit(Principal.anonymous(), ToolReply.ok(answer), answer, bounds)
                .await();
        return reply.structured();
    }

    private static AnswerFitter.Bounds bounds(@Nullable Integer budget, int skip, int maxBytes) {
        return new AnswerFitter.Bounds("results", "", null, new AnswerArguments(budget, skip), maxBytes);
    }

    private static ObjectNode cut(ObjectNode answer, int budget, int skip) {
        return cut(BY_CHARACTER, answer, bounds(budget, skip, ENDLESS));
    }

    private static List<Integer> sizes(ObjectNode answer) {
        List<Integer> sizes = new ArrayList<>();
        answer.path("results").forEach(result -> sizes.add(Json.text(result).length() + 1));
        return sizes;
    }

    private static JsonNode next(ObjectNode answer) {
        return answer.path("truncated").path("next");
    }

    /** A sentence of five characters may not fit any more, and marks take up to four. */
    private static void assertSizes(ObjectNode answer, int... expected) {
        List<Integer> sizes = sizes(answer);
        assertEquals(expected.length, sizes.size(), answer::toString);
        for (int i = 0; i < expected.length; i++) {
            int size = sizes.get(i);
            assertTrue(size <= expected[i] && size >= expected[i] - 12, () -> "sizes " + sizes);
        }
    }

    // ---- who has how much room

    @Test
    void oneOfSeveralResultsTakesSevenTenthsOfTheRoomAtMostOrElseHalfOfIt() {
        // 1,000 are seven tenths of 1,429.
        ObjectNode whole = cut(answer(1_000, 1_000, 1_000), 117 + 1_429, 0);
        assertSizes(whole, 1_000, 215, 219);
        assertEquals(1_000, sizes(whole).getFirst());
        assertEquals(0, whole.path("truncated").path("omitted").asInt());
        assertEquals(2, whole.path("truncated").path("shortened").asInt());
        ObjectNode halved = cut(answer(1_000, 1_000, 1_000), 117 + 1_428, 0);
        // The best one has also what the others leave.
        assertEquals(3, halved.path("results").size(), halved::toString);
        assertTrue(sizes(halved).get(0) > 700 && sizes(halved).get(0) < 735, () -> "sizes " + sizes(halved));
        assertTrue(sizes(halved).get(1) > 340 && sizes(halved).get(1) <= 357, halved::toString);
        assertTrue(sizes(halved).get(2) > 340 && sizes(halved).get(2) <= 364, halved::toString);
        assertEquals(0, halved.path("truncated").path("omitted").asInt());
        assertEquals(3, halved.path("truncated").path("shortened").asInt());
    }

    @Test
    void eachHasHalfOfWhatThoseBeforeItLeftAndTheBestHasTheRemainder() {
        ObjectNode part = cut(answer(2_000, 2_000, 2_000, 2_000, 2_000), 117 + 2_384, 0);
        // 1,192, 596, 298, the least length of about 218, and nothing for the fifth; some 80 are left for the first.
        List<Integer> sizes = sizes(part);
        assertEquals(4, sizes.size(), part::toString);
        assertTrue(sizes.get(0) > 1_250 && sizes.get(0) < 1_310, sizes::toString);
        assertTrue(sizes.get(1) > 580 && sizes.get(1) <= 600, sizes::toString);
        assertTrue(sizes.get(2) > 285 && sizes.get(2) <= 302, sizes::toString);
        assertTrue(sizes.get(3) > 200 && sizes.get(3) <= 220, sizes::toString);
        assertEquals(1, part.path("truncated").path("omitted").asInt());
        assertEquals(4, part.path("truncated").path("shortened").asInt());
    }

    @Test
    void theOnlyResultTakesAllTheRoomThereIs() {
        ObjectNode part = cut(answer(5_000), 117 + 1_000, 0);
        assertSizes(part, 1_000);
        assertEquals(0, part.path("truncated").path("omitted").asInt());
        // Below the least length of a text the first one is still shown in a hundred characters.
        ObjectNode brief = cut(answer(5_000), 117 + 150, 0);
        assertSizes(brief, 118);
        ObjectNode none = cut(answer(5_000), 117 + 100, 0);
        assertEquals("[]", none.path("results").toString());
        assertEquals(1, none.path("truncated").path("omitted").asInt());
    }

    @Test
    void withoutABudgetAResultThatFitsAloneIsWhole() {
        ObjectNode answer = answer(3_000, 3_000, 3_000);
        // Its form as text inside of JSON has eight quotes that take one byte more each.
        int bytes = 1_024 + 200 + 3_100;
        ObjectNode part = cut(BY_CHARACTER, answer, bounds(null, 0, bytes));
        assertEquals(3_000, sizes(part).getFirst());
        assertEquals(AnswerArguments.next(1), next(part));
        ObjectNode two = cut(BY_CHARACTER, answer, bounds(null, 0, bytes + 3_000));
        assertEquals(List.of(3_000, 3_000), sizes(two));
        assertEquals(AnswerArguments.next(2), next(two));
    }

    // ---- how it goes on

    @ParameterizedTest
    @CsvSource({
        // The second one whole: 1.03 * (116 + 1,000 / 0.7) + 10, rounded up.
        "2, 1546, 1, 1601",
        "2, 1600, 1, 1601",
        // Enough for it already, to the token.
        "2, 1601, 1, 0",
        // Both, and all three: 1.03 * (116 + 1,000 + 1,000 + 1,000 / 0.7) + 10.
        "2, 1545, 0, 2631",
        "3, 1600, 1, 2631",
        "3, 1545, 0, 3661"
    })
    void nextHasTheBudgetWithWhichAllThatWasShownIsWhole(int results, int budget, int skip, int needed) {
        int[] sizes = new int[results];
        Arrays.fill(sizes, 1_000);
        ObjectNode part = cut(answer(sizes), budget, 0);
        assertEquals(needed == 0 ? AnswerArguments.next(skip) : AnswerArguments.next(skip, needed), next(part));
        ObjectNode after = cut(answer(sizes), needed == 0 ? budget : needed, skip);
        assertEquals(results - skip, after.path("results").size());
        assertFalse(after.has("truncated"), after::toString);
    }

    @Test
    void whatAreTooManyForTheLargestBudgetComesInParts() {
        // Together 100,000 + 140,000 / 0.7; alone the first needs 147,000.
        ObjectNode part = cut(answer(100_000, 140_000), 1_000, 0);
        assertEquals(2, part.path("results").size());
        assertEquals(AnswerArguments.next(0, 147_273), next(part));
        // 1.03 * (116 + 135,834 / 0.7) + 10, rounded up, is the largest budget.
        assertEquals(AnswerArguments.next(0, 200_000), next(cut(answer(135_834), 1_000, 0)));
        assertEquals(AnswerArguments.next(1), next(cut(answer(135_835), 1_000, 0)));
    }

    @Test
    void aBudgetIsNoHelpAgainstTheLargestSize() {
        int size = 5_000;
        int bytes = 1_024 + (size + 6) * 10 / 7;
        ObjectNode enough = cut(BY_CHARACTER, answer(size, size), bounds(600, 0, bytes + 300));
        assertTrue(next(enough).has("budget_tokens"), enough::toString);
        ObjectNode tooLarge = cut(BY_CHARACTER, answer(size, size), bounds(600, 0, bytes - 300));
        assertEquals(AnswerArguments.next(1), next(tooLarge));
    }

    @Test
    void aRestThatFitsToTheCharacterIsWhole() {
        // Without a word of what is missing, 14 characters surround the results, and the last one has no comma.
        ObjectNode rest = cut(answer(500, 1_000, 1_000), 2_013, 1);
        assertEquals(List.of(1_000, 1_000), sizes(rest));
        assertFalse(rest.has("truncated"), rest::toString);
        assertTrue(cut(answer(500, 1_000, 1_000), 2_012, 1).has("truncated"));
    }

    // ---- what surrounds the results

    @Test
    void namesOfWhatIsDroppedHaveTheirRoom() {
        ObjectNode answer = answer(1_000, 1_000, 1_000);
        String name = "a".repeat(400);
        for (JsonNode result : answer.path("results")) {
            ((ObjectNode) result).putArray(name).add("x");
        }
        ObjectNode part = cut(answer, 117 + 403 + 2_000, 0);
        assertEquals(3, part.path("results").size());
        assertEquals(name, part.path("truncated").path("dropped").path(0).asText(), () -> part.path("truncated")
                .toString());
        int used = Json.text(part).length();
        assertTrue(used <= 2_520 && used > 2_460, () -> "used " + used);
    }

    @Test
    void whereItsSurroundingsAreTooLargeTheyAreReducedToWhatIsRequired() {
        ObjectNode schema = Json.object();
        schema.putArray("required").add("results").add("sources");
        ObjectNode answer = Json.object()
                .put("count", 3)
                .put("sources", "one two ".repeat(100).strip())
                .put("remark", "three four ".repeat(100).strip());
        answer.set("results", answer(1_000, 1_000, 1_000).path("results"));
        AnswerFitter.Bounds bounds =
                new AnswerFitter.Bounds("results", "", schema, new AnswerArguments(1_000, 0), ENDLESS);
        ObjectNode part = cut(BY_CHARACTER, answer, bounds);
        assertFalse(part.has("remark"), part::toString);
        assertTrue(part.path("sources").asText().length() <= 100, part::toString);
        assertTrue(part.path("sources").asText().length() > 80, part::toString);
        assertFalse(part.path("results").isEmpty());
        bounds = new AnswerFitter.Bounds("results", "", schema, new AnswerArguments(300, 0), ENDLESS);
        part = cut(BY_CHARACTER, answer, bounds);
        assertEquals(Set.of("results", "truncated"), names(part));
        assertEquals(1, part.path("results").size(), part::toString);
        bounds = new AnswerFitter.Bounds("results", "", schema, new AnswerArguments(5_000, 0), ENDLESS);
        part = cut(BY_CHARACTER, answer, bounds);
        assertEquals(answer.path("remark"), part.path("remark"));
        assertEquals(part.path("results").size(), part.path("count").asInt());
    }

    private static Set<String> names(ObjectNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** An answer as a whole may take a little more than its parts. */
    @ParameterizedTest
    @ValueSource(doubles = {1.02, 1.08})
    void allResultsGiveALittleBeforeTheLastOneIsLeftOut(double more) {
        AnswerFitter fitter =
                fitter((text, _) -> (int) (text.startsWith("{\"results\":[{") ? text.length() * more : text.length()));
        ObjectNode part = cut(fitter, answer(1_000, 1_000, 1_000), bounds(117 + 1_420, 0, ENDLESS));
        assertEquals(3, part.path("results").size(), part::toString);
        assertTrue(Json.text(part).length() * more <= 117 + 1_420);
        assertTrue(
                Json.text(part).length() * more > 1_380,
                () -> "" + Json.text(part).length());
    }

    // ---- whatever the results are

    private static final String[] WORDS = {
        "winch", "a", "Bergen", "\uD83D\uDC18", "灯台は島にある。", "naïve", "\n\n", "x.", "\"q\""
    };

    private static ObjectNode anyAnswer(Random random) {
        ObjectNode answer = Json.object().put("count", 0);
        ArrayNode results = answer.putArray("results");
        int count = 1 + random.nextInt(7);
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder();
            int words = random.nextInt(random.nextBoolean() ? 30 : 400);
            for (int w = 0; w < words; w++) {
                text.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
            }
            ObjectNode result = results.addObject().put("id", i).put("text", text.toString());
            if (random.nextInt(3) == 0) {
                result.putObject("more")
                        .put("title", "of " + i)
                        .putArray("vector")
                        .add(0.25);
            }
        }
        return answer.put("count", count);
    }

    /** Follows {@code next} to the end. */
    @Test
    void nextLeadsThroughAllResultsInOrderWithoutLossAndAlwaysWithinTheBudget() {
        for (int seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            ObjectNode all = anyAnswer(random);
            int total = all.path("results").size();
            int budget = 150 + random.nextInt(3_000);
            int skip = 0;
            List<JsonNode> whole = new ArrayList<>();
            for (int calls = 0; ; calls++) {
                String at = "seed " + seed + ", call " + calls + ", budget " + budget + ", skip " + skip;
                assertTrue(calls <= 2 * total + 1, at);
                ObjectNode part = cut(all, budget, skip);
                assertTrue(Json.text(part).length() <= budget, at);
                assertTruthful(all, part, skip, at);
                assertEquals(whole.size(), skip, at);
                for (JsonNode result : part.path("results")) {
                    if (!result.equals(all.path("results").path(whole.size()))) {
                        break;
                    }
                    whole.add(result);
                }
                if (!part.has("truncated")) {
                    break;
                }
                JsonNode next = next(part);
                int nextBudget = next.path("budget_tokens").asInt(budget);
                int nextSkip = next.path("skip_results").asInt(0);
                assertTrue(nextSkip > skip || nextBudget > budget, at + " does not go on: " + next);
                skip = nextSkip;
                budget = nextBudget;
            }
            List<JsonNode> expected = new ArrayList<>();
            all.path("results").forEach(expected::add);
            assertEquals(expected, whole, "seed " + seed);
        }
    }

    private static void assertTruthful(ObjectNode all, ObjectNode part, int skip, String at) {
        JsonNode shown = part.path("results");
        int left = all.path("results").size() - skip;
        int shortened = 0;
        Set<String> lacking = new TreeSet<>();
        for (int i = 0; i < shown.size(); i++) {
            JsonNode original = all.path("results").path(skip + i);
            assertEquals(original.path("id"), shown.path(i).path("id"), at);
            String text = shown.path(i).path("text").asText();
            assertTrue(StandardCharsets.UTF_8.newEncoder().canEncode(text), () -> at + ": half a character in " + text);
            shortened += original.equals(shown.path(i)) ? 0 : 1;
            if (original.has("more") && !shown.path(i).has("more")) {
                lacking.add("more");
            }
        }
        JsonNode truncated = part.path("truncated");
        assertEquals(left - shown.size(), truncated.path("omitted").asInt(), at);
        assertEquals(shortened, truncated.path("shortened").asInt(), at);
        Set<String> dropped = new TreeSet<>();
        truncated.path("dropped").forEach(name -> dropped.add(name.asText()));
        assertEquals(lacking, dropped, at);
        assertEquals(shortened + left - shown.size() > 0, part.has("truncated"), at);
        if (part.has("count")) {
            assertEquals(shown.size(), part.path("count").asInt(), at);
        }
    }
}
