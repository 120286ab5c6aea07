package switchboard.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import switchboard.eval.PairedTest;
import switchboard.insight.InsightFolder;
import switchboard.tuning.TuningFolder.RefusedTuningException;

/** Proposals and decisions while several operators decide at once, and files that are none of these. */
class TuningFolderTest {
    private static final ConfiguredWeights CONFIGURED = new ConfiguredWeights(0.7, new TreeMap<>());
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private static final TuningProposal.JudgedReads READS = new TuningProposal.JudgedReads(100, 4);

    @TempDir
    Path data;

    private static WeightSearch.FoundWeights found(RankingWeights before, double factor) {
        return new WeightSearch.FoundWeights(
                before,
                new RankingWeights(new TreeMap<>(Map.of("v:s", factor)), null),
                new WeightSearch.Measured(70, 0.5, 0.6),
                new WeightSearch.Measured(30, 0.5, 0.6),
                20,
                new PairedTest(0.1, 0.05, 0.15, 0));
    }

    private boolean approved(String id) {
        try {
            new TuningFolder(data).approve(id, "one of eight", NOON);
            return true;
        } catch (RefusedTuningException _) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void oneOfManyWhoDecideAtOnceDoes() throws IOException {
        TuningFolder folder = new TuningFolder(data);
        assertEquals(List.of(), folder.proposals("t"));
        assertEquals(List.of(), folder.decided());
        assertThrows(RefusedTuningException.class, () -> folder.approve("1a2b3c4d", "olga", NOON));
        assertThrows(RefusedTuningException.class, () -> folder.undo("t", "olga", NOON));
        List<String> ids = IntStream.range(0, 8)
                .mapToObj(i -> {
                    try {
                        return folder.propose(
                                        "t",
                                        found(RankingWeights.CONFIGURED, 2 + i),
                                        READS,
                                        CONFIGURED,
                                        NOON.plusSeconds(i))
                                .id();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toList();
        assertEquals(ids, folder.proposals("t").stream().map(TuningProposal::id).toList());
        assertEquals(1, ids.parallelStream().filter(this::approved).count(), "the others were compared with what was");
        TeamTuning tuning = folder.decisions("t");
        assertEquals(1, tuning.decisions().size());
        assertEquals(1, folder.decided().size());
        folder.undo("t", "otto", NOON);
        assertEquals(RankingWeights.CONFIGURED, folder.decisions("t").weights());
        assertTrue(approved(ids.getLast()), "what it was compared with is in use again");
        assertEquals(9.0, folder.decisions("t").weights().factor("v:s"));
        assertEquals(RankingWeights.CONFIGURED, folder.decisions("other").weights());
    }

    @Test
    void proposalsAreNoTeamOfTheSearchLog() throws IOException {
        TuningFolder folder = new TuningFolder(data);
        String id = folder.propose("", found(RankingWeights.CONFIGURED, 2), READS, CONFIGURED, NOON)
                .id();
        new InsightFolder(data).read(null, line -> {
            throw new AssertionError(line);
        });
        Path place = data.resolve("insight").resolve("tuning");
        Files.writeString(place.resolve("all").resolve("proposal-torn.json"), "{\"id\": \"to");
        Files.writeString(place.resolve("all").resolve("notes.txt"), "of somebody");
        Files.writeString(place.resolve("stray"), "");
        assertEquals(
                List.of(id),
                folder.proposals("").stream().map(TuningProposal::id).toList());
        assertTrue(approved(id), "everybody in a gateway without teams");
        assertEquals(2.0, folder.decisions("").weights().factor("v:s"));
    }

    private static TuningFolder.TrialPlan plan(String id, int days) {
        return new TuningFolder.TrialPlan("t", id, 0.5, Duration.ofDays(days));
    }

    private static void refused(String why, Executable action) {
        String said = assertThrows(RefusedTuningException.class, action).getMessage();
        assertTrue(said.contains(why), said);
    }

    @Test
    void oneTrialRunsUntilItIsUndoneOrSomethingIsApprovedOrItsTimeIsOver() throws IOException {
        TuningFolder folder = new TuningFolder(data);
        refused("no proposal to try", () -> folder.begin(plan(null, 1), "olga", NOON));
        String first = folder.propose("t", found(RankingWeights.CONFIGURED, 2), READS, CONFIGURED, NOON)
                .id();
        String second = folder.propose("t", found(RankingWeights.CONFIGURED, 3), READS, CONFIGURED, NOON.plusSeconds(1))
                .id();
        refused("There is no proposal nothing for this team", () -> folder.begin(plan("nothing", 1), "olga", NOON));
        TuningTrial trial = folder.begin(plan(null, 1), "olga", NOON);
        assertEquals(second, trial.proposal(), "the newest one");
        assertEquals(0.5, trial.share());
        refused(
                "Proposal " + second + " is tried until 2026-02-01T12:00:00Z",
                () -> folder.begin(plan(first, 1), "o", NOON));
        assertEquals(Optional.of(trial), folder.trials("t").running(NOON, RankingWeights.CONFIGURED));
        Instant later = NOON.plus(Duration.ofDays(1));
        assertEquals(
                Optional.empty(), folder.trials("t").running(later, RankingWeights.CONFIGURED), "its time is over");
        assertEquals(List.of(), folder.trials("other").trials());

        assertEquals(List.of(), folder.undo("t", "otto", NOON).decisions(), "only the trial ends");
        assertEquals(Optional.empty(), folder.trials("t").running(NOON, RankingWeights.CONFIGURED));
        refused("nothing to undo", () -> folder.undo("t", "otto", NOON));
        folder.begin(plan(first, 1), "olga", NOON);
        folder.approve(second, "olga", NOON);
        TeamTrials ended = folder.trials("t");
        assertEquals("olga", ended.of(first).orElseThrow().end().by(), "what is in use has changed");
        assertEquals(first, ended.of(first).orElseThrow().proposal());
        refused("compared with the weights in use now", () -> folder.begin(plan(first, 1), "olga", NOON));
        folder.undo("t", "otto", NOON);
        folder.begin(plan(first, 1), "olga", NOON);
        assertEquals(3, folder.trials("t").trials().size());
        folder.begin(plan(second, 1), "olga", later);
        assertEquals(1, folder.tried().size());
    }

    @Test
    void aTrialThatWasSeenIsEndedAndNothingElse() throws IOException {
        TuningFolder folder = new TuningFolder(data);
        String first = folder.propose("t", found(RankingWeights.CONFIGURED, 2), READS, CONFIGURED, NOON)
                .id();
        folder.approve(first, "olga", NOON);
        RankingWeights inUse = folder.decisions("t").weights();
        folder.propose("t", found(inUse, 3), READS, CONFIGURED, NOON);
        TuningTrial trial = folder.begin(plan(null, 1), "olga", NOON);
        refused("over already", () -> folder.end("t", _ -> false, "otto", NOON));
        refused("over already", () -> folder.end("t", trial::equals, "otto", NOON.plus(Duration.ofDays(1))));
        assertEquals(Optional.of(trial), folder.trials("t").running(NOON, inUse));
        folder.end("t", trial::equals, "otto", NOON);
        assertEquals(Optional.empty(), folder.trials("t").running(NOON, inUse));
        assertEquals("otto", folder.trials("t").trials().getLast().end().by());
        refused("over already", () -> folder.end("t", _ -> true, "otto", NOON));
        assertEquals(inUse, folder.decisions("t").weights());
    }

    @Test
    void aProposalKnowsTheConfigurationOfItsTimeAndOneOfAnOlderVersionDoesNot() throws IOException {
        TuningFolder folder = new TuningFolder(data);
        ConfiguredWeights declared =
                new ConfiguredWeights(0.7, new TreeMap<>(Map.of("v", 2.0, "v:s", 1.0, "v:t", 2.0, "w", 1.0)));
        TuningProposal proposal = folder.propose("t", found(RankingWeights.CONFIGURED, 2), READS, declared, NOON);
        assertEquals(proposal, folder.proposals("t").getFirst());
        assertTrue(proposal.comparedWith(
                new ConfiguredWeights(0.7, new TreeMap<>(Map.of("v", 2.0, "v:s", 1.0, "x:y", 1.0)))));
        for (ConfiguredWeights other : List.of(
                new ConfiguredWeights(0.6, declared.sources()),
                new ConfiguredWeights(0.7, new TreeMap<>(Map.of("v", 2.0))),
                new ConfiguredWeights(0.7, new TreeMap<>(Map.of("v", 2.0, "v:s", 1.0, "v:t", 3.0))))) {
            assertFalse(proposal.comparedWith(other), other::toString);
        }
        Path file = data.resolve("insight/tuning/team-t/proposal-" + proposal.id() + ".json");
        String text = Files.readString(file);
        Files.writeString(file, text.replaceFirst("\"configured\":\\{[^{]*\\{[^}]*}},", ""));
        TuningProposal old = folder.proposals("t").getFirst();
        assertNull(old.configured());
        assertTrue(old.comparedWith(CONFIGURED) && old.comparedWith(declared));
        Files.writeString(file, text.replace("\"similarity\":0.7", "\"similarity\":\"0.7\""));
        assertEquals(List.of(proposal.id()), folder.allProposals("t").damaged());
    }

    @Test
    void damagedTrialsAreRefusedInClearWords() throws IOException {
        TuningFolder folder = new TuningFolder(data);
        String id = folder.propose("t", found(RankingWeights.CONFIGURED, 2), READS, CONFIGURED, NOON)
                .id();
        folder.begin(plan(id, 1), "olga", NOON);
        Path file = folder.tried().getFirst();
        String whole = Files.readString(file);
        Map<String, String> damages = Map.of(
                whole.substring(0, whole.length() / 2),
                "it is no JSON",
                "[]",
                "it is no list of trials",
                whole.replace("0.5", "1.5"),
                "share is no number above 0 to 1",
                whole.replace("2026-01-31", "2026-41-31"),
                "is no time",
                whole.replaceFirst("\"id\":\"[^\"]*\"", "\"id\":\"\""),
                "one of its trials has no name");
        for (Map.Entry<String, String> damage : damages.entrySet()) {
            Files.writeString(file, damage.getKey());
            refused(damage.getValue(), () -> folder.trials("t"));
            refused(damage.getValue(), () -> folder.begin(plan(id, 1), "olga", NOON));
            refused(damage.getValue(), () -> folder.undo("t", "olga", NOON));
        }
        Files.delete(file);
        assertTrue(approved(id), "as if nothing had been tried");
    }
}
