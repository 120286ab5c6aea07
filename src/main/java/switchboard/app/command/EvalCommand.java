package switchboard.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import switchboard.app.BackendTypes;
import switchboard.app.EvalRun;
import switchboard.call.Json;
import switchboard.config.GatewayConfig;
import switchboard.eval.EvalReport;
import switchboard.eval.JudgedSet;

/** {@code switchboard eval}. */
@Command(
        name = "eval",
        description = "Measure retrieval on judged sets: folders with corpus.jsonl, queries.jsonl and qrels.tsv.",
        mixinStandardHelpOptions = true)
public final class EvalCommand implements Callable<Integer> {
    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Parameters(arity = "1..*", paramLabel = "DIR", description = "A judged set.")
    private List<Path> sets = List.of();

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Keeps index and vectors, so that another run goes on; by default data/eval.")
    private @Nullable Path work;

    @Option(names = "--embedder", paramLabel = "NAME", description = "Which embedder; by default ${DEFAULT-VALUE}.")
    private String embedder = "default";

    @Option(
            names = "--tune",
            description =
                    "Fit the weights on queries.train.jsonl and qrels.train.tsv, where a set has them, and measure"
                            + " them on the test queries.")
    private boolean tune;

    @Option(names = "--json", description = "Print one JSON object for each set instead of a table.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    private Optional<JudgedSet> train(Path set) throws IOException {
        return tune && Files.exists(set.resolve("qrels.train.tsv"))
                ? Optional.of(JudgedSet.readTrain(set))
                : Optional.empty();
    }

    @Override
    public Integer call() throws IOException {
        Logging.forPeople();
        GatewayConfig config = options.load(BackendTypes.shipped());
        Path folder =
                work == null ? options.installation().data().resolve("data").resolve("eval") : work;
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter progress = spec.commandLine().getErr();
        for (Path set : sets) {
            EvalReport report =
                    EvalRun.run(config, embedder, JudgedSet.read(set), train(set), folder, (what, done, total) -> {
                        progress.println(what + " " + done + "/" + total);
                        progress.flush();
                    });
            out.println(json ? Json.text(Json.tree(report)) : report.table());
        }
        return 0;
    }
}
