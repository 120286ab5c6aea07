package switchboard.bench;

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

    @Option(names = "--warm", description = "How many requests come before those that count, within 100 seconds for each server.")
    private int warm = 100_000;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    static void main(String[] arguments) {
        System.exit(new CommandLine(new Peers()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Set<Work> wanted = works.isEmpty() ? EnumSet.of(Work.W1, Work.W2) : works;
        wanted.addAll(wanted.stream().map(Work::base).toList());
        Path folder = Files.createTempDirectory("switchboard-peers");
        Report report = new Report(OURS);
        try (Field field = new Field();
                OpenLoop openLoop = new OpenLoop()) {
            Rounds measured = new Rounds(Wrk.install(), openLoop, rounds, seconds);
            Database database = wanted.stream().anyMatch(Work::database) ? field.keep(Database.start(wanted)) : null;
            HungBackend hung = field.keep(new HungBackend());
            Ours.Setting setting = new Ours.Setting(wanted, database, hung.url(), folder);
            List<Contender> ours = ours(field, setting);
            for (Work base : EnumSet.copyOf(wanted.stream().map(Work::base).toList())) {
                List<Contender> all = new ArrayList<>(ours);
                try (Field peers = new Field()) {
                    all.addAll(peers(peers, base, ours.getFirst(), database, folder));
                    all.removeIf(one -> !wanted(one.name()));
                    List<Work> compared =
                            wanted.stream().filter(work -> work.base() == base).toList();
                    measure(report, measured, entries(compared, all, hung));
                }
            }
        } finally {
            Programs.delete(folder);
        }
        Goal.print(PeerGoals.of(report.rows()));
        report.write(Tools.folder("results"), "peers");
        return 0;
    }

    private List<Contender> ours(Field field, Ours.Setting setting) throws Exception {
        Path home = Path.of(System.getProperty("switchboard.home"), "target", "switchboard");
        List<Contender> ours = new ArrayList<>();
        ours.add(field.keep(Ours.start(OURS, home, true, setting)));
        if (wanted("switchboard-off")) {
            ours.add(field.keep(Ours.start("switchboard-off", home, false, setting)));
        }
        for (Map.Entry<String, Path> build : builds.entrySet()) {
            if (wanted(build.getKey())) {
                ours.add(field.keep(Ours.start(build.getKey(), build.getValue(), true, setting)));
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
        if (wanted("quarkus") && Quarkus.does(work)) {
            peers.add(field.keep(Quarkus.start(work, folder)));
        }
        return peers;
    }

    private Optional<Target> target(Contender contender, Work work, Era era) throws Exception {
        Optional<Question> question = contender.question(work).filter(era::speaks);
        if (question.isEmpty() || (era == Era.MODERN && !contender.modern())) {
            return Optional.empty();
        }
        URI url = URI.create("http://127.0.0.1:" + contender.server().port()
                + question.get().path());
        // The plain server knows no handshake.
        Era spoken = contender instanceof Plain ? Era.MODERN : era;
        return Optional.of(spoken.request(http, url, contender.credential(), question.get()));
    }

    /** Every server that does some of {@code works}, in every era, after a look at its answer. */
    private List<Entry> entries(List<Work> works, List<Contender> all, HungBackend hung) throws Exception {
        List<Entry> entries = new ArrayList<>();
        for (Work work : works) {
            for (Era era : eras) {
                for (Contender contender : all) {
                    Optional<Target> target = target(contender, work, era);
                    if (target.isPresent()) {
                        target.get().verify(http);
                        Entry.Disturbance disturbance =
                                work == Work.W5 ? () -> hung.calledThrough(contender) : () -> () -> {};
                        entries.add(new Entry(work, era, contender, target.get(), disturbance));
                    }
                }
            }
        }
        return entries;
    }

    private void measure(Report report, Rounds measured, List<Entry> entries) throws Exception {
        measured.warmUp(entries, warm);
        List<Row> closed = List.of();
        for (int count : connections) {
            closed = measured.closed(entries, count);
            report.add(closed);
        }
        if (open) {
            double capacity = Rounds.capacity(closed); // with as many connections as were named last
            report.add(measured.open(entries, 50, capacity));
            report.add(measured.open(entries, 80, capacity));
        }
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
