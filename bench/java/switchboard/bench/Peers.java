package switchboard.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.testing.Programs;

/**
 * The gateway beside other servers that do the same, one after the other and again, on the loopback address of one
 * machine. Every answer is looked at before anything is timed.
 */
@Command(name = "Peers", mixinStandardHelpOptions = true)
final class Peers implements Callable<Integer> {
    private static final String OURS = "switchboard";
    private static final long WARM_UP_NANOS = 40_000_000_000L;

    @Parameters(description = "What to measure: W1 W2 W3 W4 ...; by default W1 W2.")
    private Set<Work> works = EnumSet.noneOf(Work.class);

    @Option(names = "--rounds", description = "Rounds of A B A B.")
    private int rounds = 5;

    @Option(names = "--seconds", description = "How long each server is loaded in a round.")
    private int seconds = 2;

    @Option(names = "--connections", split = ",", description = "Closed loops of so many connections.")
    private List<Integer> connections = List.of(32);

    @Option(names = "--eras", split = ",", description = "LEGACY, MODERN or both.")
    private List<Era> eras = List.of(Era.LEGACY);

    @Option(names = "--open", description = "Also fixed rates: 50 and 80 percent of what the slowest server can.")
    private boolean open;

    @Option(names = "--also", description = "NAME=FOLDER: another build of the gateway, to compare with.")
    private Map<String, Path> builds = Map.of();

    @Option(names = "--only", split = ",", description = "Only these servers.")
    private List<String> only = List.of();

    @Option(names = "--warm", description = "How many requests come before those that count, within 40 seconds for each server.")
    private int warm = 20_000;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    static void main(String[] arguments) {
        System.exit(new CommandLine(new Peers()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Set<Work> wanted = works.isEmpty() ? EnumSet.of(Work.W1, Work.W2) : works;
        Path folder = Files.createTempDirectory("switchboard-peers");
        Wrk wrk = Wrk.install();
        Report report = new Report(OURS);
        try (Field field = new Field();
                OpenLoop openLoop = new OpenLoop()) {
            Database database = wanted.stream().anyMatch(Work::database) ? field.keep(Database.start(wanted)) : null;
            List<Contender> ours = ours(field, wanted, database, folder);
            Report.head();
            for (Work work : wanted) {
                List<Contender> all = new ArrayList<>(ours);
                try (Field peers = new Field()) {
                    all.addAll(peers(peers, work, ours.getFirst(), database, folder));
                    all.removeIf(one -> !wanted(one.name()));
                    for (Era era : eras) {
                        measure(report, work, era, all, wrk, openLoop);
                    }
                }
            }
        } finally {
            Programs.delete(folder);
        }
        report.write(Tools.folder("results"), "peers");
        return 0;
    }

    private List<Contender> ours(Field field, Set<Work> works, @Nullable Database database, Path folder) throws Exception {
        Path home = Path.of(System.getProperty("switchboard.home"), "target", "switchboard");
        List<Contender> ours = new ArrayList<>();
        ours.add(field.keep(Ours.start(OURS, home, true, works, database, folder)));
        if (wanted("switchboard-off")) {
            ours.add(field.keep(Ours.start("switchboard-off", home, false, works, database, folder)));
        }
        for (Map.Entry<String, Path> build : builds.entrySet()) {
            if (wanted(build.getKey())) {
                ours.add(field.keep(Ours.start(build.getKey(), build.getValue(), true, works, database, folder)));
            }
        }
        return ours;
    }

    private boolean wanted(String name) {
        return only.isEmpty() || only.contains(name);
    }

    private List<Contender> peers(
            Field field, Work work, Contender ours, @Nullable Database database, Path folder) throws Exception {
        List<Contender> peers = new ArrayList<>();
        if (wanted("vert.x")) {
            byte[] answer = target(ours, work, Era.LEGACY).orElseThrow().verify(http);
            peers.add(field.keep(Plain.start(work, answer, database, folder)));
        }
        if (wanted("toolbox")) {
            peers.add(field.keep(Toolbox.start(work, database, folder)));
        }
        return peers;
    }

    private Optional<Target> target(Contender contender, Work work, Era era) throws Exception {
        Optional<Question> question = contender.question(work);
        if (question.isEmpty()) {
            return Optional.empty();
        }
        URI url = URI.create("http://127.0.0.1:" + contender.server().port()
                + question.get().path());
        // The plain server knows no handshake.
        Era spoken = contender instanceof Plain ? Era.MODERN : era;
        return Optional.of(spoken.request(http, url, contender.credential(), question.get()));
    }

    private void measure(
            Report report, Work work, Era era, List<Contender> all, Wrk wrk, OpenLoop openLoop) throws Exception {
        List<Entry> entries = new ArrayList<>();
        for (Contender contender : all) {
            Optional<Target> target = target(contender, work, era);
            if (target.isPresent()) {
                target.get().verify(http);
                entries.add(new Entry(contender, target.get()));
            }
        }
        for (Entry entry : entries) {
            warmUp(wrk, entry);
        }
        for (int count : connections) {
            report.add(rows(work, era, "closed " + count, entries, entry ->
                    wrk.run(entry.target(), entry.contender(), count, seconds)));
        }
        if (open) {
            double capacity = Double.MAX_VALUE;
            for (Entry entry : entries) {
                capacity = Math.min(
                        capacity, wrk.run(entry.target(), entry.contender(), 32, seconds).perSecond());
            }
            for (double part : new double[] {0.5, 0.8}) {
                double rate = part * capacity;
                report.add(rows(work, era, "open " + Math.round(part * 100) + " %", entries, entry ->
                        openLoop.run(entry.target(), entry.contender(), rate, seconds)));
            }
        }
    }

    private void warmUp(Wrk wrk, Entry entry) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + WARM_UP_NANOS;
        double answered = 0;
        while (answered < warm && System.nanoTime() < deadline) {
            answered += seconds * wrk.run(entry.target(), entry.contender(), 32, seconds).perSecond();
        }
    }

    private List<Row> rows(Work work, Era era, String load, List<Entry> entries, Measurement measurement)
            throws Exception {
        List<Row> rows = entries.stream()
                .map(entry -> new Row(
                        work.name(), era.name().toLowerCase(java.util.Locale.ROOT), load, entry.contender().name()))
                .toList();
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < entries.size(); i++) {
                rows.get(i).add(measurement.of(entries.get(i)));
            }
        }
        return rows;
    }

    private record Entry(Contender contender, Target target) {}

    @FunctionalInterface
    private interface Measurement {
        Wrk.Result of(Entry entry) throws Exception;
    }

    /** What is ended with the run, the last one first. */
    private static final class Field implements AutoCloseable {
        private final List<AutoCloseable> kept = new ArrayList<>();

        <T extends AutoCloseable> T keep(T one) {
            kept.add(one);
            return one;
        }

        @Override
        public void close() throws Exception {
            for (AutoCloseable one : kept.reversed()) {
                one.close();
            }
        }
    }
}
