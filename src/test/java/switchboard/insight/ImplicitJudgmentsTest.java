package switchboard.insight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.eval.JudgedSet;

/** What reading says, of people whose preferences are known. */
class ImplicitJudgmentsTest {
    private static final List<String> FOUR = List.of("a", "b", "c", "d");

    @TempDir
    Path folder;

    private static ImplicitJudgments of(List<JsonNode> lines) {
        ImplicitJudgments judgments = new ImplicitJudgments();
        lines.forEach(judgments::add);
        return judgments;
    }

    private static Map<String, JudgedHit> judged(List<JsonNode> lines) {
        return of(lines).judgments().judged().stream().collect(Collectors.toMap(JudgedHit::address, one -> one));
    }

    @Test
    void nothingSaysNothing() {
        assertEquals(
                new ImplicitJudgments.ReadJudgments(List.of(), Map.of()),
                of(List.of()).judgments());
        SimulatedReaders readers = new SimulatedReaders(1);
        readers.readAll("k", "q", List.of(), _ -> true);
        readers.lines().add(Json.object());
        readers.lines().add(Json.object().put("event", "fetched").put("search", "r9"));
        assertEquals(List.of(), of(readers.lines()).judgments().judged());
        readers.readAll("k", "q", FOUR, _ -> false);
        List<JudgedHit> unread = of(readers.lines()).judgments().judged();
        assertEquals(4, unread.size());
        assertTrue(unread.stream().allMatch(hit -> hit.rate() == 0 && hit.grade() == 0), unread::toString);
    }

    @Test
    void aReadCountsForAndASkipAgainst() {
        SimulatedReaders readers = new SimulatedReaders(1);
        for (int i = 0; i < 8; i++) {
            readers.readAll("k" + i, "q", FOUR, "c"::equals);
        }
        readers.readAll("k0", "q", FOUR, "c"::equals);
        Map<String, JudgedHit> judged = judged(readers.lines());
        assertEquals(new JudgedHit.ReadCounts(9, 9, 0, 8), judged.get("c").counts());
        assertEquals(new JudgedHit.ReadCounts(9, 0, 9, 8), judged.get("a").counts());
        assertEquals(new JudgedHit.ReadCounts(9, 0, 0, 8), judged.get("d").counts(), "nobody has come so far");
        assertEquals(2, judged.get("c").grade(), judged::toString);
        assertEquals(0, judged.get("a").grade());
        assertEquals(1, judged.get("c").rate());
        assertEquals(JudgedHit.lowerBound(8, 8), judged.get("c").confidence(), 1e-9, "a key counts once for a query");
    }

    @Test
    void oneKeyAloneIsBelievedALittle() {
        SimulatedReaders readers = new SimulatedReaders(1);
        for (int i = 0; i < 100; i++) {
            readers.readAll("only", "q", FOUR, "a"::equals);
        }
        ImplicitJudgments.ReadJudgments judgments = of(readers.lines()).judgments();
        assertEquals(Map.of("q", new ImplicitJudgments.QueryReads(1, Set.of("only"))), judgments.reads());
        JudgedHit read = judgments.judged().getFirst();
        assertEquals(new JudgedHit.ReadCounts(100, 100, 0, 1), read.counts());
        assertEquals(0.2065, read.confidence(), 1e-4);
        assertEquals(1, read.grade());
    }

    @Test
    void aKeyThatReadsEverythingDecidesNothing() {
        SimulatedReaders readers = new SimulatedReaders(1);
        for (int query = 0; query < 40; query++) {
            for (int i = 0; i < 6; i++) {
                if (query % 6 != i) {
                    readers.readAll("k" + i, "q" + query, FOUR, "a"::equals);
                }
            }
            for (int i = 0; i < 50; i++) {
                readers.readAll("spam", "q" + query, FOUR, "d"::equals);
            }
        }
        Map<String, List<JudgedHit>> byAddress =
                of(readers.lines()).judgments().judged().stream().collect(Collectors.groupingBy(JudgedHit::address));
        assertTrue(byAddress.get("a").stream().allMatch(hit -> hit.confidence() > 0.4), byAddress::toString);
        assertTrue(
                byAddress.get("d").stream().allMatch(hit -> hit.confidence() < 0.25),
                () -> "" + byAddress.get("d").getFirst());
        for (int i = 0; i < 2000; i++) {
            readers.readAll("spam", "own " + i, FOUR, _ -> true);
        }
        // What others read is spread over all that it reads.
        double most = of(readers.lines()).judgments().judged().stream()
                .filter(hit -> hit.query() != null && hit.query().startsWith("own"))
                .mapToDouble(JudgedHit::confidence)
                .max()
                .orElseThrow();
        assertTrue(most < 0.01, () -> "" + most);
        // All its own queries together count as much as what one of the others has read.
        Map<String, ImplicitJudgments.QueryReads> reads =
                of(readers.lines()).judgments().reads();
        double own = reads.entrySet().stream()
                .filter(query -> query.getKey().startsWith("own"))
                .mapToDouble(query -> query.getValue().count())
                .sum();
        assertTrue(own > 10 && own < 40, () -> "" + own);
        assertEquals(Set.of("spam"), reads.get("own 7").keys());
    }

