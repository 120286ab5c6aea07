package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.eval.PairedTest;
import switchboard.testing.logs.AsksForErrors;
import switchboard.tuning.ConfiguredWeights;
import switchboard.tuning.RankingWeights;
import switchboard.tuning.TeamTuning;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningProposal;
import switchboard.tuning.WeightSearch;

/** Approved weights of a gateway while their files change, go, and are torn. */
class LiveTuningTest {
    private static final ConfiguredWeights CONFIGURED = new ConfiguredWeights(0.7, new TreeMap<>());
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private static final TuningProposal.JudgedReads READS = new TuningProposal.JudgedReads(100, 4);

    @TempDir
    Path data;

    private final List<String> decided = new ArrayList<>();

    private static WeightSearch.FoundWeights found(RankingWeights before, double factor) {
        return new WeightSearch.FoundWeights(
                before,
                new RankingWeights(new TreeMap<>(Map.of("v:größe \"x\"", factor)), 0.5),
                new WeightSearch.Measured(70, 0.5, 0.6),
                new WeightSearch.Measured(30, 0.5, 0.6),
                20,
                new PairedTest(0.1, 0.05, 0.15, 0));
    }

    private void look(LiveTuning live) {
        live.look(news -> decided.add(news.team() + " " + news.decision().proposal() + " "
                + (news.decision().weights() == null ? "undone" : "approved") + " by "
                + news.decision().by()));
    }

    @Test
    @AsksForErrors("decisions.json can't be used; the weights before stay in use: it is no JSON")
    void filesAreFollowedAndATornOneChangesNothing() throws IOException {
        TuningFolder folder = new TuningFolder(data);
        LiveTuning live = new LiveTuning(folder, Clock.systemUTC());
        look(live);
        assertEquals(LiveTuning.TeamRanking.CONFIGURED, live.of("größe/.."));
        String first = folder.propose("größe/..", found(RankingWeights.CONFIGURED, 2), READS, CONFIGURED, NOON)
                .id();
        look(live);
        assertEquals(LiveTuning.TeamRanking.CONFIGURED, live.of("größe/.."), "it is only proposed");
        folder.approve(first, "olga", NOON);
        look(live);
        assertEquals(Map.of("v:größe \"x\"", 2.0), live.of("größe/..").factors());
        assertEquals(0.5, live.of("größe/..").similarity().orElseThrow());
        assertEquals(LiveTuning.TeamRanking.CONFIGURED, live.of(""), "of another team");

        RankingWeights inUse = folder.decisions("größe/..").weights();
        String second = folder.propose("größe/..", found(inUse, 4), READS, CONFIGURED, NOON)
                .id();
        folder.approve(second, "olga", NOON);
        look(live);
        assertEquals(4.0, live.of("größe/..").factors().get("v:größe \"x\""));
        folder.undo("größe/..", "otto", NOON);
        look(live);
        assertEquals(2.0, live.of("größe/..").factors().get("v:größe \"x\""), "back to the approval before");

        Path file = folder.decided().getFirst();
        String whole = Files.readString(file);
        Files.writeString(file, whole.substring(0, 100));
        look(live);
        look(live);
        assertEquals(2.0, live.of("größe/..").factors().get("v:größe \"x\""), "a torn file changes nothing");
        assertThrows(TuningFolder.RefusedTuningException.class, () -> folder.undo("größe/..", "otto", NOON));
        Files.writeString(file, whole);
        look(live);
        assertEquals(
                List.of(
                        "größe/.. " + first + " approved by olga",
                        "größe/.. " + second + " approved by olga",
                        "größe/.. " + second + " undone by otto"),
                decided,
                "each decision is told once");
        TeamTuning tuning = folder.decisions("größe/..");
        assertEquals(3, tuning.decisions().size());
        Files.delete(file);
        look(live);
        assertEquals(LiveTuning.TeamRanking.CONFIGURED, live.of("größe/.."));
    }

    /** Somebody else has ended it a moment before, so that the list has not said so yet. */
    @Test
    void theEndOfATrialIsToldWhoeverComesSecond() throws IOException {
        TuningFolder folder = new TuningFolder(data);
        LiveTuning live = new LiveTuning(folder, Clock.fixed(NOON, ZoneOffset.UTC));
        folder.propose("red", found(RankingWeights.CONFIGURED, 2), READS, CONFIGURED, NOON);
        String trial = folder.begin(new TuningFolder.TrialPlan("red", null, 1, Duration.ofDays(9)), "olga", NOON)
                .id();
        List<String> told = new ArrayList<>();
        live.lookAtTrials(news -> told.add((news.begins() ? "begins " : "ends ") + news.by()));
        LiveTuning.DecisionMaker end =
                (by, now) -> folder.end("red", seen -> seen.id().equals(trial), by, now);
        end.decide("otto", NOON.plusSeconds(1));
        assertThrows(
                TuningFolder.RefusedTuningException.class,
                () -> live.endTrial(
                        trial,
                        end,
                        "alice",
                        NOON.plusSeconds(2),
                        news -> told.add((news.begins() ? "begins " : "ends ") + news.by())));
        assertEquals(List.of("begins olga", "ends otto"), told);
    }
}
