package switchboard.app.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import switchboard.call.BackendRequest.Maintain;

/** {@code switchboard reindex}. */
@Command(
        name = "reindex",
        description = "Give all documents vectors of the embedder that is configured now, while the backends serve.",
        mixinStandardHelpOptions = true)
public final class ReindexCommand implements Callable<Integer> {
    @Mixin
    private final Upkeep upkeep = new Upkeep();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Override
    public Integer call() {
        Logging.forPeople();
        PrintWriter out = spec.commandLine().getOut();
        boolean done = upkeep.run(
                _ -> new Maintain.Reindex(),
                spec.commandLine().getErr(),
                Upkeep.Answers.to(
                        out,
                        facts -> facts.path("documents").asInt() + " documents have vectors of "
                                + facts.path("model").asText() + " now"));
        return done ? 0 : Failures.FAILED;
    }
}
