package switchboard.testing.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.testing.CalculatedEmbeddings;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ReplicaProcesses;
import switchboard.testing.SwitchboardProcess;
import switchboard.testing.ToolResult;
import switchboard.testing.WireProxy;

/**
 * Faults of three gateways in processes of their own that share documents, while clients write and search: one is killed, paused, or
 * cut from the database, and once the primary is killed and its synchronous standby promoted. After each, all gateways must
 * have what was acknowledged, once, and nothing else, and equal files.
 */
public final class ReplicaRounds implements AutoCloseable {
    private static final int REPLICAS = 3;
    private static final int CALLS_A_DAY = 60;
    private static final String VIEW = "shared";
    private static final String SHARED = """
              docs: { type: vectordb, store: cluster, dataDir: shared }
            views: { shared: { backends: [docs] } }
            """;

    /** The schema that the gateways share. */
    static final String SCHEMA = "chaos";

    /** What goes wrong. */
    public enum Fault {
        /** A gateway is killed, and started again. */
        KILLED,
        /** A gateway gets nothing from the database, and the database nothing from it. */
        CUT,
        /** A gateway is paused (SIGSTOP). */
        PAUSED,
        /** The primary is killed, and the standby promoted. Only once. */
        FAILED_OVER
    }

    /**
     * What a round showed.
     *
     * @param recovery how long it took from the end of the fault until each gateway had new documents of all of them
     */
    public record Outcome(Fault fault, Duration recovery, String counts, int documents) {
        @Override
        public String toString() {
            return fault + ": " + recovery.toMillis()
                    + " ms until each gateway had new documents of all of them; so far " + counts + "; " + documents
                    + " documents";
        }
    }

    private final LocalDate begun = LocalDate.now(ZoneOffset.UTC);
    private final Random random;
    private final Duration lasting;
    private final PostgresCluster primary = PostgresCluster.alone();
    private final PostgresCluster standby = primary.standby();
    private final CalculatedEmbeddings embeddings = new CalculatedEmbeddings(16);
    private final List<List<WireProxy>> wires = new ArrayList<>();
    private final ReplicaProcesses replicas;
    private final ExpectedDocuments expected = new ExpectedDocuments();
    private final AtomicInteger versions = new AtomicInteger();
    private final ReplicaAgreement agreement;
    private final CountedCalls counted;
    private PostgresCluster database = primary;
    private @Nullable DocumentClients underway;

    /**
     * Starts the database and the gateways.
     *
     * @param folder where their files are
     * @param seed the same seed makes the same choices
     * @param lasting how long a gateway is cut or paused
     */
    public ReplicaRounds(Path folder, long seed, Duration lasting) {
        this.random = new Random(seed);
        this.lasting = lasting;
        for (int index = 0; index < REPLICAS; index++) {
            wires.add(List.of(new WireProxy(primary.port()), new WireProxy(standby.port())));
        }
        this.replicas = new ReplicaProcesses(
                REPLICAS,
                new ReplicaProcesses.Settings(
                        folder,
                        SCHEMA,
                        this::url,
                        0,
                        embeddings.yaml(),
                        SHARED,
                        Map.of("daily", "limits: {callsPerDay: " + CALLS_A_DAY + "}"),
                        SwitchboardProcess.SHORT_LIVED));
        this.agreement = new ReplicaAgreement(replicas, VIEW, expected, folder);
        this.counted = new CountedCalls(replicas, "daily", VIEW, "list_libraries");
    }

    private String url(int index) {
        return "postgres://%s@127.0.0.1:%d,127.0.0.1:%d/%s"
                .formatted(
                        primary.superuser(),
                        wires.get(index).get(0).port(),
                        wires.get(index).get(1).port(),
                        primary.database());
    }

    /** The faults of a small run: each once, in an order that the seed decides. */
    public List<Fault> each() {
        List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
        Collections.shuffle(faults, random);
        return faults;
    }

