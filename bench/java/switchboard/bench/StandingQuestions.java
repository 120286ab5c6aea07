package switchboard.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.bench.Goal.Sense;
import switchboard.eval.JudgedSet;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.Programs;
import switchboard.testing.ToolResult;

/**
 * Texts of a judged set put into a gateway with standing questions, which every text concerns, in turns with one that has none.
 * The one whose turn it is not is paused.
 */
@Command(name = "StandingQuestions", mixinStandardHelpOptions = true)
final class StandingQuestions implements Callable<Integer> {
    private static final int CLIENTS = 8;
    private static final int QUESTION_WORDS = 8;
    private static final String YAML = """
            auth: {mode: none}
            audit: {to: none}
            insight: {teams: {"*": {log: false, watches: {most: 10000, runsPerMinute: 6000}}}}
            backends: {vectordb: {type: vectordb}}
            """;

    @Parameters(index = "0", description = "The folder of the judged set: DIR/scifact.")
    private Path folder = Path.of("");

    @Option(names = "--questions", description = "How many there are, 10000 at most.")
    private int questions = 10_000;

    @Option(names = "--rounds", description = "Rounds of A B A B.")
    private int rounds = 5;

    @Option(names = "--texts", description = "How many texts are put in a round.")
    private int texts = 500;

    @Option(names = "--words", description = "Where they are cut, so that each is one chunk.")
    private int words = 85;

    private final Samples asked = new Samples();
    private final Samples plain = new Samples();
    private final Samples askedCpu = new Samples();
    private final Samples plainCpu = new Samples();

    static void main(String[] arguments) {
        System.exit(new CommandLine(new StandingQuestions()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        List<String> all = List.copyOf(JudgedSet.read(folder).texts().values());
        Path work = Files.createTempDirectory("switchboard-standing");
        try (GatewayProcess with = start(work.resolve("with"));
                GatewayProcess without = start(work.resolve("without"))) {
            without.signal("STOP");
            ask(with, all);
            with.signal("STOP");
            for (int round = -2; round < rounds; round++) {
                turn(with, all, round, asked, askedCpu);
                turn(without, all, round, plain, plainCpu);
            }
            with.signal("CONT");
            without.signal("CONT");
        } finally {
            Programs.delete(work);
        }
        Markdown table = new Markdown("", "texts a second", "cpu ms each");
        table.row("with " + questions + " standing questions", asked.text(1), askedCpu.text(1));
        table.row("with none", plain.text(1), plainCpu.text(1));
        table.print();
        Goal goal = new Goal("ingest with standing questions over without", Sense.AT_LEAST, 0.8, asked.over(plain));
        Goal.print(List.of(goal));
        return goal.met() ? 0 : 1;
    }

    private static GatewayProcess start(Path data) throws IOException {
        Path config = Files.createDirectories(data).resolve("switchboard.yaml");
        Files.writeString(config, YAML);
        return GatewayProcess.lasting(new GatewayProcess.Launch(config, data, "1g", 0));
    }

    private void ask(GatewayProcess gateway, List<String> all) {
        McpTestClient client = McpTestClient.modern(gateway.url());
        ingest(client, "first", all.getFirst());
        ClosedLoop.calls(CLIENTS, questions, i -> {
            List<String> text = Arrays.asList(all.get(i % all.size()).split("\\s+"));
            int from = Math.min(text.size() - 1, i / all.size() * QUESTION_WORDS);
            String query = String.join(" ", text.subList(from, Math.min(text.size(), from + QUESTION_WORDS)));
            done(client, "watch_search", JsonNodeFactory.instance.objectNode().put("query", query));
        });
    }

    private void turn(GatewayProcess gateway, List<String> all, int round, Samples rate, Samples cpu)
            throws IOException {
        gateway.signal("CONT");
        McpTestClient client = McpTestClient.modern(gateway.url());
        long before = ProcessUse.of(gateway.pid()).cpuMicros();
        ClosedLoop.Result put = ClosedLoop.calls(CLIENTS, texts, i -> {
            String text = Arrays.stream(all.get(i % all.size()).split("\\s+"))
                    .limit(words)
                    .collect(Collectors.joining(" "));
            ingest(client, "round " + round + " text " + i, text);
        });
        long used = ProcessUse.of(gateway.pid()).cpuMicros() - before;
        gateway.signal("STOP");
        if (round >= 0) {
            rate.add(put.perSecond());
            cpu.add(used / 1e3 / texts);
        }
    }

    private static void ingest(McpTestClient client, String source, String text) {
        ObjectNode arguments =
                JsonNodeFactory.instance.objectNode().put("source", source).put("content", text);
        done(client, "ingest_text", arguments);
    }

    private static void done(McpTestClient client, String tool, ObjectNode arguments) {
        ToolResult result = client.call(tool, arguments);
        if (result.isError()) {
            throw new IllegalStateException(result.text());
        }
    }
}
