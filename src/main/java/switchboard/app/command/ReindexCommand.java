package switchboard.app.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import switchboard.call.BackendRequest.Maintain;

/** {@code switchboard reindex}. */
@Command(
        name = "reindex",
        description = "Compute new vectors for all documents with the configured embedder, while the backends serve.",
        footer = "  switchboard reindex --backend vectordb")
public final class ReindexCommand extends PrintingCommand implements Callable<Integer> {
    @Mixin
    private final MaintenanceRunner maintenanceRunner = new MaintenanceRunner();

    @Override
    public Integer call() {
        Logging.forPeople();
        PrintWriter out = out();
        PrintWriter err = err();
        try (Progress progress = Progress.of("Reindexing, documents:", 0, err)) {
            return InterruptHandler.during(
                    err,
                    () -> account(progress),
                    interruption -> maintenanceRunner.run(
                            _ -> new Maintain.Reindex(),
                            new MaintenanceRunner.Watched(progress, interruption),
                            MaintenanceRunner.BackendAnswers.to(
                                    out,
                                    facts -> facts.path("documents").asInt() + " documents have vectors of "
                                            + facts.path("model").asText() + " now")));
        }
    }

    private static String account(Progress progress) {
        progress.end();
        return "Stopped: " + progress.soFar()
                + " documents have new vectors and keep them. Run the same command again to continue"
                + " with the others; until then, searches use both.";
    }
}
