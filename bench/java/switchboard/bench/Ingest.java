package switchboard.bench;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.bench.Goal.Sense;
import switchboard.eval.JudgedSet;
import switchboard.store.DocumentStore;
import switchboard.store.RawLucene;
import switchboard.telemetry.MetricNames;
import switchboard.testing.Programs;

/**
 * Texts of a judged set put into the gateway, which embeds them, beside onnxruntime alone with the same texts; and
 * into the store without vectors, acknowledged when durable, beside Lucene alone with as many commits.
 */
@Command(name = "Ingest", mixinStandardHelpOptions = true)
final class Ingest implements Callable<Integer> {
    private static final int CLIENTS = 16;
    private static final int WARM_TEXTS = 2_000;
    private static final int WARM_ROUNDS = 2;
    private static final int WRITERS = 32;

    @Parameters(index = "0", description = "The folder of the judged set: DIR/scifact.")
    private Path folder = Path.of("");

    @Option(names = "--rounds", description = "Rounds of A B A B.")
    private int rounds = 5;

    @Option(names = "--texts", description = "How many are embedded in a round.")
    private int texts = 500;

    @Option(names = "--words", description = "Where they are cut, so that each is one chunk.")
    private int words = 85;

    @Option(names = "--documents", description = "How many are stored without vectors in a round.")
    private int documents = 3_000;

    private final Samples gateway = new Samples();
    private final Samples gatewayCpu = new Samples();
    private final Samples bare = new Samples();
    private final Samples bareCpu = new Samples();
    private final Samples store = new Samples();
    private final Samples lucene = new Samples();
    private final Samples group = new Samples();

    static void main(String[] arguments) {
        System.exit(new CommandLine(new Ingest()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        List<String> all = List.copyOf(JudgedSet.read(folder).texts().values());
        Path work = Files.createTempDirectory("switchboard-ingest");
        try {
            embedding(work, all);
            durable(work, all);
        } finally {
            Programs.delete(work);
        }
        print();
        return 0;
    }

    private void embedding(Path work, List<String> all) throws Exception {
        List<String> cut = all.stream()
                .map(text -> Arrays.stream(text.split("\\s+")).limit(words).collect(Collectors.joining(" ")))
                .limit(texts)
                .toList();
        Path data = Files.createDirectories(work.resolve("gateway"));
        try (Shipped shipped = Shipped.start(data);
                BareModel model = BareModel.load();
                ClosedLoop loop = new ClosedLoop()) {
            int cores = Runtime.getRuntime().availableProcessors();
            // The gateway's JVM still compiles after a minute of this.
            loop.run(CLIENTS, WARM_TEXTS, i -> shipped.ingest("first text " + i, cut.get(i % cut.size())));
            for (int round = -1; round < rounds; round++) {
                int number = round;
                long ours = cpu(shipped.server().pid());
                ClosedLoop.Result ingested = loop.run(
                        CLIENTS, cut.size(), i -> shipped.ingest("round " + number + " text " + i, cut.get(i)));
                ours = cpu(shipped.server().pid()) - ours;
                long here = cpu(ProcessHandle.current().pid());
                ClosedLoop.Result embedded =
                        ClosedLoop.calls(cores, cut.size(), i -> model.embed(cut.get(i)));
                here = cpu(ProcessHandle.current().pid()) - here;
                if (round >= 0) {
                    gateway.add(ingested.perSecond());
                    gatewayCpu.add(ours / 1e3 / cut.size());
                    bare.add(embedded.perSecond());
                    bareCpu.add(here / 1e3 / cut.size());
                }
            }
        }
    }

    private static long cpu(long pid) throws IOException {
        return ProcessUse.of(pid).cpuMicros();
    }

    private void durable(Path work, List<String> all) throws IOException {
        Vertx vertx = Vertx.vertx();
        List<String> some = all.subList(0, Math.min(documents, all.size()));
        Map<String, String> bySource = new LinkedHashMap<>();
        some.forEach(text -> bySource.put("text " + bySource.size(), text));
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            DocumentStore opened = JudgedStore.open(vertx, meters, work.resolve("store" + round));
            ClosedLoop.Result put = ClosedLoop.calls(WRITERS, some.size(), i -> opened.put(
                            JudgedStore.SPACE, JudgedStore.document("text " + i, some.get(i), null, null))
                    .await());
            Timer commits = meters.get(MetricNames.STORE_COMMITS).timer();
            int size = (int) Math.max(1, some.size() / commits.count());
            opened.close().await();
            long start = System.nanoTime();
            RawLucene.write(work.resolve("lucene" + round), bySource, size);
            double seconds = (System.nanoTime() - start) / 1e9;
            if (round >= 0) {
                store.add(put.perSecond());
                lucene.add(some.size() / seconds);
                group.add(size);
            }
        }
        vertx.close().await();
    }

    private void print() {
        Markdown table = new Markdown("", "a second", "cpu ms each");
        table.row("gateway, embedding, " + CLIENTS + " clients", gateway.text(1), gatewayCpu.text(1));
        table.row("onnxruntime", bare.text(1), bareCpu.text(1));
        table.row("store, durable, without vectors, " + WRITERS + " writers", store.text(0), "");
        table.row("Lucene, commits of " + Samples.number(group.median(), 0), lucene.text(0), "");
        table.print();
        Goal.print(List.of(
                new Goal("W8: texts embedded over onnxruntime", Sense.AT_LEAST, 0.85, gateway.over(bare)),
                new Goal("W8: durable without embedding over Lucene", Sense.AT_LEAST, 0.85, store.over(lucene))));
    }
}
