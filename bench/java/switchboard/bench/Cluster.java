package switchboard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import switchboard.bench.ClusterLoad.Kind;
import switchboard.bench.ClusterLoad.Measured;
import switchboard.testing.CalculatedEmbeddings;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;
import switchboard.testing.ReplicaProcesses;

/**
 * What it costs that gateways share a database: processor time of searches, lists and calls without I/O, and writes a second, in turns with
 * a gateway by itself; how old what a search on another gateway sees is; one to three gateways; and what documents take in the database and on
 * a gateway's disk, and how long new files take. Arguments: rounds (5), seconds of each load (6), chunks (20000).
 */
final class Cluster {
    private static final int CONNECTIONS = 4;
    private static final int REPLICAS = 3;
    private static final List<String> OPTIONS = List.of("-DSWITCHBOARD_REQUEST_LOG=OFF", "--add-modules=jdk.incubator.vector");
    private static final int WRITTEN_AND_SEARCHED = 100;
    private static final String BACKENDS = "  library: { type: vectordb, store: %s, dataDir: shared }%n"
            + "  notes: { type: agentroot }%n"
            + "views: { shared: { backends: [library] } }%n";

    private final int rounds;
    private final Duration seconds;

    private Cluster(int rounds, Duration seconds) {
        this.rounds = rounds;
        this.seconds = seconds;
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 6;
        int chunks = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 20_000;
        try (PostgresCluster postgres = PostgresCluster.alone()) {
            if (rounds > 0) {
                new Cluster(rounds, Duration.ofSeconds(seconds)).gateways(postgres);
            }
            if (chunks > 0) {
                new ClusterFiles(postgres).measure(chunks);
            }
        }
    }

    private void gateways(PostgresCluster postgres) throws Exception {
        Path folder = Files.createTempDirectory("switchboard-cluster");
        try (CalculatedEmbeddings embeddings = new CalculatedEmbeddings(384)) {
            try (GatewayProcess alone = alone(folder.resolve("alone"), embeddings);
                    ReplicaProcesses replica = replicas(1, folder.resolve("one"), embeddings, postgres);
                    ClusterLoad without = new ClusterLoad(List.of(alone), postgres);
                    ClusterLoad with = new ClusterLoad(List.of(replica.process(0)), postgres)) {
                inTurns(without, with);
            }
            try (ReplicaProcesses replicas = replicas(REPLICAS, folder.resolve("more"), embeddings, postgres)) {
                several(replicas, postgres);
            }
        } finally {
            Programs.delete(folder);
        }
    }

    private static ReplicaProcesses replicas(
            int count, Path folder, CalculatedEmbeddings embeddings, PostgresCluster postgres) {
        return new ReplicaProcesses(
                count,
                new ReplicaProcesses.Settings(
                        folder,
                        "bench",
                        _ -> postgres.url(),
                        0,
                        embeddings.yaml(),
                        BACKENDS.formatted("cluster"),
                        Map.of(),
                        OPTIONS));
    }

