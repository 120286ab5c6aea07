package switchboard.insight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;

/** What a report says of a log. */
class SearchGapsTest {
    private static final Instant START = Instant.parse("2026-11-01T12:00:00Z");

    private static final SearchGaps.Meanings UNKNOWN = _ -> Future.succeededFuture(Optional.empty());

    private int number;

    /** A search with hits of these relevances; a negative one is not known. */
    private ObjectNode search(Instant time, String query, double... relevances) {
        ObjectNode line = Json.object()
                .put("event", "search")
                .put("id", "s" + number++)
                .put("time", time.toString())
                .put("team", "red")
                .put("query", query)
                .put("ms", 10 * number);
        ArrayNode hits = line.putArray("hits");
        for (double relevance : relevances) {
            ObjectNode hit =
                    hits.addObject().put("address", "switchboard://a/b/c").put("source", "a:b");
            if (relevance >= 0) {
                hit.put("relevance", relevance);
            }
        }
        ArrayNode sources = line.putArray("sources");
        sources.addObject()
                .put("source", "a:b")
                .put("status", "ok")
                .put("hits", relevances.length)
                .put("ms", 3);
        sources.addObject()
                .put("source", "a:silent")
                .put("status", "timeout")
                .put("hits", 0)
                .put("ms", 9);
        return line;
    }

    private static GapReport report(SearchGaps gaps, SearchGaps.Meanings meanings) {
        return gaps.report(meanings, 10).result();
    }

    @Test
    void aQuestionIsOpenWithoutARelevantHitUnlessSomethingWasRead() {
        SearchGaps gaps = new SearchGaps(START, 0.5);
        gaps.add(search(START, "nothing at all"));
        gaps.add(search(START, "hardly anything", 0.1, 0.49));
        gaps.add(search(START, "enough", 0.1, 0.5));
        gaps.add(search(START, "who knows", -1));
        gaps.add(search(START, "read in spite of it", 0.2));
        gaps.add(Json.object().put("event", "fetched").put("search", "s4").put("address", "switchboard://a/b/c"));
        gaps.add(search(START.minusMillis(1), "too old"));
        gaps.add(search(START, "the rest of an answer").put("skipped", 10));
        GapReport report = report(gaps, UNKNOWN);
        assertEquals(5, report.searches());
        assertEquals(2, report.unanswered());
        assertEquals(
                List.of(List.of("hardly anything"), List.of("nothing at all")),
                report.groups().stream()
                        .map(GapReport.QuestionGroup::questions)
                        .sorted((one, other) -> one.getFirst().compareTo(other.getFirst()))
                        .toList());
        assertNull(report.groups().stream()
                .filter(group -> group.questions().contains("nothing at all"))
                .findFirst()
                .orElseThrow()
                .best_relevance());
    }

    /** Where queries are not kept, no link says whose rest it is. */
    @Test
    void whatIsReadOfTheRestOfAnAnswerIsReadOfItsSearch() {
        SearchGaps gaps = new SearchGaps(START, 0.5);
        gaps.add(search(START, "unread", 0.1).put("key", "another"));
        gaps.add(search(START, "read", 0.1).put("key", "k"));
        gaps.add(search(START, "unread", 0.1).put("key", "another"));
        ObjectNode rest =
                search(START.plusSeconds(1), "read", 0.1).put("key", "k").put("skipped", 10);
        rest.remove("query"); // with it, rest_of would tell
        gaps.add(rest);
        gaps.add(Json.object()
                .put("event", "fetched")
                .put("search", rest.path("id").asText())
                .put("address", "switchboard://a/b/c"));
        assertEquals(3, report(gaps, UNKNOWN).searches());
        assertEquals(2, report(gaps, UNKNOWN).unanswered());
    }

    /** Somebody who searches for a whole page would make the report as large as a thousand questions. */
    @Test
    void ofALongQuestionTheBeginningCounts() {
        SearchGaps gaps = new SearchGaps(START, 0.5);
        String halfEmoji = "x".repeat(499) + "\uD83D\uDE00";
        gaps.add(search(START, "y".repeat(500)));
        gaps.add(search(START, halfEmoji + "z".repeat(60_000)));
        List<String> compared = new ArrayList<>();
        GapReport report = report(gaps, texts -> {
            compared.addAll(texts);
            return Future.succeededFuture(Optional.empty());
        });
        List<String> shown = List.of("x".repeat(499) + "…", "y".repeat(500));
        assertEquals(shown, compared);
        assertEquals(
                shown,
                report.groups().stream()
                        .map(group -> group.questions().getFirst())
                        .sorted()
                        .toList());
        assertEquals(
                shown,
                report.slow_questions().stream()
                        .map(GapReport.SlowQuestion::question)
                        .sorted()
                        .toList());
    }

    @Test
    void questionsOfTheSameMeaningAreOneGroupNamedByItsWords() {
        SearchGaps gaps = new SearchGaps(START, 0.5);
        for (String query : List.of(
                "parental leave for fathers",
                "Parental  leave for fathers ",
                "how long is parental leave",
                "vpn on a phone",
                "is there a vpn for the phone")) {
            gaps.add(search(START.plus(Duration.ofDays(number)), query));
        }
        SearchGaps.Meanings byFirstTopic = texts -> Future.succeededFuture(Optional.of((one, other) ->
                texts.get(one).contains("vpn") == texts.get(other).contains("vpn") ? 0.9 : 0.1));
        GapReport report = report(gaps, byFirstTopic);
        assertEquals(2, report.groups().size());
        GapReport.QuestionGroup leave = report.groups().getFirst();
        assertEquals(3, leave.count());
        assertEquals(List.of("parental leave for fathers", "how long is parental leave"), leave.questions());
        assertEquals(List.of("leave", "parental"), leave.words().subList(0, 2));
        assertEquals(List.of("a:b", "a:silent"), leave.sources());
        // The first day is a Sunday: one of the three is in the week before.
        assertEquals(Map.of("2026-10-26", 1, "2026-11-02", 2), leave.weeks());
        assertEquals(4, report(gaps, UNKNOWN).groups().size());
    }

    @Test
    void aSourceIsSilentWhenItWasAskedOftenAndNeverContributed() {
        SearchGaps gaps = new SearchGaps(START, 0.5);
        for (int i = 0; i < 9; i++) {
            gaps.add(search(START, "q" + i, 0.9));
        }
        assertEquals(List.of(), report(gaps, UNKNOWN).silent_sources());
        gaps.add(search(START, "slowest", 0.9));
        GapReport report = report(gaps, UNKNOWN);
        assertEquals(List.of(new GapReport.SilentSource("a:silent", 10, 10)), report.silent_sources());
        assertEquals(
                new GapReport.SlowQuestion("slowest", 100, "a:silent", 9),
                report.slow_questions().getFirst());
    }

    @Test
    void ofALongLogTheNewestSearchesCountAndQueriesWithoutTextAreCountedOnly() {
        SearchGaps gaps = new SearchGaps(START, 0.5);
        for (int i = 0; i < SearchGaps.MOST_SEARCHES + 10; i++) {
            ObjectNode line = search(START, "x");
            if (i < SearchGaps.MOST_SEARCHES) {
                line.remove("query");
            }
            gaps.add(line);
        }
        GapReport report = report(gaps, UNKNOWN);
        assertEquals(SearchGaps.MOST_SEARCHES, report.searches());
        assertEquals(SearchGaps.MOST_SEARCHES - 10, report.without_text());
        assertEquals(10, report.groups().getFirst().count());
    }
}
