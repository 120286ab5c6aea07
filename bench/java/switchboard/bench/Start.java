package switchboard.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import switchboard.bench.Goal.Sense;
import switchboard.testing.Programs;

/**
 * How long the packaged gateway takes from the start of its process to its first answers, in turns with a bare Vert.x
 * server, and how much memory it has then, under calls without I/O and under hybrid searches; without an embedding model, and
 * with the shipped one loaded.
 */
@Command(name = "Start", mixinStandardHelpOptions = true)
final class Start implements Callable<Integer> {
    private static final int CONNECTIONS = 32;
    private static final int SEARCHERS = 8;
    private static final int WORDS = 120;
    private static final double MEBIBYTE = 1 << 20;

    @Option(names = "--rounds", description = "Starts of each.")
    private int rounds = 5;

    @Option(names = "--seconds", description = "How long calls go on before memory is read.")
    private int seconds = 20;

    @Option(names = "--documents", description = "How many are in the embedded store.")
    private int documents = 500;

    @Option(names = "--searches", description = "How many come before memory is read.")
    private int searches = 2_000;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Random random = new Random(1);
    private final Samples bare = new Samples();
    private final Samples list = new Samples();
    private final Samples search = new Samples();
    private final Samples model = new Samples();
    private final Samples plain = new Samples();
    private final Samples plainCalling = new Samples();
    private final Samples idle = new Samples();
    private final Samples calling = new Samples();
    private final Samples searching = new Samples();

    static void main(String[] arguments) {
        System.exit(new CommandLine(new Start()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Path folder = Files.createTempDirectory("switchboard-start");
        Path data = Files.createDirectories(folder.resolve("data"));
        try {
            Shipped.makeCache();
            byte[] answer = fill(data);
            once(folder, data, answer);
            // The first start of each reads what the next ones find in memory.
            List.of(bare, list, search, model, idle).forEach(Samples::clear);
            for (int round = 0; round < rounds; round++) {
                once(folder, data, answer);
                memory(data);
                memoryWithoutModel(folder);
            }
        } finally {
            Programs.delete(folder);
        }
        print();
        return 0;
    }

    /** Puts documents into the store; returns what the gateway lists. */
    private byte[] fill(Path data) throws Exception {
        try (Shipped shipped = Shipped.start(data);
                ClosedLoop loop = new ClosedLoop()) {
            loop.run(SEARCHERS, documents, number -> shipped.ingest("document " + number, text(WORDS)));
            return shipped.list().verify(http);
        }
    }

    private synchronized String text(int words) {
        return random.ints(words, 0, 5_000).mapToObj(n -> "word" + n).collect(Collectors.joining(" "));
    }

    private void once(Path folder, Path data, byte[] answer) throws Exception {
        long start = System.nanoTime();
        try (Plain plain = Plain.launch(Work.W1, answer, null, folder)) {
            plain.server().awaitPort();
            URI url = URI.create("http://127.0.0.1:" + plain.server().port() + "/W1");
            Era.modern(url, Map.of(), plain.question(Work.W1).orElseThrow()).verify(http);
            bare.add(millisSince(start));
        }
        start = System.nanoTime();
        try (Shipped shipped = Shipped.launch(data)) {
            shipped.server().awaitPort();
            shipped.list().verify(http);
            list.add(millisSince(start));
        }
        start = System.nanoTime();
        try (Shipped shipped = Shipped.launch(data)) {
            shipped.server().awaitPort();
            shipped.search("word17 word4711").verify(http);
            search.add(millisSince(start));
        }
        model.add(loadModel());
    }

    private static double loadModel() throws IOException, InterruptedException {
        String output = Tools.run(
                Path.of("."),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                LoadModel.class.getName());
        return Double.parseDouble(output.substring(output.lastIndexOf(' ') + 1));
    }

    private void memory(Path data) throws Exception {
        try (Shipped shipped = Shipped.start(data);
                ClosedLoop loop = new ClosedLoop()) {
            // A search waits for the model, which is loaded after the start.
            shipped.search("word17").verify(http);
            addMemory(shipped, idle, calling);
            loop.run(SEARCHERS, searches, _ -> shipped.search(text(10)));
            searching.add(memoryOf(shipped));
        }
    }

    private void memoryWithoutModel(Path folder) throws Exception {
        Path configuration = folder.resolve("switchboard.yaml");
        Files.writeString(
                configuration,
                Files.readString(Shipped.configuration()).replaceFirst("provider: onnx", "provider: none"));
        Path data = Files.createDirectories(folder.resolve("plain"));
        try (Shipped shipped = Shipped.launch(data, configuration).ready()) {
            addMemory(shipped, plain, plainCalling);
        }
    }

    /** Reads the memory after the first list, and after calls. */
    private void addMemory(Shipped shipped, Samples listed, Samples called) throws Exception {
        shipped.list().verify(http);
        listed.add(memoryOf(shipped));
        Wrk.install().run(shipped.call(), shipped, CONNECTIONS, seconds);
        called.add(memoryOf(shipped));
    }

    private static double memoryOf(Shipped shipped) throws IOException {
        return ProcessUse.of(shipped.server().pid()).rssBytes() / MEBIBYTE;
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }

    private void print() {
        Markdown table = new Markdown("", "median of " + rounds, "least", "greatest");
        row(table, "bare Vert.x: process start to first answer, ms", bare);
        row(table, "gateway: process start to first tools/list, ms", list);
        row(table, "gateway: process start to first hybrid search, ms", search);
        row(table, "loading the model, ms", model);
        row(table, "RSS after the first tools/list, provider: none, MiB", plain);
        row(table, "RSS after " + seconds + " s of W2, provider: none, MiB", plainCalling);
        row(table, "RSS after the first tools/list, model loaded, MiB", idle);
        row(table, "RSS after " + seconds + " s of W2, model loaded, MiB", calling);
        row(table, "RSS after " + searches + " hybrid searches, MiB", searching);
        table.print();
        Goal.print(List.of(
                new Goal("W9: first tools/list over bare Vert.x", Sense.AT_MOST, 1.8, list.over(bare)),
                new Goal(
                        "W9: first hybrid search beyond the first list, over loading the model",
                        Sense.AT_MOST,
                        1.2,
                        search.minus(list).over(model)),
                new Goal("W10: idle, provider: none, MiB", Sense.AT_MOST, 180, plain.median()),
                new Goal("W10: under W2, provider: none, MiB", Sense.AT_MOST, 320, plainCalling.median()),
                new Goal("W10: under W6, MiB", Sense.AT_MOST, 600, searching.median())));
    }

    private static void row(Markdown table, String name, Samples samples) {
        table.row(name, Samples.number(samples.median(), 0), Samples.number(samples.least(), 0),
                Samples.number(samples.greatest(), 0));
    }
}
