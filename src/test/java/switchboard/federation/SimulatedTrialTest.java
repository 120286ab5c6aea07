package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.call.HitSide;
import switchboard.call.Json;
import switchboard.federation.TeamDraft.DraftedHit;
import switchboard.insight.SimulatedReaders;
import switchboard.insight.TrialOutcome;
import switchboard.insight.TrialOutcome.TrialVerdict;
import switchboard.insight.TrialReads;

/** Trials with people whose preferences are known: they read mixes of two rankings, and the log says which one is better. */
class SimulatedTrialTest {
    private static final String TRIAL = "trial";

    /** A team that is shown mixes of the rankings of 16 documents for each query. */
    private static final class MixedTeam {
        private final Random random;
        private final SimulatedReaders readers;
        private final Map<String, List<String>> current = new HashMap<>();
        private final Map<String, List<String>> proposed = new HashMap<>();
        private final Map<String, Double> liking = new HashMap<>();

        /** The less noise a ranking has, the better it is. */
        MixedTeam(long seed, int queries, double noise, double proposedNoise) {
            random = new Random(seed);
            readers = new SimulatedReaders(seed);
            for (int query = 0; query < queries; query++) {
                List<String> documents = new ArrayList<>();
                for (int i = 0; i < 16; i++) {
                    documents.add(query + "-" + i);
                    double quality = random.nextDouble();
                    liking.put(query + "-" + i, quality * quality * quality);
                }
                current.put("query " + query, ranking(documents, noise));
                proposed.put("query " + query, ranking(documents, proposedNoise));
            }
        }

        private List<String> ranking(List<String> documents, double noise) {
            Map<String, Double> scores = new HashMap<>();
            documents.forEach(
                    document -> scores.put(document, Math.cbrt(liking.get(document)) + noise * random.nextGaussian()));
            return documents.stream()
                    .sorted(Comparator.comparing(scores::get).reversed())
                    .toList();
        }

        private List<DraftedHit<String>> mix(String key, String query) {
            return TeamDraft.mix(
                    current.get(query),
                    proposed.get(query),
                    10,
                    new AllPlaces(),
                    new SplittableRandom((key + query).hashCode()));
        }

        MixedTeam read(int people) {
            List<String> queries = current.keySet().stream().sorted().toList();
            queries.forEach(query -> IntStream.range(0, people).forEach(person -> {
                String key = "k" + person;
                List<DraftedHit<String>> mix = mix(key, query);
                noted(mix, () -> readers.ask(key, query, addresses(mix), liking::get));
            }));
            return this;
        }

        /** One key asks everything again and again, and as much that nobody else asks, and reads all that one side has put. */
        MixedTeam spam(HitSide side) {
            List<String> queries = current.keySet().stream().sorted().toList();
            for (int time = 0; time < 10; time++) {
                String asked = time == 0 ? "" : " " + time;
                for (String query : queries) {
                    List<DraftedHit<String>> mix = mix("spam" + time, query);
                    Predicate<String> wanted =
                            address -> mix.stream().anyMatch(hit -> hit.hit().equals(address) && hit.side() == side);
                    noted(mix, () -> readers.readAll("spam", query + asked, addresses(mix), wanted));
                    noted(mix, () -> readers.readAll("spam", query, addresses(mix), wanted));
                }
            }
            return this;
        }

        private static List<String> addresses(List<DraftedHit<String>> mix) {
            return mix.stream().map(DraftedHit::hit).toList();
        }

        /** Adds to the line of the search in {@code asking} what a gateway logs of a mix. */
        private void noted(List<DraftedHit<String>> mix, Runnable asking) {
            int at = readers.lines().size();
            asking.run();
            ObjectNode line = (ObjectNode) readers.lines().get(at);
            line.put("trial", TRIAL);
            for (int i = 0; i < mix.size(); i++) {
                ((ObjectNode) line.path("hits").get(i))
                        .put("side", mix.get(i).side().word());
            }
        }

        TrialOutcome outcome() {
            return outcome(TRIAL);
        }

        TrialOutcome outcome(String trial) {
            TrialReads reads = new TrialReads(trial);
            readers.lines().forEach(reads::add);
            return reads.outcome();
        }
    }

    private static final class AllPlaces implements TeamDraft.Places<String> {
        @Override
        public boolean isOpen(String hit) {
            return true;
        }

        @Override
        public void take(String hit) {}

        @Override
        public boolean shows(String hit) {
            return true;
        }
    }

    @Test
    void aBetterProposalWinsAndAWorseOneLoses() {
        for (int seed = 0; seed < 8; seed++) {
            TrialOutcome better = new MixedTeam(seed, 150, 0.6, 0.1).read(6).outcome();
            assertEquals(TrialVerdict.BETTER, better.verdict(), better::words);
            assertEquals(900, better.searches());
            assertEquals(6, better.keys());
            TrialOutcome worse = new MixedTeam(seed, 150, 0.1, 0.6).read(6).outcome();
            assertEquals(TrialVerdict.WORSE, worse.verdict(), worse::words);
        }
    }

    @Test
    void oneKeyThatReadsAllOfASideTurnsNothing() {
        for (int seed = 0; seed < 8; seed++) {
            TrialOutcome better = new MixedTeam(seed, 150, 0.6, 0.1)
                    .spam(HitSide.CURRENT)
                    .read(6)
                    .outcome();
            assertEquals(TrialVerdict.BETTER, better.verdict(), better::words);
            TrialOutcome worse = new MixedTeam(seed, 150, 0.1, 0.6)
                    .spam(HitSide.PROPOSED)
                    .read(6)
                    .outcome();
            assertEquals(TrialVerdict.WORSE, worse.verdict(), worse::words);
            TrialOutcome alone =
                    new MixedTeam(seed, 150, 0.3, 0.3).spam(HitSide.PROPOSED).outcome();
            assertEquals(TrialVerdict.NOT_ENOUGH, alone.verdict(), alone::words);
        }
    }

    /** Of rankings that are as good one is seldom said to be better: as seldom as the level of the test says. */
    @Test
    void whereBothAreAsGoodAWinnerIsSeldomNamed() {
        int named = 0;
        for (int seed = 0; seed < 200; seed++) {
            TrialOutcome outcome =
                    new MixedTeam(1_000 + seed, 60, 0.4, 0.4).read(5).outcome();
            named += outcome.verdict() == TrialVerdict.BETTER || outcome.verdict() == TrialVerdict.WORSE ? 1 : 0;
            assertTrue(outcome.won() + outcome.lost() + outcome.tied() <= 60, outcome::words);
        }
        int winners = named;
        assertTrue(named <= 10, () -> winners + " of 200");
        TrialOutcome same = new MixedTeam(1, 60, 0, 0).read(5).outcome();
        assertEquals(0, same.won() + same.lost(), same::words);
    }

    @Test
    void onlyTheTrialItselfCountsAndDamagedLinesDoNot() {
        MixedTeam team = new MixedTeam(1, 20, 0.6, 0.1).read(4);
        assertEquals(new TrialOutcome(0, 0, 0, 0, 0, 0), team.outcome("another"));
        TrialReads reads = new TrialReads(TRIAL);
        for (JsonNode line : team.readers.lines()) {
            reads.add(line);
            reads.add(Json.object().put("event", "fetched"));
            reads.add(Json.object().put("event", "search").put("trial", TRIAL));
        }
        TrialOutcome outcome = team.outcome();
        TrialOutcome other = reads.outcome();
        assertEquals(outcome.won(), other.won());
        assertEquals(outcome.compared(), other.compared());
        assertTrue(outcome.words().contains(" searches mixed, "), outcome::words);
    }
}