    private void several(ReplicaProcesses replicas, PostgresCluster postgres) throws Exception {
        for (int index = 0; index < REPLICAS; index++) {
            GatewayProcess replica = replicas.process(index);
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> replica.management("/metrics").body().contains("switchboard_store_behind{store=\"library\"} 0.0"),
                    () -> "its files are complete");
        }
        try (ClusterLoad from = new ClusterLoad(List.of(replicas.process(0)), postgres);
                ClusterLoad to = new ClusterLoad(List.of(replicas.process(1)), postgres)) {
            freshness(from, to);
        }
        for (int count = 1; count <= REPLICAS; count++) {
            List<GatewayProcess> some =
                    IntStream.range(0, count).mapToObj(replicas::process).toList();
            try (ClusterLoad load = new ClusterLoad(some, postgres)) {
                load.run(Kind.SEARCH, CONNECTIONS * count, seconds);
                System.out.printf(
                        "searches through %d of %d gateways: %s%n",
                        count, REPLICAS, load.run(Kind.SEARCH, CONNECTIONS * count, seconds));
            }
        }
        try (ClusterLoad load = new ClusterLoad(List.of(replicas.process(0)), postgres)) {
            System.out.printf(
                    "writes through one of %d gateways: %s%n", REPLICAS, load.run(Kind.WRITE, CONNECTIONS, seconds));
        }
    }

    private static GatewayProcess alone(Path folder, CalculatedEmbeddings embeddings)
            throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("teams.yaml"), "teams: { red: { grants: [\"*:*\"] } }\n");
        Path config = Files.writeString(
                folder.resolve("switchboard.yaml"),
                "auth: { mode: keys, anonymous: { team: red } }\n" + embeddings.yaml() + "backends:\n"
                        + BACKENDS.formatted("local"));
        return GatewayProcess.start(
                        new GatewayProcess.Launch(config, folder, "512m", 0), switchboard.Main.class, OPTIONS)
                .ready();
    }

    /** Each kind of call to a gateway by itself and to one of a cluster, in turns. */
    private void inTurns(ClusterLoad alone, ClusterLoad shared) throws Exception {
        for (Kind kind : List.of(Kind.WRITE, Kind.SEARCH, Kind.LIST, Kind.PLAIN)) {
            alone.run(kind, CONNECTIONS, seconds.multipliedBy(2));
            shared.run(kind, CONNECTIONS, seconds.multipliedBy(2));
            Map<Figure, Samples> without = samples();
            Map<Figure, Samples> with = samples();
            for (int round = 0; round < rounds; round++) {
                add(without, alone.run(kind, CONNECTIONS, seconds));
                add(with, shared.run(kind, CONNECTIONS, seconds));
            }
            System.out.printf(
                    "%s: without cluster %s a second, %s us of the gateway; with %s a second, %s us of the gateway, %s us of the database;"
                            + " medians of the ratios: rate %.2f, processor time of the gateway %.2f%n",
                    kind,
                    without.get(Figure.RATE).text(0),
                    without.get(Figure.GATEWAY).text(0),
                    with.get(Figure.RATE).text(0),
                    with.get(Figure.GATEWAY).text(0),
                    with.get(Figure.DATABASE).text(0),
                    with.get(Figure.RATE).over(without.get(Figure.RATE)),
                    with.get(Figure.GATEWAY).over(without.get(Figure.GATEWAY)));
        }
    }

    private enum Figure {
        RATE,
        GATEWAY,
        DATABASE
    }

    private static Map<Figure, Samples> samples() {
        Map<Figure, Samples> samples = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            samples.put(figure, new Samples());
        }
        return samples;
    }

    private static void add(Map<Figure, Samples> samples, Measured measured) {
        samples.get(Figure.RATE).add(measured.perSecond());
        samples.get(Figure.GATEWAY).add(measured.gatewayMicros());
        samples.get(Figure.DATABASE).add(measured.databaseMicros());
    }

    /** A document is put through one gateway and searched through another at once. */
    private static void freshness(ClusterLoad from, ClusterLoad to) throws Exception {
        Samples unchanged = new Samples();
        Samples changed = new Samples();
        for (int number = 0; number < WRITTEN_AND_SEARCHED; number++) {
            unchanged.add(to.milliseconds("search", ClusterLoad.search("fresh" + ClusterLoad.letters(number)), ""));
            String word = "new" + ClusterLoad.letters(number);
            from.milliseconds("ingest_text", ClusterLoad.write("fresh-" + number, "A " + word + " thing."), "");
            changed.add(to.milliseconds("search", ClusterLoad.search(word), word));
        }
        System.out.printf(
                "a search that sees what another gateway has just acknowledged: p50 %.1f ms, p99 %.1f ms; one without changes: p50 %.1f ms, p99"
                        + " %.1f ms%n",
                changed.at(0.5), changed.at(0.99), unchanged.at(0.5), unchanged.at(0.99));
    }
}
