package switchboard.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EvalComparisonTest {
    private static EvalComparison.EvalRunResult run(String name, double... ndcg) {
        Map<String, Quality> byQuery = new LinkedHashMap<>();
        for (int i = 0; i < ndcg.length; i++) {
            byQuery.put("q" + i, new Quality(ndcg[i], 1, 1, 0.5));
        }
        return new EvalComparison.EvalRunResult(name, byQuery, List.of(3.0, 1.0, 2.0), 0);
    }

    @Test
    void aClearDifferenceIsSureAndNoiseIsNot() {
        Random random = new Random(1);
        double[] clear = random.doubles(200).map(x -> 0.05 + 0.1 * x).toArray();
        PairedTest sure = PairedTest.of(clear);
        assertTrue(sure.low() > 0.09 && sure.high() < 0.11 && sure.p() < 0.001, sure::toString);
        double[] noise = random.doubles(200).map(x -> x - 0.5).toArray();
        PairedTest unsure = PairedTest.of(noise);
        assertTrue(unsure.low() < 0 && unsure.high() > 0 && unsure.p() > 0.05, unsure::toString);
        assertEquals(unsure, PairedTest.of(noise));
    }

    @Test
    void theIntervalIsThatOfTheMean() {
        double[] differences = new Random(2).doubles(400).map(x -> 2 * x - 0.9).toArray();
        double mean = java.util.Arrays.stream(differences).average().orElseThrow();
        double error = Math.sqrt(java.util.Arrays.stream(differences)
                        .map(x -> (x - mean) * (x - mean))
                        .sum())
                / 400;
        PairedTest pairedTest = PairedTest.of(differences);
        assertEquals(mean - 1.96 * error, pairedTest.low(), 0.005);
        assertEquals(mean + 1.96 * error, pairedTest.high(), 0.005);
    }

    @Test
    void queriesThatDoNotDifferSayNothing() {
        assertEquals(new PairedTest(0, 0, 0, 1), PairedTest.of(new double[50]));
        assertEquals(new PairedTest(0, 0, 0, 1), PairedTest.of(new double[0]));
    }

    @Test
    void theReportComparesWithTheFirst() {
        String markdown =
                new EvalComparison("set", 7, List.of(run("one", 0.5, 0.5), run("a|b", 0.75, 0.75))).markdown();
        assertTrue(markdown.contains("| one | 0.5000 | 1.0000 | 1.0000 | 0.5000 | | | 2.0 | 3.0 | 0 |"), markdown);
        assertTrue(markdown.contains("| a\\|b | 0.7500 "), markdown);
        assertTrue(markdown.contains("| +0.2500 [+0.2500, +0.2500] | 0.000 |"), markdown);
    }

    @Test
    void anyVariantMayBeTheBaselineAndEachQueryHasItsDifference() {
        EvalComparison two = new EvalComparison("set", 7, List.of(run("one", 0.5, 0.25), run("two", 0.75, 0.25)));
        EvalComparison turned = two.against("two").orElseThrow();
        assertEquals(
                List.of("two", "one"),
                turned.runs().stream().map(EvalComparison.EvalRunResult::name).toList());
        assertEquals(Optional.empty(), two.against("three"));
        assertEquals(
                "query\ttwo\tone\tone - two\nq0\t0.7500\t0.5000\t-0.2500\nq1\t0.2500\t0.2500\t0.0000\n",
                turned.byQuery());
        assertEquals(-0.25, turned.json().at("/modes/1/difference/byQuery/q0").asDouble());
        assertEquals(-0.125, turned.json().at("/modes/1/difference/mean").asDouble());
        assertEquals("two", turned.json().at("/modes/1/difference/to").asText());
        assertTrue(turned.table().contains("-0.1250 [-0.2500, +0.0000] p "), turned::table);
        assertEquals("query\n", new EvalComparison("none", 0, List.of()).byQuery());
    }

    @Test
    void gaugesAreInPrometheusTextFormat() {
        String gauges = EvalComparison.gauges(List.of(new EvalComparison("a \"set\"", 7, List.of(run("one", 0.25)))));
        assertTrue(
                gauges.contains(
                        "switchboard_eval_quality{collection=\"a \\\"set\\\"\",run=\"one\",measure=\"ndcg_at_10\"} 0.25\n"),
                gauges);
        assertTrue(gauges.startsWith("# HELP switchboard_eval_quality"), gauges);
    }
}
