package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.cluster.SharedDocumentsTest.ok;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.config.ClusterConfig;
import switchboard.config.Secret;
import switchboard.eval.PairedTest;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;
import switchboard.testing.TestGateway;
import switchboard.tuning.ConfiguredWeights;
import switchboard.tuning.RankingWeights;
import switchboard.tuning.SharedTuning;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.TuningProposal;
import switchboard.tuning.TuningShare.TuningFile;
import switchboard.tuning.WeightSearch;

/** What is decided about weights with a command of one gateway holds on all that share the database. */
@Tag("engines")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedTuningTest {
    private static final ConfiguredWeights CONFIGURED = new ConfiguredWeights(0.7, new TreeMap<>());
    private static final String SCHEMA = "tuned";

    /** Scores in answers are rounded. */
    private static final double CLOSE = 1e-4;

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private static Path folder;

    private static final Vertx VERTX = Vertx.vertx();
    private static Replicas replicas;
    private static CommandInsight database;

    @BeforeAll
    static void start() {
        replicas = new Replicas(
                postgres,
                SCHEMA,
                folder,
                SharedDocumentsTest.SHARED + "insight: { teams: { red: {} } }\n"
                        + "search: { fusion: { method: linear } }\n");
        ok(SharedDocumentsTest.ingest(SharedDocumentsTest.client(replicas, 0), "a", "a", "A barge carries grain."));
        database = new CommandInsight(
                VERTX,
                new ClusterConfig(Secret.of(postgres.url()), null, null, null, SCHEMA, null, 8),
                Clock.systemUTC());
    }

    @AfterAll
    static void stop() throws Exception {
        replicas.close();
        database.close().await(60, TimeUnit.SECONDS);
        VERTX.close().await(60, TimeUnit.SECONDS);
    }

    private static TuningProposal proposed(int index, double factor) throws IOException {
        TuningFolder tuning = new TuningFolder(replicas.gateway(index).data(), new SharedTuning(database.tuning()));
        tuning.pull();
        return tuning.propose(
                "red",
                new WeightSearch.FoundWeights(
                        tuning.decisions("red").weights(),
                        new RankingWeights(new TreeMap<>(Map.of("library:a", factor)), null),
                        new WeightSearch.Measured(70, 0.5, 0.6),
                        new WeightSearch.Measured(30, 0.5, 0.625),
                        20,
                        new PairedTest(0.125, 0.05, 0.2, 0.001)),
                new TuningProposal.JudgedReads(123, 4),
                CONFIGURED,
                Instant.now());
    }

    private static String tune(int index, String... arguments) {
        return replicas.command(
                index, Stream.concat(Stream.of("tune"), Stream.of(arguments)).toArray(String[]::new));
    }

    private static double score(TestGateway gateway) {
        return ok(gateway.modern()
                        .with("X-API-Key", replicas.red().get("X-API-Key"))
                        .call("search_everywhere", Json.object().put("query", "grain")))
                .at("/results/0/score")
                .asDouble();
    }

    private static void everywhere(double score) {
        for (int index = 0; index < 3; index++) {
            TestGateway gateway = replicas.gateway(index);
            Eventually.that(() -> Math.abs(score(gateway) - score) < CLOSE, () -> score(gateway) + " is not " + score);
        }
    }

    @Test
    void anApprovalOnOneGatewayHoldsOnAllAndOnOneThatStartsLater() throws IOException {
        double before = score(replicas.gateway(2));
        assertTrue(before > 0, "there is a hit");
        String id = proposed(0, 2).id();
        assertTrue(tune(2, "list", "--team=red").contains("proposal " + id), "proposed on another one");
        String approved = tune(1, "approve", id, "--by=olga");
        assertTrue(approved.startsWith("0: "), approved);
        everywhere(2 * before);
        TestGateway late = replicas.another();
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> late.management("/health/ready").status() == 200 && Math.abs(score(late) - 2 * before) < CLOSE,
                () -> late.management("/health/ready").body());
        late.close(); // the others wait for each other

        String later = proposed(1, 4).id();
        String tried = tune(2, "try", "--team=red", "--proposal=" + later, "--percent=1");
        assertTrue(tried.startsWith("0: "), tried);
        assertTrue(tune(0, "try", "--team=red").startsWith("1: Proposal " + later + " is tried until "));
        assertTrue(tune(0, "undo", "--team=red").contains("is not tried any more"), "on another one");
        assertTrue(tune(0, "undo", "--team=red", "--by=otto").startsWith("0: "));
        everywhere(before);
        assertTrue(tune(1, "approve", later).startsWith("1: Proposal " + later + " was compared with other weights"));
        String list = tune(1, "list", "--team=red");
        assertTrue(list.contains("approved " + id) && list.contains(" by olga"), list);
        assertTrue(list.contains("undone " + id) && list.contains(" by otto"), list);
    }

    @Test
    void whoDoesNotKnowWhatAnotherOneHasWrittenIsRefused() throws IOException {
        SharedTuning one = new SharedTuning(database.tuning());
        SharedTuning other = new SharedTuning(database.tuning());
        one.changed().forEach(one::taken);
        other.changed().forEach(other::taken);
        TuningFile first = new TuningFile("crimson", "other.json", "{\"n\":1}");
        TuningFile second = new TuningFile("crimson", "other.json", "{\"n\":2}");
        one.put(first);
        assertThrows(TuningFolder.RefusedTuningException.class, () -> other.put(second));
        List<TuningFile> all = other.changed();
        assertTrue(all.size() > 1, "after a refusal all is looked at again");
        assertEquals(all, other.changed(), "what was not taken comes again");
        all.forEach(other::taken);
        assertEquals(List.of(), other.changed());
        assertEquals(
                List.of("{\"n\":1}"),
                all.stream()
                        .filter(file -> file.team().startsWith("crimson"))
                        .map(TuningFile::content)
                        .toList());
        other.put(second);
        assertThrows(TuningFolder.RefusedTuningException.class, () -> one.put(first));
        one.changed().forEach(one::taken);
        one.put(first);
    }

    @Test
    void aRowWithAnotherNameIsNoFile() throws IOException {
        new SharedTuning(database.tuning()).put(new TuningFile("violet", "../../../../elsewhere.json", "{}"));
        String id = proposed(1, 5).id();
        for (int index = 0; index < 3; index++) {
            assertTrue(tune(index, "list", "--team=red").contains("proposal " + id));
            Path data = replicas.gateway(index).data();
            assertFalse(Files.exists(data.resolve("insight/tuning/team-violet/../../../../elsewhere.json")));
        }
    }

    @Test
    void nothingIsDecidedWhileTheDatabaseIsAwayAndSearchesGoOn() throws IOException {
        double before = score(replicas.gateway(0));
        String id = proposed(2, 3).id();
        postgres.kill();
        try {
            String refused = tune(0, "approve", id);
            assertTrue(refused.startsWith("1: What is decided about weights is in the database"), refused);
            assertEquals(before, score(replicas.gateway(0)));
        } finally {
            postgres.restart();
        }
        replicas.awaitTogether();
        assertEquals(before, score(replicas.gateway(1)));
        assertTrue(tune(0, "approve", id).startsWith("0: "));
        everywhere(3 * before);
        assertTrue(tune(2, "undo", "--team=red").startsWith("0: "));
        everywhere(before);
    }
}