    /** The fault, the recovery, and what must hold then. */
    public Outcome run(Fault fault) {
        DocumentClients clients = new DocumentClients(replicas, VIEW, expected, versions);
        underway = clients;
        counted.start();
        clients.start(random);
        int victim = random.nextInt(REPLICAS);
        goOn(clients, -1, 3 + random.nextInt(5));
        happens(fault, victim, clients);
        long over = System.nanoTime();
        recovered();
        Duration recovery = Duration.ofNanos(System.nanoTime() - over);
        goOn(clients, -1, 3);
        clients.end();
        counted.stop();
        if (!expected.defects().isEmpty()) {
            throw new AssertionError(fault + ": " + String.join("\n", expected.defects()));
        }
        long days = 1 + ChronoUnit.DAYS.between(begun, LocalDate.now(ZoneOffset.UTC));
        if (counted.answered() > days * CALLS_A_DAY * 4 / 3) {
            throw new AssertionError(
                    counted.answered() + " calls were let through in " + days + " days, of " + CALLS_A_DAY + " a day");
        }
        int documents = agreement.check(fault + " of gateway " + victim);
        return new Outcome(fault, recovery, expected.counts(), documents);
    }

    /** Fails unless the files of the gateways are like those that are made of the database now. */
    public void filesAreThoseOfTheDatabase() {
        agreement.withDatabase(database);
    }

    /** Waits until some more changes are made through each gateway but one. */
    private void goOn(DocumentClients clients, int without, int more) {
        for (int index = 0; index < REPLICAS; index++) {
            int replica = index;
            int before = clients.made(index);
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> replica == without || clients.made(replica) >= before + more,
                    () -> "changes are made through gateway " + replica + "; so far " + expected.counts() + ": "
                            + expected.lastFailure());
        }
    }

    private void happens(Fault fault, int victim, DocumentClients clients) {
        switch (fault) {
            case KILLED -> {
                replicas.kill(victim);
                goOn(clients, victim, 3);
                replicas.start(victim);
            }
            case CUT -> {
                wires.get(victim).forEach(WireProxy::hold);
                last(clients, victim);
                wires.get(victim).forEach(WireProxy::release);
            }
            case PAUSED -> {
                replicas.process(victim).signal("STOP");
                try {
                    last(clients, victim);
                } finally {
                    replicas.process(victim).signal("CONT");
                }
            }
            case FAILED_OVER -> {
                primary.kill();
                standby.promote();
                database = standby;
            }
        }
    }

    /** The others go on for as long as the fault lasts. */
    private void last(DocumentClients clients, int victim) {
        long end = System.nanoTime() + lasting.toNanos();
        goOn(clients, victim, 3);
        Eventually.within(
                lasting.plusMinutes(1), () -> System.nanoTime() - end > 0, () -> "the time of the fault is over");
        goOn(clients, victim, 3);
    }

    /** Waits until a new document of each gateway is found on each. */
    private void recovered() {
        for (int from = 0; from < REPLICAS; from++) {
            String source = "probe" + from;
            String word = DocumentClients.newWord(versions);
            String text = "A sentence of " + word + ".";
            expected.begin(source, text);
            try (McpTestClient client = replicas.client(from, VIEW)) {
                ToolResult put = Eventually.first(
                        Eventually.OF_A_PROCESS,
                        () -> client.call(
                                "ingest_text",
                                Json.object()
                                        .put("content", text)
                                        .put("source", source)
                                        .put("library", DocumentClients.library(source))),
                        answer -> !answer.isError());
                expected.made(source, text, put.structured().path("doc_id").asText());
            }
            for (int on = 0; on < REPLICAS; on++) {
                int there = on;
                try (McpTestClient client = replicas.client(on, VIEW)) {
                    Eventually.within(
                            Eventually.OF_A_PROCESS,
                            () -> finds(client, word),
                            () -> "gateway " + there + " finds " + word);
                }
            }
        }
    }

    private static boolean finds(McpTestClient client, String word) {
        JsonNode found = client.call("search", Json.object().put("query", word).put("top_k", 100))
                .structured();
        return found.path("results").toString().contains(word)
                && !found.path("reason").asText().contains("can't be reached");
    }

    @Override
    public void close() {
        counted.stop();
        if (underway != null) {
            underway.end();
        }
        replicas.close();
        wires.forEach(all -> all.forEach(WireProxy::close));
        embeddings.close();
        try {
            primary.close();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