    /** With rankings that have nothing to do with what people like, the correction sorts better. */
    @Test
    void placesAreCorrected() {
        double plain = 0;
        double corrected = 0;
        for (int seed = 0; seed < 5; seed++) {
            SimulatedReaders readers = new SimulatedReaders(seed);
            Random random = new Random(seed);
            Map<String, Map<String, Double>> liked = new HashMap<>();
            for (int query = 0; query < 40; query++) {
                Map<String, Double> liking = new HashMap<>();
                IntStream.range(0, 6).forEach(i -> liking.put("d" + i, 0.1 + 0.8 * random.nextDouble()));
                List<String> shown = new ArrayList<>(liking.keySet());
                Collections.shuffle(shown, random);
                for (int key = 0; key < 30; key++) {
                    readers.ask("k" + key, "q" + query, shown, liking::get);
                }
                liked.put("q" + query, liking);
            }
            ImplicitJudgments judgments = of(readers.lines());
            plain += rightPairs(judgments.judgments(false).judged(), liked);
            corrected += rightPairs(judgments.judgments(true).judged(), liked);
        }
        assertTrue(corrected / 5 > plain / 5 + 0.08, corrected / 5 + " against " + plain / 5);
        assertTrue(corrected / 5 > 0.7, "" + corrected / 5);
    }

    private static double rightPairs(List<JudgedHit> judged, Map<String, Map<String, Double>> liked) {
        int right = 0;
        int all = 0;
        for (JudgedHit one : judged) {
            for (JudgedHit other : judged) {
                if (one.query().equals(other.query())
                        && liked.get(one.query()).get(one.address())
                                > liked.get(one.query()).get(other.address())) {
                    all++;
                    right += one.rate() > other.rate() ? 1 : 0;
                }
            }
        }
        return (double) right / all;
    }

    @Test
    void placesAreMeasuredNeverRiseAndAreBounded() {
        double[] shown = new double[PositionBias.PLACES];
        double[] read = new double[PositionBias.PLACES];
        assertEquals(PositionBias.NONE, PositionBias.of(shown, read));
        Arrays.fill(shown, 10_000);
        for (int i = 0; i < read.length; i++) {
            read[i] = 5000 / Math.sqrt(i + 1) + (i == 4 ? 2000 : 0);
        }
        PositionBias bias = PositionBias.of(shown, read);
        assertEquals(1, bias.at(1));
        assertEquals(0.707, bias.at(2), 0.01);
        for (int place = 2; place < 200; place++) {
            assertTrue(bias.at(place) <= bias.at(place - 1), bias::toString);
            assertTrue(bias.at(place) >= PositionBias.LEAST, bias::toString);
        }
        Arrays.fill(read, 0);
        read[0] = 9_000;
        assertEquals(0.25, PositionBias.of(shown, read).at(4), 1e-9, "one place takes all: not beyond what is usual");
    }

    @Test
    void hashedAndUnicodeAndHugeQueriesAndTornLines() throws IOException {
        String wide = "\uD83D\uDEA2 größe 船 ".repeat(5000);
        SimulatedReaders readers = new SimulatedReaders(1);
        for (int i = 0; i < 8; i++) {
            readers.readAll("k" + i, wide, List.of("switchboard://v/größe/\uD83D\uDEA2"), _ -> true);
        }
        readers.lines().add(Json.parse("""
                {"event": "search", "id": "h1", "key": "k1", "query_hash": "ab", "hits": [{"address": "x", "position": 1}, {"address": "x", "position": 2}, {}]}"""));
        readers.lines().add(Json.parse("""
                {"event": "fetched", "search": "h1", "key": "k1", "address": "x", "position": 1}"""));
        // What is left of lines after a crash, or by hand.
        readers.lines().add(Json.parse("[1]"));
        readers.lines().add(Json.parse("\"search\""));
        readers.lines().add(Json.parse("{\"event\": \"search\", \"hits\": 7, \"query\": \"q\"}"));
        ImplicitJudgments.ReadJudgments judgments = of(readers.lines()).judgments();
        assertEquals(2, judgments.judged().size(), judgments::toString);
        JudgedHit hashed = judgments.judged().get(1);
        assertNull(hashed.query());
        assertEquals("ab", hashed.hash());
        assertEquals(new JudgedHit.ReadCounts(1, 1, 0, 1), hashed.counts());
        assertFalse(hashed.json().has("query"));
        assertEquals(1, judgments.write(folder.resolve("set")));
        JudgedSet read = JudgedSet.read(folder.resolve("set"));
        assertEquals(judgments.set("set").queries(), read.queries());
        assertEquals(judgments.set("set").grades(), read.grades());
        assertEquals(wide, read.queries().values().iterator().next());
        assertTrue(Files.size(folder.resolve("set").resolve("qrels.tsv")) > 0);
    }

    @Test
    void ofAVeryLongLogTheNewestSearchesCount() throws JsonProcessingException {
        ImplicitJudgments judgments = new ImplicitJudgments();
        for (int i = 0; i < 50_010; i++) {
            judgments.add(Json.parse("{\"event\":\"search\",\"id\":\"" + i + "\",\"key\":\"k\",\"query\":\"q" + i
                    + "\",\"hits\":[{\"address\":\"a\",\"position\":1}]}"));
        }
        judgments.add(Json.parse("{\"event\":\"fetched\",\"search\":\"3\",\"address\":\"a\"}"));
        judgments.add(Json.parse("{\"event\":\"fetched\",\"search\":\"50009\",\"address\":\"a\"}"));
        List<JudgedHit> judged = judgments.judgments().judged();
        assertEquals(50_000, judged.size());
        assertEquals("q10", judged.getFirst().query());
        assertEquals(
                List.of("q50009"),
                judged.stream()
                        .filter(hit -> hit.counts().read() > 0)
                        .map(JudgedHit::query)
                        .toList());
    }
}
