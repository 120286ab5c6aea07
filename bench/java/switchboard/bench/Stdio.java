package switchboard.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import switchboard.testing.Programs;

/** W12: calls without I/O over standard input and output, in turns with the same over HTTP. */
@Command(name = "Stdio", mixinStandardHelpOptions = true)
final class Stdio implements Callable<Integer> {
    private static final String TOOL = "session_set";

    @Option(names = "--rounds", description = "Rounds of A B A B.")
    private int rounds = 5;

    @Option(names = "--calls", description = "Over standard input and output in a round.")
    private int calls = 10_000;

    @Option(names = "--seconds", description = "How long HTTP is loaded in a round.")
    private int seconds = 2;

    @Option(names = "--connections", split = ",", description = "Calls under way at once.")
    private List<Integer> connections = List.of(1, 32);

    static void main(String[] arguments) {
        System.exit(new CommandLine(new Stdio()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Path work = Files.createTempDirectory("switchboard-stdio");
        Report report = new Report("http");
        Wrk wrk = Wrk.install();
        try (Shipped shipped = Shipped.start(Files.createDirectories(work.resolve("http")));
                StdioClient client = StdioClient.start(Files.createDirectories(work.resolve("stdio")))) {
            Target target = shipped.call();
            String session = client.call("session_start", JsonNodeFactory.instance.objectNode())
                    .at("/structuredContent/session_id")
                    .asText();
            for (int atOnce : connections) {
                Row http = new Row("W12", "both", "closed " + atOnce, "http");
                Row stdio = new Row("W12", "both", "closed " + atOnce, "stdio");
                wrk.run(target, shipped, atOnce, seconds);
                measure(client, session, atOnce);
                for (int round = 0; round < rounds; round++) {
                    http.add(wrk.run(target, shipped, atOnce, seconds));
                    stdio.add(measure(client, session, atOnce));
                }
                report.add(List.of(http, stdio));
            }
        } finally {
            Programs.delete(work);
        }
        report.write(Tools.folder("results"), "stdio");
        return 0;
    }

    private Wrk.Result measure(StdioClient client, String session, int atOnce) throws Exception {
        ObjectNode arguments = JsonNodeFactory.instance
                .objectNode()
                .put("session_id", session)
                .put("key", "topic")
                .put("value", "hello");
        ProcessUse before = ProcessUse.of(client.pid());
        ClosedLoop.Result result = client.calls(atOnce, calls, TOOL, arguments, "hello");
        ProcessUse after = ProcessUse.of(client.pid());
        return new Wrk.Result(
                result.perSecond(),
                result.millis(0.5),
                result.millis(0.99),
                (double) (after.cpuMicros() - before.cpuMicros()) / calls);
    }
}
